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

/** When the gateway last answered a look-up or refused one, milliseconds; null if it never did. */
export const lastAskedAt = (events: readonly Event[]): number | null => {
  let last: number | null = null;
  for (const event of events)
    if (event.kind === 'status.observed' && isAnswered(event)) last = Math.max(last ?? 0, event.happenedAt);
  return last;
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
  return Math.floor((Math.max(paidAt, lastAskedAt(events) ?? 0) - paidAt) / dayMs);
};

/**
 * When the provider last answered a look-up of an order, milliseconds; null: never. "There is no such payment" is an
 * answer; a refusal and a failure are not.
 */
export const checkedAtOf = (events: readonly Event[], orderNumber: string): number | null => {
  let last: number | null = null;
  for (const event of events) {
    if (event.kind !== 'status.observed') continue;
    const { answers, problem } = event.body;
    const isAnswered =
      problem?.code === 'payment.missing' ||
      answers.some(({ order: { number } }) => number === null || number === orderNumber);
    if (isAnswered) last = Math.max(last ?? 0, event.happenedAt);
  }
  return last;
};
