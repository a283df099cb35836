import type { PaymentRow, PaymentState } from './payment.ts';

/**
 * A payment's state at an instant: a link that nobody used runs out by the clock alone (§3.3).
 * `now` in milliseconds.
 */
export const stateAt = (payment: Pick<PaymentRow, 'state' | 'expiresAt'>, now: number): PaymentState =>
  (payment.state === 'waiting' || payment.state === 'started') &&
  payment.expiresAt !== null &&
  now >= payment.expiresAt
    ? 'expired'
    : payment.state;
