import { decimalText, fractionDigits, scaledAmount } from '../../shared/money/wire-amount.ts';
import type { Attempt, SandboxEvent, Session } from './payments.ts';
import type { RefundAmount } from './sandbox.ts';

/** What can happen to a payment once it is made (§6.1): the merchant's own doing, or the bank's. */
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

/** What is left to give back, in the wire form of the order's amount. */
export const refundable = ({ requestId: { order } }: Session, attempt: Attempt): string =>
  attempt.status === 'settled'
    ? decimalText(unitsOf(order.amount) - attempt.refunded, fractionDigits(order.amount) ?? 0)
    : '';

/**
 * Plays a move on a paid attempt; `amount` in wire form is what a refund gives back, empty = all that is left.
 * Returns what happened, or a sentence saying why it cannot.
 * `refundAmount`: what the callback of a refund carries as its order amount, which the interface does not show.
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
  const total = session.requestId.order.amount;
  const left = refundable(session, attempt);
  const asked = amount === '' ? left : amount;
  if (fractionDigits(asked) === null || fractionDigits(asked) !== fractionDigits(total)) {
    return `Write the refund like ${left}.`;
  }
  if (unitsOf(asked) === 0n || unitsOf(asked) > unitsOf(left))
    return `At most ${left} can still be refunded.`;
  const eventAmount = refundAmount === 'refunded' ? { amount: asked } : {};
  if (move === 'refund-fail') {
    return [
      { attempt, type: 'refund', status: 'fail', reason: 'Refund refused by the bank', ...eventAmount },
    ];
  }
  if (move === 'refund-wait') return [{ attempt, type: 'refund', status: 'waiting', ...eventAmount }];
  attempt.refunded += unitsOf(asked);
  // A refund of a part leaves the payment settled.
  if (attempt.refunded === unitsOf(total)) attempt.status = 'refund';
  return [{ attempt, type: 'refund', status: 'success', ...eventAmount }];
};
