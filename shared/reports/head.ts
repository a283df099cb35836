import { sumOfAmounts } from '../money/wire-amount.ts';
import { msg, type Message, type MessageKey } from '../messages/message.ts';
import { stateAt } from '../payment-reducer/state-at.ts';
import { isPaidOtherwise, isUnchecked } from '../payments/expired.ts';
import { isLinkLive } from '../payments/link.ts';
import { paymentStates, type FlagKind, type PaymentState } from '../payments/payment-kinds.ts';
import type { Entry } from '../payments/movement.ts';
import type { PaymentRow } from '../payments/payment.ts';
import { shownMoney } from '../payments/shown-money.ts';

/** The six families of heads; the design tokens define their colours. */
export type Tone = 'wait' | 'good' | 'bad' | 'back' | 'warn' | 'end';

/**
 * What a payment shows first: its state, or what is wrong with it, which comes before its state. Each has a name, a
 * colour and a shape.
 */
export const headKinds = [
  ...paymentStates,
  /** Its link was withdrawn here, and can be paid until it expires. */
  'withdrawn',
  /** It expired, and the provider was not asked since. */
  'expired-unchecked',
  /** Another amount was paid than asked for. */
  'other-amount',
  /** Paid, by the provider's answer alone. */
  'paid-checked',
  'paid-twice',
  'returned-twice',
  /** It was paid, and its reports differ in something that no signature covers. */
  'details-differ',
  'paid-withdrawn',
  'refund-unclear',
  /** Money after the payment: on its way, without a result for an hour, or nothing is known of it. */
  'money-open',
  'money-overdue',
  'money-unknown',
  'resolved',
] as const;
export type HeadKind = (typeof headKinds)[number];

const tones: Readonly<Record<HeadKind, Tone>> = {
  draft: 'end',
  refused: 'bad',
  'outcome-unknown': 'warn',
  waiting: 'wait',
  expired: 'end',
  'expired-unchecked': 'end',
  withdrawn: 'end',
  started: 'wait',
  'bank-check': 'wait',
  processing: 'wait',
  'paid-unconfirmed': 'wait',
  'paid-confirmed': 'good',
  'paid-checked': 'good',
  'other-amount': 'warn',
  'paid-twice': 'warn',
  'returned-twice': 'warn',
  'details-differ': 'warn',
  'paid-withdrawn': 'warn',
  'refund-unclear': 'warn',
  'money-open': 'back',
  'money-overdue': 'warn',
  'money-unknown': 'warn',
  declined: 'bad',
  'refund-seen': 'back',
  'part-refunded': 'back',
  refunded: 'back',
  voided: 'back',
  reversed: 'back',
  chargeback: 'warn',
  'needs-attention': 'warn',
  resolved: 'end',
};
export const toneOf = (kind: HeadKind): Tone => tones[kind];

/** What to do about a payment first. `paymentId`: the payment of the order that the refund is about. */
export type HeadAction =
  | { kind: 'look-up' | 'record' | 'new-link' | 'hand-over' }
  | { kind: 'refund'; paymentId: string };

type Money = Pick<PaymentRow, 'amount' | 'currency'>;

export type Head = {
  kind: HeadKind;
  tone: Tone;
  label: Message;
  /** The large amount: what was asked for or came in, of two payments together. */
  money: Money;
  /** The amount that the label is about, `23.40` of `123.40`; null: it is about the whole, or has none. */
  part: Money | null;
  /** What to say on the phone. Null: the script of the state, which may be the merchant's own. */
  say: MessageKey | null;
  /** The amount that the script names. */
  sayMoney: Money;
  /** The instant that the script names, milliseconds. */
  sayAt: number;
  /** Since when it is so, milliseconds. */
  since: number;
  doNot: MessageKey;
  action: HeadAction | null;
};

/** The fields of a payment that its head depends on. */
export type HeadFacts = Pick<
  PaymentRow,
  | 'state'
  | 'since'
  | 'amount'
  | 'currency'
  | 'paidAmount'
  | 'paidCurrency'
  | 'paidAt'
  | 'checkedAt'
  | 'basis'
  | 'linkUsable'
  | 'expiresAt'
  | 'series'
  | 'flags'
  | 'entries'
  | 'review'
  | 'concern'
>;

/** After this time money in progress without a result is a matter for a person, milliseconds. */
export const operationGraceMs = 3_600_000;

const paidStates: readonly PaymentState[] = ['paid-confirmed', 'paid-unconfirmed'];
/** States that say something graver than what is on its way. */
const beforeConcern: readonly PaymentState[] = ['chargeback', 'needs-attention'];

type Issue = Partial<Omit<Head, 'tone'>> & Pick<Head, 'kind' | 'label'>;

/** The payments of an order that was paid twice of which something is left, oldest first. */
const paymentsOf = ({ entries, flags }: HeadFacts): readonly Entry[] => {
  const ids = flags.find(({ kind }) => kind === 'settled-twice')?.values['paymentIds']?.split(' ') ?? [];
  const latest = new Map<string, Entry>();
  for (const entry of entries)
    if (entry.kind === 'paid' && !entry.isCounter && ids.includes(entry.paymentId))
      latest.set(entry.paymentId, entry);
  return [...latest.values()];
};

/** All that came in for an order that was paid twice, without what went back as a whole. */
const sumOfPayments = (payment: HeadFacts): Money => ({
  amount: sumOfAmounts(paymentsOf(payment).map(({ amount }) => amount)),
  currency: payment.paidCurrency ?? payment.currency,
});

/** The payment itself twice: the sum of both, and the second one to refund, unless one may be back as a whole. */
const paidTwice = (payment: HeadFacts): Issue => {
  const { paidCurrency, currency, entries } = payment;
  const payments = paymentsOf(payment);
  const second = payments.at(-1);
  const unknown = entries
    .filter(({ kind, amount }) => kind !== 'paid' && amount === null)
    .filter(one => payments.some(({ paymentId }) => paymentId === one.paymentId))
    .reduce((count, { isCounter }) => count + (isCounter ? -1 : 1), 0);
  return {
    kind: 'paid-twice',
    label: msg('state.paid-twice'),
    money: sumOfPayments(payment),
    ...(second ? { since: second.at } : {}),
    sayMoney: { amount: second?.amount ?? null, currency: paidCurrency ?? currency },
    doNot: 'do-not.paid-twice',
    say: 'say.paid-twice',
    action:
      unknown > 0
        ? { kind: 'record' }
        : second
          ? { kind: 'refund', paymentId: second.paymentId }
          : { kind: 'hand-over' },
  };
};

/** Money after the payment that has no result, or that a caller asks about; null if the state says enough. */
const concernOf = ({ concern, state }: HeadFacts, now: number): Issue | null => {
  if (concern === null || beforeConcern.includes(state)) return null;
  const { kind: what, amount, currency, since, isHere } = concern;
  const part = { amount, currency };
  const named = { part, sayMoney: part, sayAt: since, since };
  const label = (key: 'state.money-open' | 'state.money-overdue' | 'state.money-unknown'): Message =>
    msg(key, { what: msg(`operation.${what}`) });
  if (concern.state === 'unknown' || concern.state === 'one-of')
    return {
      ...named,
      kind: 'money-unknown',
      label: label('state.money-unknown'),
      say: concern.state === 'one-of' ? 'script.refund.one-of' : `script.${what}.unknown`,
      doNot: 'script.do-not.unknown',
      action: { kind: 'look-up' },
    };
  if (concern.state === 'accepted' || concern.state === 'waiting') {
    const isOverdue = now - since >= operationGraceMs;
    const kind = isOverdue ? 'money-overdue' : 'money-open';
    const isBanks = what === 'refund' && concern.state === 'waiting';
    return {
      ...named,
      kind,
      label: label(`state.${kind}`),
      say: isHere ? (isBanks ? 'script.refund.bank' : `script.${what}.open`) : 'script.elsewhere',
      doNot: 'script.do-not.open',
      action: isOverdue ? { kind: 'record' } : null,
    };
  }
  return null;
};

/** An issue whose name, colour and script follow from its kind. */
const issue = (
  kind: 'returned-twice' | 'refund-unclear' | 'paid-withdrawn' | 'details-differ',
  doNot: MessageKey,
  action: 'hand-over' | 'record' | 'look-up',
): Issue => ({ kind, label: msg(`state.${kind}`), say: `say.${kind}`, doNot, action: { kind: action } });

/** What is wrong with a payment, the gravest first; null if its state says everything. */
const issueOf = (payment: HeadFacts, now: number): Issue | null => {
  const has = (...kinds: FlagKind[]): boolean => payment.flags.some(({ kind }) => kinds.includes(kind));
  if (payment.state === 'needs-attention') return null;
  if (has('returned-twice')) return issue('returned-twice', 'do-not.returned-twice', 'hand-over');
  if (payment.state === 'chargeback') return null;
  const open = concernOf(payment, now);
  const isTwice = has('settled-twice');
  // Otherwise one of the two is on its way back.
  if (isTwice && open === null) return paidTwice(payment);
  const concern = open && isTwice ? { ...open, money: sumOfPayments(payment) } : open;
  if (concern?.kind === 'money-unknown') return concern;
  if (has('refunds-differ')) return issue('refund-unclear', 'do-not.refund-unclear', 'record');
  if (concern !== null) return concern;
  if (!paidStates.includes(payment.state)) return null;
  if (has('paid-after-withdrawal')) return issue('paid-withdrawn', 'do-not.paid-unconfirmed', 'hand-over');
  if (has('changed-between-deliveries', 'description-differs'))
    return issue('details-differ', 'do-not.paid-unconfirmed', 'look-up');
  return null;
};

/** What a person decided: its sentence, and no colour of a payment. */
const resolvedSay = {
  'confirmed-paid': 'say.resolved.paid',
  'confirmed-not-paid': 'say.resolved.not-paid',
  'settled-otherwise': 'say.resolved.otherwise',
  'passed-on': 'say.resolved.passed-on',
  'not-wanted': 'say.resolved.not-wanted',
  'nothing-to-do': 'say.resolved.done',
  other: 'say.resolved.done',
} as const;

const needsLookUp: readonly PaymentState[] = [
  'outcome-unknown',
  'needs-attention',
  'paid-unconfirmed',
  'refund-seen',
];
const needsLink: readonly PaymentState[] = ['expired', 'refused'];

const isWithdrawn = (state: PaymentState, { linkUsable, expiresAt }: HeadFacts): boolean =>
  state === 'waiting' && !linkUsable && expiresAt !== null;

/** The script of a state where it is not the usual one; null: the usual one, which may be the merchant's own. */
const scriptOf = (payment: HeadFacts, state: PaymentState, now: number): MessageKey | null => {
  const { linkUsable, expiresAt, series } = payment;
  if (isUnchecked(state, payment)) return 'say.expired-unchecked';
  if (isPaidOtherwise(state, payment)) return 'say.other-amount';
  // A charge of a stored card has no link.
  if (series !== null && (state === 'refused' || (state === 'declined' && !linkUsable)))
    return 'say.charge-failed';
  // Another attempt needs an active link.
  if (state === 'declined' && linkUsable && !isLinkLive(payment, now)) return 'say.declined-expired';
  // The provider has prepared the page, and its answer with the link did not arrive here.
  if (state === 'waiting' && expiresAt === null) return 'say.link-lost';
  if (isWithdrawn(state, payment)) return 'say.withdrawn';
  // The merchant's own script for a cancelled payment cannot know that this one had been paid.
  if ((state === 'voided' || state === 'reversed') && payment.paidAt !== null) return `say.${state}-paid`;
  return null;
};

const stateKindOf = (payment: HeadFacts, state: PaymentState) => {
  if (isUnchecked(state, payment)) return 'expired-unchecked';
  if (isPaidOtherwise(state, payment)) return 'other-amount';
  if (isWithdrawn(state, payment)) return 'withdrawn';
  return state === 'paid-confirmed' && payment.basis?.kind === 'look-up' ? 'paid-checked' : state;
};

/** States that say everything, also after a person's decision. */
const calmStates: readonly PaymentState[] = [
  'paid-confirmed',
  'declined',
  'part-refunded',
  'refunded',
  'voided',
  'reversed',
  'chargeback',
];

/** The last refund that was carried out, or operation that was not, where the state does not say it. */
const resultOf = ({ concern }: HeadFacts, state: PaymentState): Partial<Head> => {
  if (concern === null || [...beforeConcern, 'voided', 'reversed'].includes(state)) return {};
  const done =
    concern.state === 'done' && (concern.kind === 'refund' || concern.kind === 'void') ? concern.kind : null;
  // Everything went back, so that an earlier failure no longer matters.
  if (done === null && (concern.state !== 'failed' || state === 'refunded')) return {};
  return {
    say: done === null ? `script.${concern.kind}.failed` : `script.${done}.done`,
    sayMoney: { amount: concern.amount, currency: concern.currency },
    sayAt: concern.since,
    doNot: done === null ? 'script.do-not.failed' : 'script.do-not.done',
  };
};

/**
 * What a payment shows first, everywhere: on its page and its row, in search, messages and papers. `now`: milliseconds;
 * a link expires by the clock. What is wrong comes before the state, and what a person decided about it before both.
 */
export const headOf = (payment: HeadFacts, now: number): Head => {
  const state = stateAt(payment, now);
  const kind = stateKindOf(payment, state);
  const money = shownMoney(payment);
  const usual: Head = {
    kind,
    tone: toneOf(kind),
    label: msg(`state.${kind}`),
    money,
    part: null,
    say: scriptOf(payment, state, now),
    sayMoney: money,
    sayAt: payment.since,
    since: state === payment.state ? payment.since : (payment.expiresAt ?? payment.since),
    doNot: kind === 'other-amount' ? 'do-not.paid-unconfirmed' : `do-not.${state}`,
    action: needsLookUp.includes(state)
      ? { kind: 'look-up' }
      : kind === 'withdrawn' || needsLink.includes(state)
        ? { kind: 'new-link' }
        : null,
    ...resultOf(payment, state),
  };
  const issue = issueOf(payment, now);
  const resolved = payment.review?.resolved ?? null;
  if (resolved !== null && (issue !== null || !calmStates.includes(state)))
    return {
      ...usual,
      kind: 'resolved',
      tone: toneOf('resolved'),
      label: msg('state.resolved'),
      since: resolved.at,
      say: resolvedSay[resolved.reason],
      doNot: 'do-not.resolved',
      action: null,
    };
  return issue === null ? usual : { ...usual, action: null, ...issue, tone: toneOf(issue.kind) };
};
