import type { LookUpKey } from '../payments/evidence.ts';
import type { Payment, PaymentState } from '../payments/payment.ts';

/**
 * The payment id that a look-up asks about: one that was paid and is not proven yet, otherwise the last one that was
 * paid, rather one of which nothing went back, otherwise the latest.
 */
export const idToCheck = ({
  paymentIds,
  entries = [],
  movements = [],
}: Pick<Payment, 'paymentIds'> & Partial<Pick<Payment, 'entries' | 'movements'>>): string | null => {
  const paid = entries.filter(({ kind }) => kind === 'paid');
  const hasGone = (id: string): boolean =>
    entries.some(({ kind, paymentId }) => kind !== 'paid' && paymentId === id);
  const found =
    movements.find(({ kind, fate }) => kind === 'paid' && fate === 'reported') ??
    paid.findLast(({ paymentId }) => !hasGone(paymentId)) ??
    paid.at(-1);
  // A payment that nothing names has an empty one.
  return (found?.paymentId ?? paymentIds.at(-1)) || null;
};

type Openness = Partial<Pick<Payment, 'state' | 'linkUsable'>>;

/** The states in which nothing was paid, so that another attempt may have been. */
const unpaid: readonly PaymentState[] = [
  'waiting',
  'started',
  'bank-check',
  'declined',
  'expired',
  'outcome-unknown',
];
/** The states in which a new link of the order may have been paid. */
const returned: readonly PaymentState[] = ['refunded', 'voided', 'reversed'];

/** Whether only the order number finds what became of an order: every attempt has another payment id. */
const isAskedByOrder = ({ state, linkUsable = false }: Openness): boolean =>
  state !== undefined && (unpaid.includes(state) || (linkUsable && returned.includes(state)));

/** The key for a payment's look-up: its order number (§2.4) as long as nothing is paid, otherwise a payment id. */
export const lookUpKeyOf = (
  payment: Parameters<typeof idToCheck>[0] & Openness & { orderNumber: string },
): LookUpKey => {
  const id = isAskedByOrder(payment) ? null : idToCheck(payment);
  return id === null ? { by: 'order-number', value: payment.orderNumber } : { by: 'payment-id', value: id };
};
