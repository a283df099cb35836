import { amountWithout, exactAmount } from '../money/wire-amount.ts';
import { convertedStates } from '../payments/outcomes.ts';
import type { Movement } from '../payments/movement.ts';
import type { Attempt, PaymentState } from '../payments/payment.ts';
import type { Receipt } from './reduce-callbacks.ts';
import { refundedBy } from './reduce-refunds.ts';

/**
 * The money of one payment id that came in and went back. `paidAt`: the first evidence of it; `paid`: the paid wire
 * amount, null if unknown; `refunds`: the successful ones, oldest first; `since`: when `state` began. A chargeback
 * takes back what is left, because the gateway names no amount for it.
 */
export const movementsOf = ({
  attempt,
  state,
  since,
  paidAt,
  paid,
  refunds,
}: {
  attempt: Attempt;
  state: PaymentState;
  since: number;
  paidAt: number | null;
  paid: string | null;
  refunds: readonly Receipt[];
}): Movement[] => {
  if (paidAt === null || !convertedStates.includes(state)) return [];
  const { paymentId, rrn, approvalCode } = attempt;
  const one = (kind: Movement['kind'], at: number, amount: string | null): Movement => ({
    kind,
    at,
    amount,
    paymentId,
    rrn,
    approvalCode,
  });
  const whole = exactAmount(paid);
  const parts = refunds.map(refund => one('refund', refund.at, refundedBy(refund, whole)));
  const [unknown, anotherUnknown] = parts.filter(({ amount }) => amount === null);
  // A full refund whose callback names the order's amount, or that only a look-up reports, is the remainder.
  if (state === 'refunded' && unknown && !anotherUnknown) {
    const known = parts.filter(part => part !== unknown).map(({ amount }) => amount);
    unknown.amount = amountWithout(paid, known);
  } else if (state === 'refunded' && parts.length === 0) parts.push(one('refund', since, paid));
  const movements = [one('paid', paidAt, paid), ...parts];
  if (state !== 'chargeback') return movements;
  const returned = parts.map(({ amount }) => amount);
  return [...movements, one('chargeback', since, amountWithout(paid, returned))];
};
