import type { LookUpKey } from '../payments/evidence.ts';
import type { Payment } from '../payments/payment.ts';

/**
 * The payment id that a look-up asks about: one that was paid and is not proven yet, otherwise the last one that was
 * paid, otherwise the latest. Another link of the order may have an unpaid page with a later id.
 */
export const idToCheck = ({
  paymentIds,
  entries = [],
  movements = [],
}: Pick<Payment, 'paymentIds'> & Partial<Pick<Payment, 'entries' | 'movements'>>): string | null =>
  // A payment that nothing names has an empty one.
  (movements.find(({ kind, fate }) => kind === 'paid' && fate === 'reported')?.paymentId ??
    entries.findLast(({ kind }) => kind === 'paid')?.paymentId ??
    paymentIds.at(-1)) ||
  null;

/** Whether the payer may try again with the same link: the provider gives another attempt another payment id. */
export const mayBeRetried = ({
  state,
  linkUsable,
}: Partial<Pick<Payment, 'state' | 'linkUsable'>>): boolean => state === 'declined' && linkUsable === true;

/**
 * The key for a payment's look-up: a payment id, otherwise its order number (§2.4), which also returns
 * another attempt.
 */
export const lookUpKeyOf = (
  payment: Parameters<typeof idToCheck>[0] &
    Partial<Pick<Payment, 'state' | 'linkUsable'>> & { orderNumber: string },
): LookUpKey => {
  const id = mayBeRetried(payment) ? null : idToCheck(payment);
  return id === null ? { by: 'order-number', value: payment.orderNumber } : { by: 'payment-id', value: id };
};
