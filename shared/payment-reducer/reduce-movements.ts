import { exactAmount } from '../money/wire-amount.ts';
import { convertedStates } from '../payments/outcomes.ts';
import type { Movement } from '../payments/movement.ts';
import type { Attempt, PaymentState } from '../payments/payment.ts';
import type { Receipt } from './reduce-callbacks.ts';
import { refundedBy } from './reduce-refunds.ts';

/** `whole` without `parts` in wire form, with the digits of `whole`; null if one is not a plain decimal. */
const remainder = (whole: string | null, parts: readonly (string | null)[]): string | null => {
  const all = exactAmount(whole);
  if (whole === null || all === null) return null;
  let rest = all;
  for (const part of parts) {
    const minus = exactAmount(part);
    if (minus === null) return null;
    rest -= minus;
  }
  if (rest === all) return whole;
  if (rest < 0n) return null;
  const digits = whole.split('.')[1]?.length ?? 0;
  const text = rest.toString().padStart(7, '0');
  const fraction = text.slice(-6).slice(0, Math.max(digits, text.slice(-6).replace(/0+$/, '').length));
  return fraction === '' ? text.slice(0, -6) : `${text.slice(0, -6)}.${fraction}`;
};

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
  const unknown = parts.filter(({ amount }) => amount === null);
  const [onlyUnknown] = unknown;
  // A full refund whose callback names the order's amount, or that only a look-up reports, is the remainder.
  if (state === 'refunded' && onlyUnknown && unknown.length === 1) {
    const known = parts.filter(part => part !== onlyUnknown).map(({ amount }) => amount);
    onlyUnknown.amount = remainder(paid, known);
  } else if (state === 'refunded' && parts.length === 0) parts.push(one('refund', since, paid));
  const lost =
    state === 'chargeback'
      ? [
          one(
            'chargeback',
            since,
            remainder(
              paid,
              parts.map(({ amount }) => amount),
            ),
          ),
        ]
      : [];
  return [one('paid', paidAt, paid), ...parts, ...lost];
};
