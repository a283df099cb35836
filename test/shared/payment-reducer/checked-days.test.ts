import { expect, test } from 'vitest';
import type { EventBody, EventDraft } from '../../../shared/payments/evidence.ts';
import { paymentStates, type PaymentState } from '../../../shared/payments/payment-kinds.ts';
import { checkedDaysOf, dayMs } from '../../../shared/payment-reducer/checked-days.ts';
import { asEvent, lookUp, start } from '../../../tools/evidence/evidence.ts';

/** When the gateway last answered about a paid payment. */

const problem = { code: 'gateway.refused', message: 'Refused' } as const;
const answered = (at: number, changes: Partial<EventBody<'status.observed'>> = {}): EventDraft => {
  const one = lookUp(at, 'settled');
  return { ...one, body: { ...one.body, ...changes } };
};
const failed = (at: number, httpStatus: number | null): EventDraft =>
  answered(at, { problem, answer: { httpStatus, contentType: null, body: '', truncated: false } });
const daysOf = (
  events: readonly EventDraft[],
  state: PaymentState = 'paid-confirmed',
  paidAt: number | null = start,
) => checkedDaysOf({ state, paidAt }, events.map(asEvent));

test('the days from the payment to the last answer exist only for a payment whose money the merchant has', () => {
  const states = paymentStates.filter(state => daysOf([], state) !== null);
  expect(states.toSorted()).toEqual(['paid-confirmed', 'paid-unconfirmed', 'part-refunded']);
  expect(daysOf([], 'paid-confirmed', null)).toBeNull();
});

test.each([
  [200, 1],
  [400, 1],
  [404, 1],
  [499, 1],
  [401, 0],
  [403, 0],
  [429, 0],
  [500, 0],
  [503, 0],
  [null, 0],
])('a refusal with the HTTP status %s is an answer about the payment, or none: %s', (httpStatus, days) => {
  expect(daysOf([failed(dayMs, httpStatus)])).toBe(days);
});
