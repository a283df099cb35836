import { exactAmount } from '../money/wire-amount.ts';
import { valueOf, type Receipt } from './reduce-callbacks.ts';

/**
 * What one refund gave back, in exact millionths; null when nobody can say. §2.6 calls `order_amount` the order's
 * amount, so it is the refunded one only where the profile said so when the callback came.
 */
const refundedBy = (refund: Receipt, whole: bigint | null): bigint | null => {
  if (refund.refundAmount !== 'refunded' || refund.terms.amount === null) return null;
  const amount = exactAmount(refund.terms.amount);
  // A part leaves `order_status` at settled (field notes): the two sizes contradict each other.
  const isPart = valueOf(refund.fields, 'order_status') === 'settled';
  return amount !== null && whole !== null && amount >= whole && isPart ? null : amount;
};

/**
 * What successful refunds of one payment add up to, in exact integers. A refund of unknown size leaves the sum
 * unknown: then only a look-up, or our own request, can tell part from whole.
 * `refunds`: at least one; `paid`: the wire amount that was paid, null when it is not known.
 */
export const refundState = (
  refunds: readonly Receipt[],
  paid: string | null,
): 'refunded' | 'part-refunded' | 'refund-seen' => {
  const whole = paid === null ? null : exactAmount(paid);
  if (whole === null) return 'refund-seen';
  let returned = 0n;
  let isComplete = false;
  let isUnknown = false;
  for (const refund of refunds) {
    const amount = refundedBy(refund, whole);
    if (amount === null) isUnknown = true;
    else returned += amount;
    isComplete ||= returned >= whole;
  }
  if (isComplete) return 'refunded';
  return isUnknown ? 'refund-seen' : 'part-refunded';
};
