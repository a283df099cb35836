import type { PaymentState } from '../payments/payment-kinds.ts';

/**
 * The state that follows when the link expires (§3.3). An unused link is expired. After a bank check nobody is at
 * the payment page any more, so its result is unknown. Every other state rests on evidence that no clock changes.
 */
export const stateAfterExpiry = (state: PaymentState): PaymentState => {
  if (state === 'waiting' || state === 'started') return 'expired';
  return state === 'bank-check' ? 'outcome-unknown' : state;
};

/** Whether the clock alone will end this state. */
export const endsWithLink = (state: PaymentState): boolean => stateAfterExpiry(state) !== state;

/** A payment's state at an instant: links expire by the clock alone (§3.3). `now` in milliseconds. */
export const stateAt = (
  payment: { state: PaymentState; expiresAt: number | null },
  now: number,
): PaymentState =>
  payment.expiresAt !== null && now >= payment.expiresAt ? stateAfterExpiry(payment.state) : payment.state;
