import { rowOf } from '../../shared/payments/payment-row.ts';
import { headOf } from '../../shared/reports/head.ts';
import { claimOf } from '../../shared/callbacks/callback-meaning.ts';
import { statusOutcome } from '../../shared/callbacks/outcome-labels.ts';
import { formatMoney } from '../../shared/money/format-amount.ts';
import type { CallbackFields, Event } from '../../shared/payments/evidence.ts';
import type { Dossier } from './dossier.ts';
import { isUtc } from './columns.ts';
import { fact, type DossierText } from './dossier-text.ts';
import { letterhead } from './papers/printed-page.ts';
import { safe } from './papers/safe-text.ts';

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
      `<tr><td class="when">${local(at)}</td><td>${t(`export.movement.${kind}`)}, ${
        recordedBy === null
          ? t(`movement.fate.${fate}`)
          : t('movement.recorded-by', { name: safe(recordedBy) })
      }</td><td class="number">${
        amount === null
          ? t('export.unknown')
          : safe(`${kind === 'paid' ? '' : '−'}${formatMoney(amount, currency ?? '', locale)}`)
      }</td></tr>`,
  );
  return `<h2>${t('dossier.money')}</h2><table class="story">${rows.join('')}</table>`;
};

/** Only their names: the values are in the annex. */
const flags = ({ payment }: Dossier, { t }: DossierText): string =>
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
${flags(dossier, text)}`;
};
