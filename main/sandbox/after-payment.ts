import { decimalText, fractionDigits, scaledAmount } from '../../shared/money/wire-amount.ts';
import type { Attempt, SandboxEvent, Session } from './payments.ts';
import type { RefundAmount } from './sandbox.ts';

/** Possible events after a payment (§6.1), by the merchant or the bank. */
export const afterMoves = [
  'refund',
  'refund-fail',
  'refund-wait',
  'void',
  'void-fail',
  'void-wait',
  'chargeback',
] as const;
export type AfterMove = (typeof afterMoves)[number];

/** Amounts of one order are counted in units of the last digit that the order was written with. */
const unitsOf = (wire: string): bigint => scaledAmount(wire, fractionDigits(wire) ?? 0) ?? 0n;

/** The amount that is not refunded yet, in the wire form of the order's amount. */
export const refundable = ({ request: { order } }: Session, attempt: Attempt): string =>
  attempt.status === 'settled'
    ? decimalText(unitsOf(order.amount) - attempt.refunded, fractionDigits(order.amount) ?? 0)
    : '';

/**
 * Applies an event to a paid attempt; `amount` in wire form is the refunded amount, empty = the remaining one.
 * Returns what happened, or a sentence with the reason for a refusal. `refundAmount`: the order amount in a refund's
 * callback, which the interface does not specify.
 */
export const applyToPaid = (
  session: Session,
  attempt: Attempt,
  move: AfterMove,
  amount: string,
  refundAmount: RefundAmount,
): SandboxEvent[] | string => {
  if (attempt.status !== 'settled') return 'Only a settled payment can be refunded, voided or disputed.';
  if (move === 'void') {
    if (attempt.refunded > 0n) return 'A payment that was refunded in part can no longer be voided.';
    attempt.status = 'reversal';
    return [{ attempt, type: 'void', status: 'success' }];
  }
  if (move === 'void-fail') return [{ attempt, type: 'void', status: 'fail' }];
  if (move === 'void-wait') return [{ attempt, type: 'void', status: 'waiting' }];
  if (move === 'chargeback') {
    attempt.status = 'chargeback';
    return [{ attempt, type: 'chargeback', status: 'success' }];
  }
  const total = session.request.order.amount;
  const left = refundable(session, attempt);
  const requested = amount === '' ? left : amount;
  if (fractionDigits(requested) === null || fractionDigits(requested) !== fractionDigits(total)) {
    return `Write the refund like ${left}.`;
  }
  if (unitsOf(requested) === 0n || unitsOf(requested) > unitsOf(left))
    return `At most ${left} can still be refunded.`;
  const eventAmount = refundAmount === 'refunded' ? { amount: requested } : {};
  if (move === 'refund-fail') {
    return [
      { attempt, type: 'refund', status: 'fail', reason: 'Refund refused by the bank', ...eventAmount },
    ];
  }
  if (move === 'refund-wait') return [{ attempt, type: 'refund', status: 'waiting', ...eventAmount }];
  attempt.refunded += unitsOf(requested);
  // After a partial refund the payment remains settled.
  if (attempt.refunded === unitsOf(total)) attempt.status = 'refund';
  return [{ attempt, type: 'refund', status: 'success', ...eventAmount }];
};
