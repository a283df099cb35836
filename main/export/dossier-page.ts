import { plainText } from '../../shared/plain-text.ts';
import { signedNames } from '../../shared/callbacks/signed-fields.ts';
import { formatterFor } from '../../shared/messages/catalogues.ts';
import type { CallbackFields, Event, EventOf } from '../../shared/payments/evidence.ts';
import { flagValues } from '../../shared/payments/flag-values.ts';
import type { Language } from '../../shared/messages/message.ts';
import { keyName } from '../payment-log/heads/signed-head.ts';
import type { Dossier } from './dossier.ts';
import { dossierText, fact, type DossierText } from './dossier-text.ts';
import { letterhead, printedPage } from './papers/printed-page.ts';
import { safe } from './papers/safe-text.ts';
import { rowOf } from '../../shared/payments/payment-row.ts';
import { headOf } from '../../shared/reports/head.ts';
import { claimOf } from '../../shared/callbacks/callback-meaning.ts';
import { statusOutcome } from '../../shared/callbacks/outcome-labels.ts';
import { formatMoney } from '../../shared/money/format-amount.ts';
import { isUtc } from './columns.ts';

/** The first page of a dossier: what was sold, whether it was paid, and how that is known, for people. */

/**
 * What the payment shows first, but for what a person decided about it; where the evidence behind a state matters,
 * longer than on the screens.
 */
const headIn = ({ payment, createdAt }: Dossier, { t, say }: DossierText) => {
  const row = rowOf({ ...payment, link: null, review: null });
  const { kind, label, money } = headOf(row, createdAt);
  const isLong = kind === 'paid-unconfirmed' || kind === 'paid-confirmed' || kind === 'refund-seen';
  return { name: isLong ? t(`dossier.state.${kind}`) : say(label), money };
};

const valueOf = (fields: CallbackFields, name: string): string =>
  fields.find(([found]) => found === name)?.[1] ?? '';

/** One sentence about an event; null for what only the annex shows. `deliveries`: how often it arrived. */
const sentenceOf = (event: Event, deliveries: number, { t, local, locale }: DossierText): string | null => {
  const agent = safe(event.agent);
  switch (event.kind) {
    case 'session.requested':
      return t('dossier.says.requested', {
        agent,
        amount: safe(formatMoney(event.body.amount, event.body.currency, locale)),
        description: safe(event.body.description),
      });
    case 'session.accepted':
      return t('dossier.says.accepted', { time: local(event.body.expiresAt) });
    case 'operation.requested':
      return t(`dossier.says.operation.${event.body.operation}`, {
        agent,
        amount: safe(
          event.body.amount === null ? '' : formatMoney(event.body.amount, event.body.currency, locale),
        ),
      });
    case 'operation.answered':
      return t('dossier.says.operation.answered');
    case 'operation.refused':
    case 'session.refused':
      return t(event.body.sent ? 'dossier.says.refused' : 'dossier.says.not-sent');
    case 'operation.unanswered':
    case 'session.unanswered':
      return t('dossier.says.unanswered');
    case 'link.shared':
      return t(`dossier.says.shared.${event.body.channel}`, { agent });
    case 'link.withdrawn':
      return t('dossier.says.withdrawn', { agent });
    case 'callback.received': {
      const { fields, verification } = event.body;
      const claim = t(`reported.claim.${claimOf(valueOf(fields, 'type'), valueOf(fields, 'status'))}`);
      const repeated = deliveries > 1 ? ` ${t('dossier.says.repeated', { count: deliveries })}` : '';
      return (
        t(
          verification.verdict === 'verified' ? 'dossier.says.reported' : 'dossier.says.reported.unverified',
          { claim },
        ) + repeated
      );
    }
    case 'callback.reverified':
      return event.body.verification.verdict === 'verified' ? t('dossier.says.reverified') : null;
    case 'status.observed': {
      const status = event.body.answers.at(-1)?.status;
      if (status === undefined) return t('dossier.says.no-answer');
      const outcome = statusOutcome(status);
      return t('dossier.says.checked', { status: outcome === null ? safe(status) : t(outcome) });
    }
    case 'amended':
      return t('dossier.says.erased');
    default:
      return null;
  }
};

/** What happened, one sentence for each event; repeated deliveries of one callback are one. */
const story = (events: readonly Event[], text: DossierText): string => {
  const deliveries = new Map<string, number>();
  for (const { kind, dedupeKey } of events)
    if (kind === 'callback.received' && dedupeKey !== null)
      deliveries.set(dedupeKey, (deliveries.get(dedupeKey) ?? 0) + 1);
  const told = new Set<string>();
  const rows = events.flatMap(event => {
    const key = event.kind === 'callback.received' ? event.dedupeKey : null;
    if (key !== null && told.has(key)) return [];
    if (key !== null) told.add(key);
    const sentence = sentenceOf(event, key === null ? 1 : (deliveries.get(key) ?? 1), text);
    return sentence === null
      ? []
      : [`<tr><td class="when">${text.local(event.happenedAt)}</td><td>${sentence}</td></tr>`];
  });
  return `<table class="story">${rows.join('')}</table>`;
};

type Person = { name?: string | undefined; email?: string | undefined };

const inWords = ({ name, email }: Person): string => [name, email].filter(Boolean).join(', ');

/** The customers that the provider reported and that differ from the payment's. */
const otherCustomers = ({ payment, shown }: Dossier): string[] => {
  const mine = inWords(payment.customer ?? {}).toLowerCase();
  const reported = shown.flatMap((event): Person[] => {
    if (event.kind === 'callback.received')
      return [
        {
          name: valueOf(event.body.fields, 'customer_name'),
          email: valueOf(event.body.fields, 'customer_email'),
        },
      ];
    return event.kind === 'status.observed'
      ? event.body.answers.flatMap(({ customer }) => customer ?? [])
      : [];
  });
  const words = reported.map(inWords).filter(text => text !== '' && text.toLowerCase() !== mine);
  return [...new Set(words)];
};

const money = ({ payment }: Dossier, { t, local, locale }: DossierText): string => {
  if (payment.movements.length < 2) return '';
  const rows = payment.movements.map(
    ({ kind, at, amount, currency, fate, recordedBy }) =>
      `<tr><td class="when">${local(at)}</td><td>${[
        t(`export.movement.${kind}`),
        ...(recordedBy === null || fate !== 'proven' ? [t(`movement.fate.${fate}`)] : []),
        ...(recordedBy === null ? [] : [t('movement.recorded-by', { name: safe(recordedBy) })]),
      ].join(', ')}</td><td class="number">${
        amount === null
          ? t('export.unknown')
          : safe(`${kind === 'paid' ? '' : '−'}${formatMoney(amount, currency ?? '', locale)}`)
      }</td></tr>`,
  );
  return `<h2>${t('dossier.money')}</h2><table class="story">${rows.join('')}</table>`;
};

/** Only their names: the values are in the annex. */
const flagKindsOf = ({ payment }: Dossier, { t }: DossierText): string =>
  payment.flags.length === 0
    ? ''
    : `<h2>${t('flags.name')}</h2><ul>${[...new Set(payment.flags.map(({ kind }) => kind))]
        .map(kind => `<li>${t(`flag.${kind}`)}</li>`)
        .join('')}</ul>`;

/** `logo`: a data URL; empty = none. */
export const dossierSummary = (dossier: Dossier, logo: string, text: DossierText): string => {
  const { t, when, locale } = text;
  const { payment, merchant, shown } = dossier;
  const head = headIn(dossier, text);
  const { amount, currency } = head.money;
  const paid = payment.movements.filter(({ kind }) => kind === 'paid');
  const distinct = (values: readonly (string | null)[]): string =>
    safe([...new Set(values.filter(value => value !== null && value !== ''))].join(', '));
  const customer = inWords(payment.customer ?? {});
  const others = otherCustomers(dossier);
  const times = isUtc(text.zone) ? t('dossier.times-utc') : t('dossier.times', { zone: safe(text.zone) });
  const created = t('dossier.created', {
    time: text.local(dossier.createdAt),
    agent: safe(dossier.createdBy),
  });
  return `${letterhead(t('dossier.title'), `${created}<br>${times}`, { ...merchant, logo })}
<p class="amount">${amount === null ? '' : safe(formatMoney(amount, currency ?? '', locale))}</p>
<p class="state">${head.name}</p>
<dl>
${fact(t('dossier.sold'), payment.description && safe(payment.description))}
${fact(t('column.order'), `<code>${safe(payment.orderNumber)}</code>`)}
${fact(t('export.column.paid-at'), payment.paidAt === null ? null : when(payment.paidAt))}
${fact(t('column.changed'), payment.paidAt === payment.since ? null : when(payment.since))}
${fact(
  t('column.customer'),
  customer === ''
    ? null
    : `${safe(customer)} <span class="quiet">${payment.customerFrom === null ? '' : t(`dossier.customer.${payment.customerFrom}`)}</span>`,
)}
${fact(t('dossier.customer.others'), others.length === 0 ? null : `${others.map(safe).join('; ')} <span class="quiet">${t('dossier.customer.others.text')}</span>`)}
${fact(t('column.card'), payment.cardLast4 && `•••• ${safe(payment.cardLast4)}`)}
${fact(t('export.column.rrn'), distinct(paid.map(({ rrn }) => rrn)))}
${fact(t('export.column.approval-code'), distinct(paid.map(({ approvalCode }) => approvalCode)))}
${fact(t(paid.length > 0 ? 'export.column.paid-payment-id' : 'flag-value.payment-ids'), distinct(paid.length > 0 ? paid.map(({ paymentId }) => paymentId) : payment.paymentIds))}
${fact(t('column.agent'), payment.agent && safe(payment.agent))}
${fact(t('column.profile'), `${safe(merchant.profile)}${merchant.kind === null ? '' : ` (${t(`kind.${merchant.kind}`)})`}`)}
</dl>
${money(dossier, text)}
<h2>${t('dossier.story')}</h2>
${story(shown, text)}
${flagKindsOf(dossier, text)}`;
};

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
    merchant,
    title: t('dossier.title'),
    name: payment.orderNumber,
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
