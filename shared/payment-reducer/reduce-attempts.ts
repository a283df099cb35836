import { claimOf, type CallbackClaim } from '../callbacks/callback-meaning.ts';
import { exactText } from '../money/wire-amount.ts';
import type { Operation } from '../operations/operation.ts';
import type { Entry, Movement } from '../payments/movement.ts';
import type { Attempt, Payment, PaymentState } from '../payments/payment.ts';
import type { FlagCollector } from './evidence/flag-collector.ts';
import { ledgerOf } from './ledger/ledger.ts';
import type { AttemptEvidence } from './ledger/evidence-by-payment.ts';
import type { Ledger } from './ledger/ledger-state.ts';
import { isBooked, isReturn, movementOf, stands, type Draft } from './ledger/movement-book.ts';
import { callbackClaim, progressOf } from './progress.ts';
import { bestTermsMatch, type Terms } from './evidence/terms.ts';
import { valueOf, type Receipt } from './evidence/callbacks.ts';
import { isMoneyMoved, lookUpClaim } from './evidence/look-ups.ts';

/** The combined evidence of one payment id. */
export type AttemptHistory = {
  paymentId: string;
  state: PaymentState;
  since: number;
  basis: NonNullable<Payment['basis']>;
  reason: string | null;
  /** The payment that began its series; null if it belongs to none. */
  seriesId: string | null;
  /** The first evidence that money moved or was held: from then on the link is used (§3.3). */
  usedAt: number | null;
  /** What came in, if it is in the books. */
  paid: (Pick<Movement, 'amount' | 'currency' | 'fate'> & { at: number; asked: Terms }) | null;
  attempt: Attempt;
  movements: Movement[];
  entries: Entry[];
  operations: Operation[];
};

/** Claims that money moved or was held: from then on the link is used (§3.3). */
const moneyMoved: readonly CallbackClaim[] = [
  'paid',
  'refund-seen',
  'refund-failed',
  'refund-waiting',
  'voided',
  'void-failed',
  'void-waiting',
  'reversed',
  'chargeback',
];

/** Types of callbacks about what happened after the payment. */
const afterPayment: ReadonlySet<string> = new Set(['refund', 'void', 'chargeback', 'reversal']);

const outcomes: Partial<Record<PaymentState, Attempt['outcome']>> = {
  'paid-unconfirmed': 'paid',
  'paid-confirmed': 'paid',
  declined: 'declined',
  'refund-seen': 'refund-seen',
  'part-refunded': 'part-refunded',
  refunded: 'refunded',
  voided: 'voided',
  reversed: 'reversed',
  chargeback: 'chargeback',
  'outcome-unknown': 'unknown',
  'needs-attention': 'unknown',
};

const lastDigits = (card: string | null): string | null => card?.match(/\d{4}$/)?.[0] ?? null;

/** The last value of a parameter in the receipts. */
const merged = (receipts: readonly Receipt[], name: string): string | null =>
  receipts.findLast(receipt => valueOf(receipt.fields, name) !== null)?.fields.get(name) ?? null;

/** The first payment of the series that the receipts name, in either spelling (§2.6); null if they name none. */
const seriesOf = (receipts: readonly Receipt[]): string | null =>
  merged(receipts, 'recurring_init_trans_id') ?? merged(receipts, 'recurring_inti_trans_id');

const returnState = ({ kind, keys }: Draft): PaymentState =>
  kind === 'refund' ? 'refunded' : keys.has('reversal') ? 'reversed' : 'voided';

/** The state by the money of a payment id, and the movement that it rests on; null if there is none. */
const moneyState = (
  { book, isAllReturned, isRestConfirmed, saleBy, settledBy }: Ledger,
  isAsAsked: boolean,
  isCollected: boolean,
): { state: PaymentState; of: Draft; since: number } | null => {
  const paid = book.paid();
  const standing = book.movements.filter(one => isReturn(one) && stands(one));
  const last = standing.findLast(isBooked);
  const sinceOf = (one: Draft): number => one.booked?.at ?? one.since;
  if (!paid) {
    const [cancelled] = standing;
    return cancelled ? { state: returnState(cancelled), of: cancelled, since: cancelled.at } : null;
  }
  const disputed = standing.find(({ kind }) => kind === 'chargeback');
  if (disputed) return { state: 'chargeback', of: disputed, since: sinceOf(disputed) };
  if (paid.fate === 'contradicted') return { state: 'needs-attention', of: paid, since: paid.since };
  if (last) {
    const left = book.left();
    const since = sinceOf(last);
    if (isAllReturned || (left !== null && left <= 0n)) return { state: returnState(last), of: last, since };
    const isPart = left !== null || isRestConfirmed;
    return { state: isPart ? 'part-refunded' : 'refund-seen', of: last, since };
  }
  // Something else than a return has to say that it was paid.
  if (!saleBy && !settledBy && !isCollected)
    return { state: 'outcome-unknown', of: paid, since: sinceOf(paid) };
  if (!isAsAsked) return { state: 'needs-attention', of: paid, since: sinceOf(paid) };
  return paid.fate === 'proven'
    ? { state: 'paid-confirmed', of: paid, since: paid.since }
    : { state: 'paid-unconfirmed', of: paid, since: sinceOf(paid) };
};

/** More went back than came in: a refund and a chargeback, for example, which the merchant has to contest. */
const flagOverReturn = ({ book }: Ledger, notes: FlagCollector): void => {
  const paid = book.paid();
  const { sum, isUnknown } = book.returned();
  if (paid === null || paid.exact === null) return;
  if (sum < paid.exact || (sum === paid.exact && !isUnknown)) return;
  notes.add(
    'returned-twice',
    { ours: paid.amount ?? '', theirs: exactText(sum) },
    book.movements.filter(one => isReturn(one) && isBooked(one)).flatMap(({ events }) => events),
  );
};

/** The history of one payment id. Throws a RangeError without any callback and look-up. */
export const historyOf = (evidence: AttemptEvidence, notes: FlagCollector): AttemptHistory => {
  const { paymentId, receipts, observations, items } = evidence;
  const ledger = ledgerOf(paymentId, items, notes);
  const { book, retriedAt } = ledger;
  const paid = book.paid();
  const asked = paid && askedFor(paid, evidence);
  const isCollected =
    ledger.isCollected || book.movements.some(one => one.kind === 'capture' && one.fate !== 'failed');
  const money = moneyState(ledger, asked === null || isCollected || isSameMoney(paid, asked), isCollected);
  flagOverReturn(ledger, notes);

  /** A retry begins a new try: the reports of the earlier one are over once the new one has any. */
  const since = (one: { at: number }): boolean => retriedAt === null || one.at >= retriedAt;
  const isRetried = receipts.some(since) || observations.some(since);
  const ofTry = <T extends { at: number }>(all: readonly T[]): readonly T[] =>
    isRetried ? all.filter(since) : all;
  const lookUp = lookUpClaim(ofTry(observations), notes);
  const progress = money ? null : progressOf(callbackClaim(ofTry(receipts)), lookUp, notes);
  const byMoney = money && basisOf(money.of, evidence);
  const basis =
    byMoney ??
    (progress && {
      event: progress.claim.event,
      kind: progress.isByCallback ? ('callback' as const) : ('look-up' as const),
      at: progress.claim.lastAt,
      verified: progress.isByCallback,
    });
  const state = money?.state ?? (ledger.isHeld ? 'processing' : progress?.state);
  if (!basis || state === undefined)
    throw new RangeError('An attempt needs at least one callback or look-up.');

  if (paid && money && isReturn(money.of) && money.of.kind !== 'chargeback') {
    const isSilent = receipts.length > 0 && !receipts.some(({ type }) => afterPayment.has(type));
    if (isSilent && basis.kind === 'look-up' && money.of.origin === 'elsewhere')
      notes.add('returned-without-callback', {}, [basis.event]);
  }
  flagDoubts(ledger, evidence, notes);
  const used = [
    ...receipts.filter(({ type, status }) => moneyMoved.includes(claimOf(type, status))),
    ...observations.filter(isMoneyMoved),
  ].map(({ at }) => at);
  const times = [...receipts, ...observations].map(({ at }) => at);
  const seriesId = seriesOf(receipts);
  // A refund has its own references, which must not replace those of the payment in the books.
  const ofPayment = receipts.filter(({ type }) => !afterPayment.has(type));
  const reason =
    money === null
      ? (progress?.claim.reason ?? null)
      : state === 'needs-attention'
        ? (observations.at(-1)?.answer.reason ?? merged(receipts, 'reason'))
        : money.of.reason;
  const isPaidOtherwise = state === 'needs-attention' && paid !== null && paid.fate !== 'contradicted';
  return {
    paymentId,
    seriesId,
    state,
    since: money?.since ?? progress?.since ?? basis.at,
    basis,
    reason,
    usedAt: used.length > 0 ? Math.min(...used) : null,
    paid: paid && {
      amount: paid.amount,
      currency: paid.currency,
      fate: paid.fate,
      at: paid.booked?.at ?? paid.at,
      asked: asked ?? { amount: paid.amount, currency: paid.currency, description: null },
    },
    attempt: {
      paymentId,
      firstAt: Math.min(...times),
      lastAt: Math.max(...times),
      outcome: ledger.isHeld ? 'held' : isPaidOtherwise ? 'paid' : (outcomes[state] ?? 'in-progress'),
      nothingLeft: ledger.isAllReturned,
      instalment: seriesId !== null && seriesId !== paymentId,
      reason,
      cardLast4: lastDigits(merged(receipts, 'card')),
      rrn: merged(ofPayment, 'rrn'),
      approvalCode: merged(ofPayment, 'approval_code'),
    },
    movements: book.movements.flatMap(one =>
      one.request?.state === 'not-sent' ? [] : (movementOf(one) ?? []),
    ),
    entries: book.entries,
    operations: ledger.operations(),
  };
};

/** What had been asked for when the paid movement began, closest to what came; null if nothing had. */
const askedFor = (paid: Draft, { receipts, observations }: AttemptEvidence): Terms | null => {
  const [begun] = paid.events;
  const by = [...receipts, ...observations].find(({ event }) => event === begun);
  if (!by || by.asked.terms.length === 0) return null;
  return bestTermsMatch({ ...by.terms, amount: paid.amount, currency: paid.currency }, by.asked.terms).ours;
};

const isSameMoney = (paid: Draft | null, asked: Terms | null): boolean => {
  if (paid === null || asked === null) return true;
  const { amount, currency } = bestTermsMatch(
    { amount: paid.amount, currency: paid.currency, description: null },
    [asked],
  );
  return amount && currency;
};

/** On what the state by a movement rests: a callback if there is one, otherwise what decided it last. */
const basisOf = (of: Draft, { receipts, observations }: AttemptEvidence): Payment['basis'] => {
  const ids = new Set(of.events);
  const receipt = receipts.find(({ event }) => ids.has(event));
  if (receipt && of.recordedBy === null)
    return { event: receipt.event, kind: 'callback', at: receipt.at, verified: true };
  const observation = observations.findLast(({ event }) => ids.has(event));
  if (observation && of.recordedBy === null) {
    // It is as new as the last answer that says the same.
    const last = observations.at(-1) ?? observation;
    const latest = last.answer.status === observation.answer.status ? last : observation;
    return { event: latest.event, kind: 'look-up', at: latest.at, verified: false };
  }
  const event = of.events.at(-1) ?? of.id;
  return { event, kind: of.recordedBy === null ? 'request' : 'record', at: of.since, verified: false };
};

/** Flags a status of a payment in flight that a look-up gives after money was reported. */
const flagDoubts = (
  { book, settledBy }: Ledger,
  { observations }: AttemptEvidence,
  notes: FlagCollector,
): void => {
  const last = observations.at(-1);
  const paid = book.paid();
  if (!last || paid?.fate !== 'reported' || settledBy || last.at < paid.at) return;
  const { status } = last.answer;
  if (status === 'pending' || status === '3ds' || status === 'redirect' || status === 'prepare')
    notes.add('sources-disagree', { field: 'state', ours: 'paid-unconfirmed', theirs: status }, [
      ...paid.events.slice(0, 1),
      last.event,
    ]);
};
