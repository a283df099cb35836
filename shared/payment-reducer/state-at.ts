import { isLinkLive } from '../payments/link.ts';
import type { PaymentState } from '../payments/payment-kinds.ts';

/**
 * The state after the link expires (§3.3). An unused link is expired. After a bank check the payer has left the
 * payment page, so the result is unknown. Every other state depends on evidence that no clock changes.
 */
export const stateAfterExpiry = (state: PaymentState): PaymentState => {
  if (state === 'waiting' || state === 'started') return 'expired';
  return state === 'bank-check' ? 'outcome-unknown' : state;
};

/** Whether this state ends when the link expires. */
export const endsWithLink = (state: PaymentState): boolean => stateAfterExpiry(state) !== state;

/** A payment's state at an instant: links expire by the clock alone (§3.3). `now` in milliseconds. */
export const stateAt = (
  payment: { state: PaymentState; expiresAt: number | null },
  now: number,
): PaymentState =>
  payment.expiresAt !== null && now >= payment.expiresAt ? stateAfterExpiry(payment.state) : payment.state;

/** A payment as it is at an instant, for a file that shows no clock. `now` in milliseconds. */
export const paymentAt = <T extends { state: PaymentState; expiresAt: number | null; linkUsable: boolean }>(
  payment: T,
  now: number,
): T => ({ ...payment, state: stateAt(payment, now), linkUsable: isLinkLive(payment, now) });
