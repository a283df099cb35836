import { plainText } from '../../shared/plain-text.ts';
import { signedNames } from '../../shared/callbacks/signed-fields.ts';
import { formatterFor } from '../../shared/messages/catalogues.ts';
import type { Event, EventOf } from '../../shared/payments/evidence.ts';
import { flagValues } from '../../shared/payments/flag-values.ts';
import type { Language } from '../../shared/messages/language.ts';
import { keyName } from '../payment-log/heads/signed-head.ts';
import type { Dossier } from './dossier.ts';
import { dossierSummary } from './dossier-summary.ts';
import { dossierText, type DossierText } from './dossier-text.ts';
import { printedPage } from './papers/printed-page.ts';
import { safe } from './papers/safe-text.ts';

/** The parameters that a callback's signature covers (§5.3). */
const signedNameSet: ReadonlySet<string> = new Set(signedNames);

/** A card number masked by `maskCardNumbers`. */
const maskedCard = /\d{6}\*{3,9}\d{4}/;

const callback = (event: Extract<Event, { kind: 'callback.received' }>, { t }: DossierText): string => {
  const verified = event.body.verification.verdict === 'verified';
  const rows = event.body.fields.map(([name, value]) => {
    const mark =
      !verified || name === 'hash'
        ? ''
        : t(signedNameSet.has(name) ? 'dossier.is-signed' : 'callbacks-compare.unsigned');
    return `<tr><td><code>${safe(name)}</code></td><td><code>${safe(value)}</code></td><td class="quiet">${mark}</td></tr>`;
  });
  const isMasked = event.body.fields.some(
    ([name, value]) => signedNameSet.has(name) && maskedCard.test(value),
  );
  const explained = verified && isMasked ? `<p>${t('dossier.masked-after')}</p>` : '';
  return `<p>${t(verified ? 'dossier.verified' : 'dossier.not-verified')}</p>${explained}<table><thead><tr><th>${t('dossier.field')}</th><th>${t('dossier.value')}</th><th>${t('dossier.signed')}</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
};

/** What a person recorded: outcome, amount, day and reason. */
const recordedText = ({ body }: EventOf<'movement.recorded'>, t: DossierText['t']): string =>
  [
    body.undoes === null ? t(`event.movement.recorded.${body.outcome}`) : t('event.movement.undone'),
    body.amount ?? '',
    body.day,
    body.text,
  ]
    .filter(part => part !== '')
    .join(' · ');

const content = (event: Event, text: DossierText): string => {
  const { t } = text;
  switch (event.kind) {
    case 'session.requested':
    case 'operation.requested':
      return `<pre>POST ${safe(event.body.endpoint)}\n${safe(event.body.request)}</pre>`;
    case 'session.accepted':
      return `<p class="quiet">${t('dossier.no-link')}</p>`;
    case 'session.refused':
    case 'session.unanswered':
    case 'operation.refused':
    case 'operation.unanswered':
      return `<p>${safe(event.body.message)}</p>`;
    case 'operation.answered':
      return `<pre>${safe(event.body.answer.body)}</pre>`;
    case 'callback.received':
      return callback(event, text);
    case 'status.observed':
      return `<p>${safe(event.body.answers.map(({ status }) => status).join(', ') || (event.body.problem?.message ?? ''))}</p>${
        event.body.answer ? `<pre>${safe(event.body.answer.body)}</pre>` : ''
      }`;
    case 'note.added':
      return `<p>${safe(event.body.text)}</p>`;
    case 'movement.recorded':
      return `<p>${safe(recordedText(event, t))}</p>`;
    case 'dispute.noted':
      return `<p>${safe([event.body.respondBy, event.body.sent].filter(Boolean).join(' · '))}</p>`;
    case 'link.shared':
      return `<p>${t(`dossier.says.shared.${event.body.channel}`, { agent: safe(event.agent) })}</p>`;
    case 'link.withdrawn':
      return `<p>${safe([t(`withdrawal.${event.body.reason}`), event.body.text].filter(text => text !== '').join(' · '))}</p>`;
    case 'review.resolved':
      return `<p>${safe([t(`resolution.${event.body.reason}`), event.body.text].filter(text => text !== '').join(' · '))}</p>`;
    case 'review.assigned':
      return `<p>${safe(event.body.assignee ?? t('review.unassigned'))}</p>`;
    case 'callback.reverified':
      return `<p>${t(event.body.verification.verdict === 'verified' ? 'dossier.verified' : 'dossier.not-verified')}</p>`;
    case 'customer.joined':
      return `<p>${safe(event.body.otherOrder)}</p>`;
    case 'customer.separated':
    case 'review.reopened':
    case 'review.snoozed':
    case 'amended':
    case 'statement.recorded':
    case 'activity.recorded':
      return '';
  }
};

const attempts = ({ payment }: Dossier, { t, local }: DossierText): string => {
  if (payment.attempts.length === 0) return '';
  const heads = [
    t('column.payment-id'),
    t('dossier.result'),
    t('export.column.reason'),
    t('dossier.first-seen'),
  ];
  const rows = payment.attempts.map(
    one =>
      `<tr><td class="nowrap"><code>${safe(one.paymentId)}</code></td><td class="nowrap">${t(`outcome.${one.outcome}`)}</td><td>${safe(plainText(one.reason ?? ''))}</td><td class="when">${local(one.firstAt)}</td></tr>`,
  );
  return `<h3>${t('attempts.name')}</h3><table><thead><tr>${heads.map(head => `<th>${head}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
};

/** Every issue with its values. */
const flags = ({ payment }: Dossier, { t, language, locale }: DossierText): string => {
  if (payment.flags.length === 0) return '';
  const format = formatterFor(language, locale);
  const items = payment.flags.map(flag => {
    const values = flagValues(flag).map(({ label, value }) => `${format(label)}: ${safe(format(value))}`);
    return `<li>${[t(`flag.${flag.kind}`), ...values].join(' · ')}</li>`;
  });
  return `<h3>${t('flags.name')}</h3><ul>${items.join('')}</ul>`;
};

const proof = ({ events, segments }: Dossier, { t }: DossierText): string => {
  const proven = events.filter(({ writer, writerSeq }) =>
    segments.some(one => one.writer === writer && one.first <= writerSeq && writerSeq <= one.last),
  ).length;
  const keys = [...new Set(segments.map(({ head }) => keyName(head)))].join(', ');
  const lines = [
    ...(proven > 0 ? [t('dossier.proof.covered', { count: proven, key: keys })] : []),
    ...(proven < events.length ? [t('dossier.proof.not-covered', { count: events.length - proven })] : []),
    t('dossier.proof.how'),
    t('dossier.proof.result'),
  ];
  return `<h2>${t('dossier.proof')}</h2>${lines.map(line => `<p>${line}</p>`).join('')}`;
};

/** For the one who writes a program for it; the first page says what it proves. */
const proofSteps = ({ t }: DossierText): string => {
  const steps = (['events', 'content', 'chain', 'signature'] as const).map(
    step => `<li>${t(`dossier.proof.step.${step}`)}</li>`,
  );
  return `<h3>${t('dossier.proof.steps')}</h3><ol>${steps.join('')}</ol>`;
};

/**
 * A dossier as a page to be printed: the first for people, then an annex with the raw data. `locale`: BCP 47, for
 * numbers and times; `zone`: IANA, of the merchant; `logo`: a data URL, empty = none.
 */
export const dossierPage = (
  dossier: Dossier,
  choice: { language: Language; locale: string },
  zone: string,
  logo: string,
): string => {
  const text = dossierText(choice, zone);
  const { t, when } = text;
  const { payment, merchant, shown } = dossier;
  const events = shown.map(
    (event, index) =>
      `<section class="event"><h3>${index + 1}. ${t(`dossier.event.${event.kind}`)}</h3><p class="quiet">${when(event.happenedAt)} · ${event.agent === 'console' ? t('actor.console') : safe(event.agent)}</p>${content(event, text)}</section>`,
  );
  return printedPage({
    language: choice.language,
    title: `${t('dossier.title')} ${payment.orderNumber}`,
    footer: `${merchant.name} · ${t('dossier.title')} · ${payment.orderNumber}`,
    page: t('printed.page', { page: '{page}', pages: '{pages}' }),
    body: `${dossierSummary(dossier, logo, text)}
${proof(dossier, text)}
<section class="annex">
<h2>${t('dossier.annex')}</h2>
<p class="lead">${t('dossier.annex.text')}</p>
${flags(dossier, text)}
${attempts(dossier, text)}
<h3>${t('timeline.name')}</h3>
${events.join('\n')}
${proofSteps(text)}
</section>`,
  });
};
