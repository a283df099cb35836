import { claimOf, type CallbackClaim } from '../callbacks/callback-meaning.ts';
import type { Movement } from '../payments/movement.ts';
import type { Operation } from '../operations/operation.ts';
import type { Attempt, Payment, PaymentState } from '../payments/payment.ts';
import { bestTermsMatch, type TermsMatch, type Terms } from './reduce-amounts.ts';
import { valueOf, type Receipt } from './reduce-callbacks.ts';
import { createFlagCollector, type FlagCollector } from './flag-collector.ts';
import { lookUpClaim, isMoneyMoved, type Claim, type Observation } from './reduce-look-ups.ts';
import { movementsOf } from './reduce-movements.ts';
import {
  matchOperations,
  settleByLookUps,
  settleRefundsByLookUps,
  type OperationRecord,
} from './reduce-operations.ts';
import { refundState } from './reduce-refunds.ts';
import { isBeyond, isInFlight } from './steps.ts';

/** What is known of one payment id: trusted callbacks and look-ups, both oldest first, and what was requested here. */
type AttemptEvidence = {
  paymentId: string;
  receipts: readonly Receipt[];
  observations: readonly Observation[];
  records: readonly Terms[];
  operationRecords: readonly OperationRecord[];
};

/** The combined evidence of one payment id. */
export type AttemptHistory = {
  paymentId: string;
  state: PaymentState;
  since: number;
  basis: NonNullable<Payment['basis']>;
  reason: string | null;
  /** The payment that began its series; null if it belongs to none. */
  seriesId: string | null;
  /** The first evidence that money moved: from then on the link is used (§3.3). */
  paidAt: number | null;
  attempt: Attempt;
  /** Whether money came in, by sources that agree, even if it went back since. */
  isReceived: boolean;
  movements: Movement[];
  operations: Operation[];
};

/** States in which a look-up says that the money went back; a chargeback is handled before. */
const returnedByLookUp: readonly PaymentState[] = ['refunded', 'reversed', 'voided'];

/** Claims that leave the outcome open; a refund or void attempt proves an earlier payment. */
const openClaims: ReadonlyMap<CallbackClaim, { wasPaid: boolean; isDocumented: boolean }> = new Map([
  ['refund-failed', { wasPaid: true, isDocumented: true }],
  ['refund-waiting', { wasPaid: true, isDocumented: true }],
  ['void-failed', { wasPaid: true, isDocumented: true }],
  ['void-waiting', { wasPaid: true, isDocumented: true }],
  ['scheduled-ran', { wasPaid: false, isDocumented: true }],
  ['uncertain', { wasPaid: false, isDocumented: false }],
]);

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

/** Claims and statuses that money was taken, not only held: a void or reversal of it is a counter-entry. */
const tookMoney: readonly CallbackClaim[] = ['paid', 'refund-seen', 'chargeback'];
const tookMoneyByLookUp: readonly string[] = ['settled', 'refund', 'chargeback'];

/** Types of callbacks about what happened after the payment. */
const afterPayment: ReadonlySet<string> = new Set(['refund', 'void', 'chargeback', 'reversal']);

/** The step of a callback that reports progress. Any other type and status has a claim that counts before. */
const stepOf = ({ type, status }: Receipt): PaymentState => {
  const step = claimOf(type, status);
  // `link-issued` only reports that a redirect_url was returned (§6.1): the page may not have been opened yet.
  return step === 'bank-check' || step === 'processing' ? step : 'started';
};

/**
 * The combined claim of the trusted callbacks of one payment id, by §3.2; null if there are none. `captured`: wire form,
 * null without a capture.
 */
const callbackClaim = (
  receipts: readonly Receipt[],
  refundedHere: ReadonlyMap<string, string>,
  captured: string | null,
  matchTo: (terms: Terms) => TermsMatch,
  notes: FlagCollector,
): Claim | null => {
  const [first] = receipts;
  if (!first) return null;
  const claim = (state: PaymentState, receipt: Receipt): Claim => {
    const { amount, currency, description, ours } = matchTo(receipt.terms);
    return {
      state,
      ours,
      at: receipt.at,
      lastAt: receipt.at,
      event: receipt.event,
      reason: valueOf(receipt.fields, 'reason'),
      isFullMatch: amount && currency && description,
    };
  };
  const all = (wanted: CallbackClaim): Receipt[] =>
    receipts.filter(({ type, status }) => claimOf(type, status) === wanted);
  for (const state of ['chargeback', 'reversed', 'voided'] as const) {
    const [found] = all(state);
    if (found) return claim(state, found);
  }
  const sales = all('paid');
  const [sale] = sales;
  const refunds = all('refund-seen');
  const refund = refunds.at(-1);
  if (refund)
    return claim(
      refundState(refunds, refundedHere, captured ?? matchTo(sale?.terms ?? refund.terms).ours.amount),
      refund,
    );
  const [failed] = all('not-paid');
  if (sale) {
    const closestSale = sales.find(receipt => {
      const { amount, currency } = matchTo(receipt.terms);
      return amount && currency;
    });
    if (!closestSale) return claim('needs-attention', sale);
    if (!failed) return claim('paid-unconfirmed', closestSale);
    notes.add(
      'sources-disagree',
      { field: 'callback', ours: `${failed.type} + fail`, theirs: 'sale + success' },
      [failed.event, closestSale.event],
    );
    return claim('needs-attention', closestSale);
  }
  const open = receipts.flatMap(receipt => {
    const of = openClaims.get(claimOf(receipt.type, receipt.status));
    return of ? [{ ...of, receipt }] : [];
  });
  const [documented] = open.filter(({ isDocumented }) => isDocumented);
  if (documented)
    return { ...claim('outcome-unknown', documented.receipt), wasPaid: open.some(one => one.wasPaid) };
  if (failed) return claim('declined', failed);
  let furthest: Receipt | null = null;
  for (const receipt of receipts) {
    if (claimOf(receipt.type, receipt.status) === 'uncertain') continue;
    if (furthest === null || isBeyond(stepOf(receipt), stepOf(furthest))) furthest = receipt;
  }
  // One word outside the interface must not hide progress that the interface describes.
  const [uncertain] = open;
  if (uncertain && (furthest === null || stepOf(furthest) === 'started'))
    return claim('outcome-unknown', uncertain.receipt);
  return claim(stepOf(furthest ?? first), furthest ?? first);
};

/** `claim`: the one that it rests on. */
type Verdict = { state: PaymentState; since: number; claim: Claim };

/** Combines the two sources. If they contradict each other about paid or not paid, neither counts. */
const combine = (callback: Claim, lookUp: Claim, notes: FlagCollector): Verdict => {
  const byCallback = (): Verdict => ({ state: callback.state, since: callback.at, claim: callback });
  const byLookUp = (): Verdict => ({ state: lookUp.state, since: lookUp.at, claim: lookUp });
  const latest = Math.max(callback.at, lookUp.at);
  const flagContradiction = (): void => {
    notes.add('sources-disagree', { field: 'state', ours: callback.state, theirs: lookUp.state }, [
      callback.event,
      lookUp.event,
    ]);
  };
  const contradiction = (): Verdict => {
    flagContradiction();
    return { state: 'needs-attention', since: latest, claim: lookUp };
  };
  const isConfirmed = lookUp.state === 'paid-unconfirmed' && callback.isFullMatch && lookUp.isFullMatch;
  const confirmed: Verdict = { state: 'paid-confirmed', since: latest, claim: callback };
  const later = lookUp.lastAt >= callback.at;
  if (callback.state === 'chargeback') return byCallback();
  if (lookUp.state === 'chargeback') return byLookUp();
  if (lookUp.state === 'needs-attention') return byLookUp();
  if (callback.state === 'needs-attention') return isConfirmed ? confirmed : byCallback();
  if (callback.state === 'outcome-unknown') {
    if (lookUp.state === 'declined' && callback.wasPaid) return contradiction();
    // A status answer from before a refund or void may say "pending": the payment was paid since then.
    const isOutdated = callback.wasPaid && lookUp.state === 'processing' && !later;
    const isEarlier = isInFlight(lookUp.state) && lookUp.state !== 'processing';
    return isEarlier || isOutdated ? byCallback() : byLookUp();
  }
  if (isInFlight(callback.state)) {
    // An issued redirect address is weaker than a look-up: if both mean "started", the look-up counts.
    const isWeaker = callback.state === 'started' || isBeyond(lookUp.state, callback.state);
    return isInFlight(lookUp.state) && !isWeaker ? byCallback() : byLookUp();
  }
  switch (callback.state) {
    case 'paid-unconfirmed':
      if (isConfirmed) return confirmed;
      if (lookUp.state === 'declined') return contradiction();
      // A status answer from before the callback may say "pending"; one from after it should not.
      if (isInFlight(lookUp.state) && later) flagContradiction();
      return returnedByLookUp.includes(lookUp.state) ? byLookUp() : byCallback();
    case 'declined':
      if (lookUp.state === 'paid-unconfirmed' || lookUp.state === 'refunded') return contradiction();
      return lookUp.state === 'reversed' || lookUp.state === 'voided' ? byLookUp() : byCallback();
    case 'refunded':
    case 'part-refunded':
    case 'refund-seen':
      // After a partial refund the gateway still reports settled; after a full one it reports refund (field notes).
      if (lookUp.state === 'paid-unconfirmed' && later) {
        return { state: 'part-refunded', since: callback.at, claim: callback };
      }
      if (lookUp.state === 'declined') return contradiction();
      if (isInFlight(lookUp.state) && later) flagContradiction();
      // Every word for money that went back means the whole, which settles a refund of unknown size.
      return returnedByLookUp.includes(lookUp.state) && callback.state !== 'refunded'
        ? { state: 'refunded', since: callback.at, claim: lookUp }
        : byCallback();
    default:
      // Voided or reversed.
      if (later && (lookUp.state === 'declined' || isInFlight(lookUp.state))) flagContradiction();
      return lookUp.state === 'paid-unconfirmed' && later ? contradiction() : byCallback();
  }
};

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

/** The first payment of the series that the receipts name, in either spelling (§2.6); null if they name none. */
const seriesOf = (receipts: readonly Receipt[]): string | null =>
  merged(receipts, 'recurring_init_trans_id') ?? merged(receipts, 'recurring_inti_trans_id');

/** The last value of a parameter in the receipts. */
const merged = (receipts: readonly Receipt[], name: string): string | null =>
  receipts.findLast(receipt => valueOf(receipt.fields, name) !== null)?.fields.get(name) ?? null;

/**
 * The paid amount in wire form: as captured here, otherwise as a sale reported it, otherwise a status answer, otherwise
 * as `requested`.
 */
const paidAmountOf = (
  captured: string | null,
  sales: readonly Receipt[],
  observations: readonly Observation[],
  matchTo: (terms: Terms) => TermsMatch,
  requested: string | null,
): string | null => {
  const sale = sales.find(({ terms }) => matchTo(terms).amount) ?? sales[0];
  const settled = observations.find(
    ({ answer, terms }) => answer.status === 'settled' && terms.amount !== null,
  );
  return captured ?? sale?.terms.amount ?? settled?.terms.amount ?? requested;
};

/** The history of one payment id, whose money is in the books only if its sources agree. See `historyOf`. */
const readHistory = (
  { paymentId, receipts, observations, records, operationRecords }: AttemptEvidence,
  notes: FlagCollector,
): AttemptHistory => {
  const matchTo = (terms: Terms): TermsMatch => bestTermsMatch(terms, records);
  const { operations, amounts: refundedHere } = matchOperations(operationRecords, receipts);
  settleByLookUps(operations, observations);
  const captured = operations.findLast(one => one.kind === 'capture' && one.state === 'done')?.amount ?? null;
  const callback = callbackClaim(receipts, refundedHere, captured, matchTo, notes);
  const lookUp = lookUpClaim(observations, matchTo, notes);
  const one = callback ?? lookUp;
  if (!one) throw new RangeError('An attempt needs at least one callback or look-up.');
  const { state, since, claim }: Verdict =
    callback && lookUp ? combine(callback, lookUp, notes) : { state: one.state, since: one.at, claim: one };
  const isByCallback = claim === callback;
  const wasPaid = callback
    ? callback.state === 'paid-unconfirmed'
    : observations.some(({ answer }) => answer.status === 'settled');
  const sales = receipts.filter(({ type, status }) => claimOf(type, status) === 'paid');
  const wasTaken =
    receipts.some(({ type, status }) => tookMoney.includes(claimOf(type, status))) ||
    observations.some(({ answer }) => tookMoneyByLookUp.includes(answer.status));
  if (wasPaid && returnedByLookUp.includes(state)) {
    notes.add('returned-without-callback', {}, [claim.event]);
  }
  const paid = [
    ...receipts.filter(({ type, status }) => moneyMoved.includes(claimOf(type, status))),
    ...observations.filter(isMoneyMoved),
  ].map(({ at }) => at);
  const times = [...receipts, ...observations].map(({ at }) => at);
  const seriesId = seriesOf(receipts);
  const paidAt = paid.length > 0 ? Math.min(...paid) : null;
  /** When the first of these claims or statuses was seen; null if none was. */
  const firstAt = (claims: readonly CallbackClaim[], statuses: readonly string[]): number | null => {
    const seen = [
      ...receipts.filter(({ type, status }) => claims.includes(claimOf(type, status))),
      ...observations.filter(({ answer }) => statuses.includes(answer.status)),
    ].map(({ at }) => at);
    return seen.length > 0 ? Math.min(...seen) : null;
  };
  // A refund has its own references, which must not replace those of the payment in the books.
  const ofPayment = receipts.filter(({ type }) => !afterPayment.has(type));
  const attempt: Attempt = {
    paymentId,
    firstAt: Math.min(...times),
    lastAt: Math.max(...times),
    outcome: outcomes[state] ?? 'in-progress',
    instalment: seriesId !== null && seriesId !== paymentId,
    reason: claim.reason,
    cardLast4: lastDigits(merged(receipts, 'card')),
    rrn: merged(ofPayment, 'rrn'),
    approvalCode: merged(ofPayment, 'approval_code'),
  };
  const paidAmount = paidAmountOf(captured, sales, observations, matchTo, claim.ours.amount);
  settleRefundsByLookUps(operations, observations, paidAmount, notes);
  const movements = movementsOf({
    attempt,
    state,
    since,
    paidAt,
    wasTaken,
    paid: paidAmount,
    ours: refundedHere,
    returnedAt: firstAt([], ['refund']),
    cancelledAt: firstAt(['voided', 'reversed'], ['void', 'reversal']),
    disputedAt: firstAt(['chargeback'], ['chargeback']),
    disputed: receipts.find(({ type, status }) => claimOf(type, status) === 'chargeback') ?? null,
    refunds: receipts.filter(({ type, status }) => claimOf(type, status) === 'refund-seen'),
  });
  return {
    paymentId,
    seriesId,
    state,
    since,
    basis: {
      event: claim.event,
      kind: isByCallback ? 'callback' : 'look-up',
      at: claim.lastAt,
      verified: isByCallback,
    },
    reason: claim.reason,
    paidAt,
    attempt,
    isReceived: movements.length > 0,
    movements,
    operations,
  };
};

/** When the sources reported something else than directly before, latest first: what they repeat changes nothing. */
const changesOf = ({ receipts, observations }: AttemptEvidence): number[] =>
  [
    ...receipts.map(({ at, type, status, terms: { amount, currency } }) => ({
      at,
      says: [type, status, amount, currency].join(' '),
    })),
    ...observations.map(({ at, answer: { status } }) => ({ at, says: status })),
  ]
    .sort((one, other) => one.at - other.at)
    .flatMap(({ at, says }, index, all) => (says === all[index - 1]?.says ? [] : [at]))
    .toReversed();

/**
 * The history of one payment id. Sources that contradict each other later leave the books as they were: an entry
 * changes only by a counter-entry. Throws a RangeError without any callback and look-up.
 */
export const historyOf = (evidence: AttemptEvidence, notes: FlagCollector): AttemptHistory => {
  const history = readHistory(evidence, notes);
  const { paidAt } = history;
  if (history.isReceived || paidAt === null) return history;
  const { receipts, observations } = evidence;
  for (const until of changesOf(evidence).filter(at => at > paidAt)) {
    const isEarlier = ({ at }: { at: number }): boolean => at < until;
    const { isReceived, movements } = readHistory(
      {
        ...evidence,
        receipts: receipts.filter(isEarlier),
        observations: observations.filter(isEarlier),
      },
      createFlagCollector(),
    );
    if (isReceived) return { ...history, movements };
  }
  return history;
};
