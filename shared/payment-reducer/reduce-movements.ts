import { amountWithout, exactAmount } from '../money/wire-amount.ts';
import { convertedStates } from '../payments/outcomes.ts';
import type { Movement } from '../payments/movement.ts';
import type { Attempt, PaymentState } from '../payments/payment.ts';
import type { Receipt } from './reduce-callbacks.ts';
import { refundedBy } from './reduce-refunds.ts';

/**
 * The money of one payment id that came in and went back. `paidAt`: the first evidence of it; `wasTaken`: a sale or a
 * settled status was seen, so a later void or reversal is a counter-entry; `paid`: the paid wire amount, null if
 * unknown; `refunds`: the successful ones, oldest first; `since`: when `state` began; `disputed`: the callback of a
 * chargeback. A chargeback takes back what is left, unless its callback names another amount than the payment's: then
 * it may be over a part, and its size is unknown.
 */
export const movementsOf = ({
  attempt,
  state,
  since,
  paidAt,
  wasTaken,
  paid,
  refunds,
  disputed,
}: {
  attempt: Attempt;
  state: PaymentState;
  since: number;
  paidAt: number | null;
  wasTaken: boolean;
  paid: string | null;
  refunds: readonly Receipt[];
  disputed: Receipt | null;
}): Movement[] => {
  const isCancelled = wasTaken && (state === 'voided' || state === 'reversed');
  if (paidAt === null || !(isCancelled || convertedStates.includes(state))) return [];
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
  const left = (): string | null =>
    amountWithout(
      paid,
      parts.map(({ amount }) => amount),
    );
  if (isCancelled) return [...movements, one('void', since, left())];
  if (state !== 'chargeback') return movements;
  const named = exactAmount(disputed?.terms.amount ?? null);
  const isPart = named !== null && named !== whole;
  return [...movements, one('chargeback', since, isPart ? null : left())];
};
