import { endsWithLink } from '../payment-reducer/state-at.ts';
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

type Openness = Partial<Pick<Payment, 'state' | 'linkUsable'>>;

/**
 * Whether another attempt with the same link, to which the provider gives another payment id, may have become of it:
 * after a declined one, and without callbacks (`isWatched`) after any that has no result.
 */
export const mayBeRetried = ({ state, linkUsable }: Openness, isWatched = false): boolean =>
  linkUsable === true && state !== undefined && (state === 'declined' || (isWatched && endsWithLink(state)));

/** The key for a payment's look-up: a payment id; its order number (§2.4) without one, or if it may be retried. */
export const lookUpKeyOf = (
  payment: Parameters<typeof idToCheck>[0] & Openness & { orderNumber: string },
  isWatched = false,
): LookUpKey => {
  const id = mayBeRetried(payment, isWatched) ? null : idToCheck(payment);
  return id === null ? { by: 'order-number', value: payment.orderNumber } : { by: 'payment-id', value: id };
};
