import { claimOf, type CallbackClaim } from '../callbacks/callback-meaning.ts';
import type { Attempt, Payment, PaymentState } from '../payments/payment.ts';
import { bestTermsMatch, type TermsMatch, type Terms } from './reduce-amounts.ts';
import { valueOf, type Receipt } from './reduce-callbacks.ts';
import type { FlagNotes } from './reduce-flags.ts';
import { lookUpClaim, isMoneyMoved, type Claim, type Observation } from './reduce-look-ups.ts';
import { refundState } from './reduce-refunds.ts';

/** What the evidence about one payment id adds up to. */
export type AttemptHistory = {
  paymentId: string;
  state: PaymentState;
  since: number;
  basis: NonNullable<Payment['basis']>;
  reason: string | null;
  /** The payment that began the series it belongs to; null when it belongs to none. */
  seriesId: string | null;
  /** The first time anything said that money moved: from then on the link is spent (§3.3). */
  paidAt: number | null;
  attempt: Attempt;
};

/** How far a payment has come while it is under way; a late report of an earlier step undoes nothing. */
const steps: readonly PaymentState[] = ['started', 'bank-check', 'processing'];
const inFlight = (state: PaymentState): boolean => steps.includes(state);

const claim = (state: PaymentState, receipt: Receipt): Claim => ({
  state,
  at: receipt.at,
  lastAt: receipt.at,
  event: receipt.event,
  reason: valueOf(receipt.fields, 'reason'),
});

/** Claims that leave the outcome open, and prove that it was paid at some time where a refund or void was tried. */
const openClaims: ReadonlyMap<CallbackClaim, { wasPaid: boolean }> = new Map([
  ['refund-failed', { wasPaid: true }],
  ['refund-waiting', { wasPaid: true }],
  ['void-failed', { wasPaid: true }],
  ['void-waiting', { wasPaid: true }],
  ['scheduled-ran', { wasPaid: false }],
  ['uncertain', { wasPaid: false }],
]);

/** Claims that mean that money moved or was held: from then on the link is spent (§3.3). */
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
  // The callback says no more than that a redirect_url was returned (§6.1): nobody need have opened it yet.
  'link-issued': 'started',
  'bank-check': 'bank-check',
  processing: 'processing',
};

/** What the trusted callbacks of one payment id say together, by §3.2; null when they say nothing. */
const callbackClaim = (
  receipts: readonly Receipt[],
  matchTo: (terms: Terms) => TermsMatch,
  notes: FlagNotes,
): { claim: Claim; whole: boolean } | null => {
  const all = (wanted: CallbackClaim): Receipt[] =>
    receipts.filter(({ type, status }) => claimOf(type, status) === wanted);
  const [chargeback] = all('chargeback');
  if (chargeback) return { claim: claim('chargeback', chargeback), whole: false };
  const [reversal] = all('reversed');
  if (reversal) return { claim: claim('reversed', reversal), whole: false };
  const [voided] = all('voided');
  if (voided) return { claim: claim('voided', voided), whole: false };
  const sales = all('paid');
  const [sale] = sales;
  const refunds = all('refund-seen');
  const refund = refunds.at(-1);
  if (refund) {
    const state = refundState(refunds, matchTo(sale?.terms ?? refund.terms).ours.amount);
    return { claim: claim(state, refund), whole: false };
  }
  const [failed] = all('not-paid');
  if (sale) {
    const closestSale = sales.find(receipt => {
      const { amount, currency } = matchTo(receipt.terms);
      return amount && currency;
    });
    if (!closestSale) return { claim: claim('needs-attention', sale), whole: false };
    if (failed) {
      notes.add(
        'sources-disagree',
        { field: 'callback', ours: `${failed.type} + fail`, theirs: 'sale + success' },
        [failed.event, closestSale.event],
      );
      return { claim: claim('needs-attention', closestSale), whole: matchTo(closestSale.terms).description };
    }
    return { claim: claim('paid-unconfirmed', closestSale), whole: matchTo(closestSale.terms).description };
  }
  const open = receipts.flatMap(receipt => {
    const of = openClaims.get(claimOf(receipt.type, receipt.status));
    return of ? [{ ...of, receipt }] : [];
  });
  const [firstOpen] = open;
  if (firstOpen) {
    const wasPaid = open.some(one => one.wasPaid);
    return { claim: { ...claim('outcome-unknown', firstOpen.receipt), wasPaid }, whole: false };
  }
  if (failed) return { claim: claim('declined', failed), whole: false };
  let latestClaim: Claim | null = null;
  for (const receipt of receipts) {
    const step = stepOf[claimOf(receipt.type, receipt.status)];
    if (step !== undefined && (!latestClaim || steps.indexOf(step) > steps.indexOf(latestClaim.state))) {
      latestClaim = claim(step, receipt);
    }
  }
  return latestClaim && { claim: latestClaim, whole: false };
};

type Verdict = { state: PaymentState; since: number; by: 'callback' | 'look-up'; hasConflict: boolean };

/** Brings the two sources together. Where they contradict each other about paid or not paid, neither is believed. */
const combine = (callback: Claim, lookUp: Claim, whole: boolean): Verdict => {
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
    return lookUp.state === 'paid-unconfirmed' && whole
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
    // That a redirect address was issued says less than a look-up: of two that say "started" the look-up counts.
    return inFlight(lookUp.state) &&
      callback.state !== 'started' &&
      steps.indexOf(callback.state) >= steps.indexOf(lookUp.state)
      ? byCallback()
      : byLookUp();
  }
  switch (callback.state) {
    case 'paid-unconfirmed':
      if (lookUp.state === 'paid-unconfirmed') {
        return whole
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
      // An answer from before the callback may well have said "pending"; one from after it should not.
      return inFlight(lookUp.state) ? byCallback(later) : byLookUp();
    case 'declined':
      if (lookUp.state === 'paid-unconfirmed' || lookUp.state === 'refunded') return contradiction;
      return lookUp.state === 'reversed' || lookUp.state === 'voided' ? byLookUp() : byCallback();
    case 'refunded':
    case 'part-refunded':
    case 'refund-seen':
      // After a part the gateway still says settled; after the whole it says refund (field notes).
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

/** The first payment of the series that the receipts name, in either spelling (§2.6); null when they name none. */
const seriesOf = (receipts: readonly Receipt[]): string | null =>
  merged(receipts, 'recurring_init_trans_id') ?? merged(receipts, 'recurring_inti_trans_id');

/** The last value that the receipts give a parameter. */
const merged = (receipts: readonly Receipt[], name: string): string | null =>
  receipts.findLast(receipt => valueOf(receipt.fields, name) !== null)?.fields.get(name) ?? null;

/**
 * The story of one payment id from its trusted callbacks and its look-ups, both oldest first;
 * null when neither says anything about its state.
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
      ? combine(callback.claim, lookUp.claim, callback.whole && lookUp.whole)
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
