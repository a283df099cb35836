import { claimOf, type CallbackClaim } from '../callbacks/callback-meaning.ts';
import type { Attempt, Payment, PaymentState } from '../payments/payment.ts';
import { bestTermsMatch, type TermsMatch, type Terms } from './reduce-amounts.ts';
import { valueOf, type Receipt } from './reduce-callbacks.ts';
import type { FlagNotes } from './reduce-flags.ts';
import { lookUpClaim, isMoneyMoved, type Claim, type Observation } from './reduce-look-ups.ts';
import { refundState } from './reduce-refunds.ts';

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
};

/** Progress of a payment in flight; a late report of an earlier step changes nothing. */
const steps: readonly PaymentState[] = ['started', 'bank-check', 'processing'];
const inFlight = (state: PaymentState): boolean => steps.includes(state);

const claim = (state: PaymentState, receipt: Receipt): Claim => ({
  state,
  at: receipt.at,
  lastAt: receipt.at,
  event: receipt.event,
  reason: valueOf(receipt.fields, 'reason'),
});

/** Claims that leave the outcome open; a refund or void attempt proves an earlier payment. */
const openClaims: ReadonlyMap<CallbackClaim, { wasPaid: boolean }> = new Map([
  ['refund-failed', { wasPaid: true }],
  ['refund-waiting', { wasPaid: true }],
  ['void-failed', { wasPaid: true }],
  ['void-waiting', { wasPaid: true }],
  ['scheduled-ran', { wasPaid: false }],
  ['uncertain', { wasPaid: false }],
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

const stepOf: Partial<Record<CallbackClaim, PaymentState>> = {
  // The callback only reports that a redirect_url was returned (§6.1): the page may not have been opened yet.
  'link-issued': 'started',
  'bank-check': 'bank-check',
  processing: 'processing',
};

/** The combined claim of the trusted callbacks of one payment id, by §3.2; null if they claim nothing. */
const callbackClaim = (
  receipts: readonly Receipt[],
  matchTo: (terms: Terms) => TermsMatch,
  notes: FlagNotes,
): { claim: Claim; isFullMatch: boolean } | null => {
  const all = (wanted: CallbackClaim): Receipt[] =>
    receipts.filter(({ type, status }) => claimOf(type, status) === wanted);
  const [chargeback] = all('chargeback');
  if (chargeback) return { claim: claim('chargeback', chargeback), isFullMatch: false };
  const [reversal] = all('reversed');
  if (reversal) return { claim: claim('reversed', reversal), isFullMatch: false };
  const [voided] = all('voided');
  if (voided) return { claim: claim('voided', voided), isFullMatch: false };
  const sales = all('paid');
  const [sale] = sales;
  const refunds = all('refund-seen');
  const refund = refunds.at(-1);
  if (refund) {
    const state = refundState(refunds, matchTo(sale?.terms ?? refund.terms).ours.amount);
    return { claim: claim(state, refund), isFullMatch: false };
  }
  const [failed] = all('not-paid');
  if (sale) {
    const closestSale = sales.find(receipt => {
      const { amount, currency } = matchTo(receipt.terms);
      return amount && currency;
    });
    if (!closestSale) return { claim: claim('needs-attention', sale), isFullMatch: false };
    if (failed) {
      notes.add(
        'sources-disagree',
        { field: 'callback', ours: `${failed.type} + fail`, theirs: 'sale + success' },
        [failed.event, closestSale.event],
      );
      return {
        claim: claim('needs-attention', closestSale),
        isFullMatch: matchTo(closestSale.terms).description,
      };
    }
    return {
      claim: claim('paid-unconfirmed', closestSale),
      isFullMatch: matchTo(closestSale.terms).description,
    };
  }
  const open = receipts.flatMap(receipt => {
    const of = openClaims.get(claimOf(receipt.type, receipt.status));
    return of ? [{ ...of, receipt }] : [];
  });
  const [firstOpen] = open;
  if (firstOpen) {
    const wasPaid = open.some(one => one.wasPaid);
    return { claim: { ...claim('outcome-unknown', firstOpen.receipt), wasPaid }, isFullMatch: false };
  }
  if (failed) return { claim: claim('declined', failed), isFullMatch: false };
  let latestClaim: Claim | null = null;
  for (const receipt of receipts) {
    const step = stepOf[claimOf(receipt.type, receipt.status)];
    if (step !== undefined && (!latestClaim || steps.indexOf(step) > steps.indexOf(latestClaim.state))) {
      latestClaim = claim(step, receipt);
    }
  }
  return latestClaim && { claim: latestClaim, isFullMatch: false };
};

type Verdict = { state: PaymentState; since: number; by: 'callback' | 'look-up'; hasConflict: boolean };

/** Combines the two sources. If they contradict each other about paid or not paid, neither counts. */
const combine = (callback: Claim, lookUp: Claim, isFullMatch: boolean): Verdict => {
  const byCallback = (hasConflict = false): Verdict => ({
    state: callback.state,
    since: callback.at,
    by: 'callback',
    hasConflict,
  });
  const byLookUp = (): Verdict => ({
    state: lookUp.state,
    since: lookUp.at,
    by: 'look-up',
    hasConflict: false,
  });
  const contradiction: Verdict = {
    state: 'needs-attention',
    since: Math.max(callback.at, lookUp.at),
    by: 'look-up',
    hasConflict: true,
  };
  const later = lookUp.lastAt >= callback.at;
  if (callback.state === 'chargeback') return byCallback();
  if (lookUp.state === 'chargeback') return byLookUp();
  if (lookUp.state === 'needs-attention') return byLookUp();
  if (callback.state === 'needs-attention') {
    return lookUp.state === 'paid-unconfirmed' && isFullMatch
      ? {
          state: 'paid-confirmed',
          since: Math.max(callback.at, lookUp.at),
          by: 'callback',
          hasConflict: false,
        }
      : byCallback();
  }
  if (callback.state === 'outcome-unknown') {
    if (lookUp.state === 'declined' && callback.wasPaid) return contradiction;
    return lookUp.state === 'started' || lookUp.state === 'bank-check' ? byCallback() : byLookUp();
  }
  if (inFlight(callback.state)) {
    // An issued redirect address is weaker than a look-up: if both mean "started", the look-up counts.
    return inFlight(lookUp.state) &&
      callback.state !== 'started' &&
      steps.indexOf(callback.state) >= steps.indexOf(lookUp.state)
      ? byCallback()
      : byLookUp();
  }
  switch (callback.state) {
    case 'paid-unconfirmed':
      if (lookUp.state === 'paid-unconfirmed') {
        return isFullMatch
          ? {
              state: 'paid-confirmed',
              since: Math.max(callback.at, lookUp.at),
              by: 'callback',
              hasConflict: false,
            }
          : byCallback();
      }
      if (lookUp.state === 'declined') return contradiction;
      if (lookUp.state === 'outcome-unknown') return byCallback();
      // A status answer from before the callback may say "pending"; one from after it should not.
      return inFlight(lookUp.state) ? byCallback(later) : byLookUp();
    case 'declined':
      if (lookUp.state === 'paid-unconfirmed' || lookUp.state === 'refunded') return contradiction;
      return lookUp.state === 'reversed' || lookUp.state === 'voided' ? byLookUp() : byCallback();
    case 'refunded':
    case 'part-refunded':
    case 'refund-seen':
      // After a partial refund the gateway still reports settled; after a full one it reports refund (field notes).
      if (lookUp.state === 'paid-unconfirmed' && later) {
        return { state: 'part-refunded', since: callback.at, by: 'callback', hasConflict: false };
      }
      if (lookUp.state === 'declined') return contradiction;
      if (lookUp.state === 'refunded' && callback.state !== 'refunded') {
        return { state: 'refunded', since: callback.at, by: 'look-up', hasConflict: false };
      }
      return byCallback();
    case 'voided':
    case 'reversed':
      return lookUp.state === 'paid-unconfirmed' && later ? contradiction : byCallback();
    default:
      return byCallback();
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

const lastDigits = (card: string | null): string | null => /(\d{4})$/.exec(card ?? '')?.[1] ?? null;

/** The first payment of the series that the receipts name, in either spelling (§2.6); null if they name none. */
const seriesOf = (receipts: readonly Receipt[]): string | null =>
  merged(receipts, 'recurring_init_trans_id') ?? merged(receipts, 'recurring_inti_trans_id');

/** The last value of a parameter in the receipts. */
const merged = (receipts: readonly Receipt[], name: string): string | null =>
  receipts.findLast(receipt => valueOf(receipt.fields, name) !== null)?.fields.get(name) ?? null;

/**
 * The history of one payment id from its trusted callbacks and its look-ups, both oldest first; null if neither
 * determines a state.
 */
export const historyOf = (
  paymentId: string,
  receipts: readonly Receipt[],
  observations: readonly Observation[],
  records: readonly Terms[],
  notes: FlagNotes,
): AttemptHistory | null => {
  const matchTo = (terms: Terms): TermsMatch => bestTermsMatch(terms, records);
  const callback = callbackClaim(receipts, matchTo, notes);
  const lookUp = lookUpClaim(observations, matchTo, notes);
  const firstClaim = callback ?? lookUp;
  if (!firstClaim) return null;
  const verdict: Verdict =
    callback && lookUp
      ? combine(callback.claim, lookUp.claim, callback.isFullMatch && lookUp.isFullMatch)
      : {
          state: firstClaim.claim.state,
          since: firstClaim.claim.at,
          by: callback ? 'callback' : 'look-up',
          hasConflict: false,
        };
  if (verdict.hasConflict && callback && lookUp) {
    notes.add(
      'sources-disagree',
      { field: 'state', ours: callback.claim.state, theirs: lookUp.claim.state },
      [callback.claim.event, lookUp.claim.event],
    );
  }
  const restingClaim = (verdict.by === 'callback' ? callback : lookUp)?.claim ?? firstClaim.claim;
  const paid = [
    ...receipts.filter(({ type, status }) => moneyMoved.includes(claimOf(type, status))),
    ...observations.filter(isMoneyMoved),
  ].map(({ at }) => at);
  const times = [...receipts, ...observations].map(({ at }) => at);
  const card = merged(receipts, 'card');
  const seriesId = seriesOf(receipts);
  return {
    paymentId,
    seriesId,
    state: verdict.state,
    since: verdict.since,
    basis: {
      event: restingClaim.event,
      kind: verdict.by,
      at: verdict.by === 'callback' ? restingClaim.at : restingClaim.lastAt,
      verified: verdict.by === 'callback',
    },
    reason: restingClaim.reason ?? null,
    paidAt: paid.length > 0 ? Math.min(...paid) : null,
    attempt: {
      paymentId,
      firstAt: Math.min(...times),
      lastAt: Math.max(...times),
      outcome: outcomes[verdict.state] ?? 'in-progress',
      instalment: seriesId !== null && seriesId !== paymentId,
      reason: restingClaim.reason ?? null,
      cardLast4: lastDigits(card),
      rrn: merged(receipts, 'rrn'),
      approvalCode: merged(receipts, 'approval_code'),
    },
  };
};
