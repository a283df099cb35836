import type { Payment, PaymentRow } from './payment.ts';

/** Limit of rows that are read by their keys at once. */
export const maxRows = 1_000;

/** A payment's row in a list: without the link (a bearer credential) and the attempts. */
export const rowOf = ({
  link,
  links: _links,
  attempts: _attempts,
  movements: _movements,
  operations: _operations,
  ...payment
}: Payment): PaymentRow => ({
  ...payment,
  expiresAt: link?.expiresAt ?? null,
});
