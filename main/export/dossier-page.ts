import { signedNames } from '../../shared/callbacks/signed-fields.ts';
import { formatterFor } from '../../shared/messages/catalogues.ts';
import { msg, type MessageKey, type ValuesOf } from '../../shared/messages/message.ts';
import { flagValues } from '../../shared/payments/flag-values.ts';
import type { Event } from '../../shared/payments/evidence.ts';
import type { PaymentState } from '../../shared/payments/payment.ts';
import type { Language } from '../../shared/messages/language.ts';
import { keyName } from '../payment-log/integrity/signed-head.ts';
import type { Dossier } from './dossier.ts';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Escaped and isolated, so that bidirectional characters in it have no effect after it. */
const safe = (text: string): string =>
  text === '' ? '' : `<bdi>${text.replaceAll(/[&<>"']/g, found => escapes[found] ?? found)}</bdi>`;

/** The parameters that a callback's signature covers (§5.3). */
const signedNameSet: ReadonlySet<string> = new Set(signedNames);

const style = `
:root { color-scheme: light; font: 14px/1.5 system-ui, sans-serif; }
body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem; color: #12161d; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
dl { display: grid; grid-template-columns: 11rem 1fr; gap: .25rem 1rem; } dt { color: #5e6674; } dd { margin: 0; }
ol { padding-left: 1.5rem; } li { margin-bottom: 1rem; break-inside: avoid; }
table { border-collapse: collapse; width: 100%; font-size: .85rem; } td { border-top: 1px solid #e1e4e9; padding: .15rem .5rem .15rem 0; vertical-align: top; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem; background: #f5f6f8; padding: .5rem; }
.quiet { color: #5e6674; font-size: .85rem; } .state { font-size: 1.2rem; font-weight: 600; }
@media print { body { margin: 0; max-width: none; } @page { size: A4; margin: 16mm; } }`;

/** The text of a message in the page's language. The values must be safe in HTML. */
type Text = <K extends MessageKey>(key: K, ...values: ValuesOf<K>) => string;

/** The name of a state; where the evidence behind it matters, longer than on the screens. */
const stateKey = (state: PaymentState) =>
  state === 'paid-unconfirmed' || state === 'paid-confirmed' || state === 'refund-seen'
    ? (`dossier.state.${state}` as const)
    : (`state.${state}` as const);

/** A card number masked by `maskCardNumbers`. */
const maskedCard = /\d{6}\*{3,9}\d{4}/;

const callback = (event: Extract<Event, { kind: 'callback.received' }>, t: Text): string => {
  const verified = event.body.verification.verdict === 'verified';
  const rows = event.body.fields.map(([name, value]) => {
    const mark =
      !verified || name === 'hash' ? '' : signedNameSet.has(name) ? '✓' : t('callbacks-compare.unsigned');
    return `<tr><td>${safe(name)}</td><td>${safe(value)}</td><td class="quiet">${mark}</td></tr>`;
  });
  const isMasked = event.body.fields.some(
    ([name, value]) => signedNameSet.has(name) && maskedCard.test(value),
  );
  const explained = verified && isMasked ? `<p>${t('dossier.masked-after')}</p>` : '';
  return `<p>${t(verified ? 'dossier.verified' : 'dossier.not-verified')}</p>${explained}<table>${rows.join('')}</table>`;
};

const content = (event: Event, t: Text): string => {
  switch (event.kind) {
    case 'session.requested':
      return `<pre>POST ${safe(event.body.endpoint)}\n${safe(event.body.request)}</pre>`;
    case 'session.accepted':
      return `<p class="quiet">${t('dossier.no-link')}</p>`;
    case 'session.refused':
    case 'session.unanswered':
      return `<p>${safe(event.body.message)}</p>`;
    case 'callback.received':
      return callback(event, t);
    case 'status.observed':
      return `<p>${safe(event.body.answers.map(({ status }) => status).join(', ') || (event.body.problem?.message ?? ''))}</p>${
        event.body.answer ? `<pre>${safe(event.body.answer.body)}</pre>` : ''
      }`;
    case 'note.added':
      return `<p>${safe(event.body.text)}</p>`;
    case 'link.shared':
      return `<p>${safe(event.body.channel)}</p>`;
    case 'callback.reverified':
      return `<p>${t(event.body.verification.verdict === 'verified' ? 'dossier.verified' : 'dossier.not-verified')}</p>`;
    case 'amended':
    case 'activity.recorded':
      return '';
  }
};

/**
 * A dossier as one self-contained page: no script, no other resource. `locale`: BCP 47, for numbers and times. It
 * also contains the JSON.
 */
export const dossierPage = (
  dossier: Dossier,
  { language, locale }: { language: Language; locale: string },
): string => {
  const format = formatterFor(language, locale);
  const t: Text = (key, ...values) => format(msg(key, ...values));
  const { payment, merchant, shown, events, segments } = dossier;
  const times = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' });
  const when = (at: number): string =>
    `<time datetime="${new Date(at).toISOString()}" title="${new Date(at).toISOString()}">${safe(times.format(at))}</time> <span class="quiet">${new Date(at).toISOString()}</span>`;
  const fact = (name: string, value: string | null): string =>
    value === null || value === '' ? '' : `<dt>${name}</dt><dd>${value}</dd>`;
  const proven = events.filter(({ writer, writerSeq }) =>
    segments.some(one => one.writer === writer && one.first <= writerSeq && writerSeq <= one.last),
  ).length;
  const keys = [...new Set(segments.map(({ head }) => keyName(head)))].join(', ');
  const person = [payment.customer?.name, payment.customer?.email].filter(Boolean).join(', ');
  const json = JSON.stringify(dossier).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${t('dossier.title')}</title>
<style>${style}</style>
</head>
<body>
<h1>${t('dossier.title')} ${safe(payment.orderNumber)}</h1>
<p class="quiet">${t('dossier.created', { time: safe(times.format(dossier.createdAt)), agent: safe(dossier.createdBy) })}</p>
<p class="state">${t(stateKey(payment.state))}</p>
<dl>
${fact(t('verdict.since'), when(payment.since))}
${fact(t('dossier.merchant'), `${safe(merchant.name)}${merchant.kind === null ? '' : ` (${t(`kind.${merchant.kind}`)})`}`)}
${fact(t('column.amount'), payment.amount === null ? null : `${safe(payment.amount)} ${safe(payment.currency ?? '')}`)}
${fact(t('column.description'), payment.description && safe(payment.description))}
${fact(t('column.customer'), safe(person))}
${fact(t('flag-value.payment-ids'), safe(payment.paymentIds.join(', ')))}
${fact(t('column.agent'), payment.agent && safe(payment.agent))}
</dl>
${
  payment.flags.length === 0
    ? ''
    : `<h2>${t('flags.name')}</h2><ul>${payment.flags
        .map(
          flag =>
            `<li>${t(`flag.${flag.kind}`)}${flagValues(flag)
              .map(({ label, value }) => ` · ${format(label)}: ${safe(format(value))}`)
              .join('')}</li>`,
        )
        .join('')}</ul>`
}
${
  payment.attempts.length === 0
    ? ''
    : `<h2>${t('attempts.name')}</h2><table>${payment.attempts
        .map(
          one =>
            `<tr><td>${safe(one.paymentId)}</td><td>${t(`outcome.${one.outcome}`)}</td><td>${safe(one.reason ?? '')}</td><td>${when(one.firstAt)}</td></tr>`,
        )
        .join('')}</table>`
}
<h2>${t('timeline.name')}</h2>
<ol>
${shown.map(event => `<li><strong>${t(`dossier.event.${event.kind}`)}</strong> · ${when(event.happenedAt)} · ${safe(event.agent)}${content(event, t)}</li>`).join('\n')}
</ol>
<h2>${t('dossier.proof')}</h2>
${proven > 0 ? `<p>${t('dossier.proof.covered', { count: proven, key: keys })}</p>` : ''}
${proven < events.length ? `<p>${t('dossier.proof.not-covered', { count: events.length - proven })}</p>` : ''}
<p>${t('dossier.proof.how')}</p>
<script type="application/json" id="dossier">${json}</script>
</body>
</html>
`;
};
