import { exactAmount } from '../money/wire-amount.ts';
import { valueOf, type Receipt } from './reduce-callbacks.ts';

/**
 * The refunded amount of one refund, in wire form; null if unknown. §2.6 calls `order_amount` the order's amount, so
 * it is the refunded one only if the profile said so when the callback arrived. `ours`: the amounts of refunds that were
 * requested here, by event. `whole`: the paid amount in exact millionths, null if unknown.
 */
export const refundedBy = (
  refund: Receipt,
  ours: ReadonlyMap<string, string>,
  whole: bigint | null,
): string | null => {
  const requested = ours.get(refund.event);
  if (requested !== undefined) return requested;
  if (!refund.isRefundedAmount) return null;
  const amount = exactAmount(refund.terms.amount);
  // After a partial refund `order_status` remains settled (field notes): the two sizes contradict each other.
  const isPart = valueOf(refund.fields, 'order_status') === 'settled';
  return amount === null || (whole !== null && amount >= whole && isPart) ? null : refund.terms.amount;
};

/**
 * The sum of successful refunds of one payment, in exact integers. A refund of unknown size makes the sum unknown:
 * then only a look-up, or our own request, can distinguish partial from full. `refunds`: at least one; `paid`: the
 * paid wire amount, null if unknown; `ours`: as in `refundedBy`.
 */
export const refundState = (
  refunds: readonly Receipt[],
  ours: ReadonlyMap<string, string>,
  paid: string | null,
): 'refunded' | 'part-refunded' | 'refund-seen' => {
  const whole = exactAmount(paid);
  if (whole === null) return 'refund-seen';
  let returned = 0n;
  let isComplete = false;
  let isUnknown = false;
  for (const refund of refunds) {
    const amount = exactAmount(refundedBy(refund, ours, whole));
    if (amount === null) isUnknown = true;
    else returned += amount;
    isComplete ||= returned >= whole;
  }
  if (isComplete) return 'refunded';
  return isUnknown ? 'refund-seen' : 'part-refunded';
};
