import { amountText, readAmount } from './sandbox-money.ts';
import type { Attempt, SandboxEvent, Session } from './sandbox-payments.ts';
import type { SandboxChoices } from './sandbox.ts';

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
const noAmount = { units: 0n, digits: 0 };

/** The amount that was paid: the order's, or what a capture took of it. */
const paidAmount = ({ request: { order } }: Session, { captured }: Attempt) => {
  const { units, digits } = readAmount(order.amount) ?? noAmount;
  return { units: captured ?? units, digits };
};

/** The amount that is not refunded yet, in the wire form of the order's amount; empty unless the payment is settled. */
export const refundable = (session: Session, attempt: Attempt): string => {
  const { units, digits } = paidAmount(session, attempt);
  return attempt.status === 'settled' ? amountText({ units: units - attempt.refunded, digits }) : '';
};

/**
 * Applies an event to a paid attempt; `amount` in wire form is the refunded amount, empty = the remaining one.
 * Returns what happened, or a sentence with the reason for a refusal. Of the choices, `refundAmount` is the order
 * amount in a refund's callback and `voidedStatus` the status after a void; the interface specifies neither.
 */
export const applyToPaid = (
  session: Session,
  attempt: Attempt,
  move: AfterMove,
  amount: string,
  choices: Pick<SandboxChoices, 'refundAmount' | 'voidedStatus'>,
): SandboxEvent[] | string => {
  if (attempt.status !== 'settled') return 'Only a settled payment can be refunded, voided or charged back.';
  if (move === 'void') {
    if (attempt.refunded > 0n) return 'A payment that was refunded in part can no longer be voided.';
    attempt.status = choices.voidedStatus;
    return [{ attempt, type: 'void', status: 'success' }];
  }
  if (move === 'void-fail') return [{ attempt, type: 'void', status: 'fail' }];
  if (move === 'void-wait') return [{ attempt, type: 'void', status: 'waiting' }];
  if (move === 'chargeback') {
    attempt.status = 'chargeback';
    return [{ attempt, type: 'chargeback', status: 'success' }];
  }
  const total = paidAmount(session, attempt);
  const left = refundable(session, attempt);
  const requested = amount === '' ? left : amount;
  const refund = readAmount(requested);
  if (refund?.digits !== total.digits) return `Write the refund like ${left}.`;
  if (refund.units === 0n || refund.units > total.units - attempt.refunded)
    return `At most ${left} can still be refunded.`;
  const eventAmount = choices.refundAmount === 'refunded' ? { amount: requested } : {};
  if (move === 'refund-fail')
    return [
      { attempt, type: 'refund', status: 'fail', reason: 'Refund rejected by the bank', ...eventAmount },
    ];
  if (move === 'refund-wait') return [{ attempt, type: 'refund', status: 'waiting', ...eventAmount }];
  attempt.refunded += refund.units;
  // After a partial refund the payment remains settled.
  if (attempt.refunded === total.units) attempt.status = 'refund';
  return [{ attempt, type: 'refund', status: 'success', ...eventAmount }];
};
