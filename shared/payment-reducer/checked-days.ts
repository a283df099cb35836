import type { Event, EventOf } from '../payments/evidence.ts';
import type { Payment, PaymentState } from '../payments/payment.ts';

export const dayMs = 86_400_000;

/** States of a payment whose money the merchant has, at least in part: it may still be refunded or charged back. */
export const recheckedStates = [
  'paid-confirmed',
  'paid-unconfirmed',
  'part-refunded',
] as const satisfies readonly PaymentState[];

/** HTTP statuses that are no answer about the payment: wrong credentials, too many requests, an overload. */
const noAnswer: readonly number[] = [401, 403, 429];

/** Whether the gateway answered about this payment, even if it only refused to. */
const isAnswered = ({ body: { problem, answer } }: EventOf<'status.observed'>): boolean => {
  const status = answer?.httpStatus ?? 500;
  return problem === null || (status < 500 && !noAnswer.includes(status));
};

/**
 * Whole days from the payment to the gateway's last answer about it, 0 = none later; null if it need not be checked
 * again. Derived from the evidence alone, so that a restart changes nothing.
 */
export const checkedDaysOf = (
  { state, paidAt }: Pick<Payment, 'state' | 'paidAt'>,
  events: readonly Event[],
): number | null => {
  if (paidAt === null || !recheckedStates.some(one => one === state)) return null;
  let last = paidAt;
  for (const event of events)
    if (event.kind === 'status.observed' && isAnswered(event)) last = Math.max(last, event.happenedAt);
  return Math.floor((last - paidAt) / dayMs);
};
