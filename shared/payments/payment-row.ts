import type { Payment, PaymentRow } from './payment.ts';

/** What names a payment: an order number is unique within its profile only. */
export type PaymentKey = { profileId: string; orderNumber: string };

/** The key as one text, for maps and lists; unambiguous, because a profile's id contains no blank. */
export const paymentKey = ({ profileId, orderNumber }: PaymentKey): string => `${profileId} ${orderNumber}`;

/** Whether both name one payment. */
export const sameKey = (one: PaymentKey | null | undefined, other: PaymentKey | null | undefined): boolean =>
  one != null && other != null && one.profileId === other.profileId && one.orderNumber === other.orderNumber;

/** The payments that these events are about, each once; events about no order are left out. */
export const paymentsOf = (
  events: readonly { profileId: string; orderNumber: string | null }[],
): PaymentKey[] => {
  const payments = new Map<string, PaymentKey>();
  for (const { profileId, orderNumber } of events) {
    if (orderNumber === null) continue;
    const key = { profileId, orderNumber };
    payments.set(paymentKey(key), key);
  }
  return [...payments.values()];
};

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
