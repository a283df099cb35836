import type { LookUpKey } from './evidence.ts';

/** How the gateway is asked about a payment: by its latest payment id, else by its order number (§2.4). */
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
