import type { Payment, PaymentRow } from './payment.ts';

/** A list's row out of a payment: everything but the link, which is a bearer, and the attempts. */
export const rowOf = ({ link, attempts: _attempts, ...payment }: Payment): PaymentRow => ({
  ...payment,
  expiresAt: link?.expiresAt ?? null,
});
