import type { LookUpKey } from '../payments/evidence.ts';

/** The key for a payment's look-up: its latest payment id, otherwise its order number (§2.4). */
export const lookUpKeyOf = ({
  paymentIds,
  orderNumber,
}: {
  paymentIds: readonly string[];
  orderNumber: string;
}): LookUpKey => {
  const id = paymentIds.at(-1);
  return id === undefined ? { by: 'order-number', value: orderNumber } : { by: 'payment-id', value: id };
};
