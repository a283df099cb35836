import { claimOf, type CallbackClaim } from '../callbacks/callback-meaning.ts';
import type { PaymentState } from '../payments/payment-kinds.ts';
import type { FlagCollector } from './evidence/flag-collector.ts';
import { valueOf, type Receipt } from './evidence/callbacks.ts';
import type { Claim } from './evidence/look-ups.ts';
import { isBeyond, isInFlight } from './evidence/steps.ts';

/** What is known of a payment id that has no money: how far the payer came, or that the bank declined. */

/** Claims that leave the outcome open: an attempt to refund or cancel proves an earlier payment. */
const triedReturn: ReadonlySet<CallbackClaim> = new Set([
  'refund-failed',
  'refund-waiting',
  'void-failed',
  'void-waiting',
]);

/** Claims that prove nothing: words outside the interface, and a scheduled payment that a look-up has to confirm. */
const isUncertain = (claim: CallbackClaim): boolean => claim === 'uncertain' || claim === 'scheduled-ran';

const stepOf = (claim: CallbackClaim): PaymentState => {
  // A sale without money in the books only holds it.
  if (claim === 'paid') return 'processing';
  // `link-issued` only reports that a redirect_url was returned (§6.1): the page may not have been opened yet.
  return claim === 'bank-check' || claim === 'processing' ? claim : 'started';
};

/** The combined claim of the trusted callbacks of one payment id, by §3.2; null if there are none. */
export const callbackClaim = (receipts: readonly Receipt[]): Claim | null => {
  const claim = (state: PaymentState, { at, event, fields }: Receipt): Claim => ({
    state,
    at,
    lastAt: at,
    event,
    reason: valueOf(fields, 'reason'),
  });
  const read = receipts.map(receipt => ({ receipt, claim: claimOf(receipt.type, receipt.status) }));
  const [first] = read;
  if (!first) return null;
  const tried = read.find(one => triedReturn.has(one.claim));
  if (tried) return { ...claim('outcome-unknown', tried.receipt), wasPaid: true };
  const failed = read.find(one => one.claim === 'not-paid');
  if (failed) return claim('declined', failed.receipt);
  let furthest: (typeof read)[number] | null = null;
  for (const one of read) {
    if (isUncertain(one.claim)) continue;
    if (furthest === null || isBeyond(stepOf(one.claim), stepOf(furthest.claim))) furthest = one;
  }
  // One word outside the interface must not hide progress that the interface describes.
  const uncertain = read.find(one => isUncertain(one.claim));
  if (uncertain && (furthest === null || stepOf(furthest.claim) === 'started'))
    return claim('outcome-unknown', uncertain.receipt);
  const of = furthest ?? first;
  return claim(stepOf(of.claim), of.receipt);
};

/** The progress by both sources. `isByCallback`: on which of them it rests. */
export type Progress = { state: PaymentState; since: number; claim: Claim; isByCallback: boolean };

/** Combines both sources about a payment without money. A documented word of one is not hidden by an unknown one. */
export const progressOf = (
  callback: Claim | null,
  lookUp: Claim | null,
  notes: FlagCollector,
): Progress | null => {
  const byCallback = callback && {
    state: callback.state,
    since: callback.at,
    claim: callback,
    isByCallback: true,
  };
  const byLookUp = lookUp && { state: lookUp.state, since: lookUp.at, claim: lookUp, isByCallback: false };
  if (!byCallback || !byLookUp) return byCallback ?? byLookUp;
  const [one, other] = [byCallback.state, byLookUp.state];
  if (other === 'outcome-unknown') return byCallback;
  if (one === 'outcome-unknown') {
    if (!callback.wasPaid) return other === 'waiting' || other === 'started' ? byCallback : byLookUp;
    if (other === 'declined') {
      notes.add('sources-disagree', { field: 'state', ours: one, theirs: other }, [
        callback.event,
        lookUp.event,
      ]);
      return { ...byLookUp, state: 'needs-attention', since: Math.max(callback.at, lookUp.at) };
    }
    // A status answer from before a refund or void may say "pending": the payment was paid since then.
    return other === 'processing' && lookUp.lastAt >= callback.at ? byLookUp : byCallback;
  }
  if (one === 'declined') return byCallback;
  // An issued redirect address is weaker than a look-up: if both mean "started", the look-up counts.
  const isWeaker = one === 'started' || isBeyond(other, one);
  return isInFlight(other) && !isWeaker ? byCallback : byLookUp;
};
