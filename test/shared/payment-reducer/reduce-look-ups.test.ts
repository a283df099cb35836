import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { EventDraft, LookUpKey } from '../../../shared/payments/evidence.ts';
import { isInquiry } from '../../../shared/payment-reducer/evidence/inquiry.ts';
import {
  asEvent,
  callback,
  draft,
  hour,
  lookUp,
  note,
  order,
  otherPayer,
  payer,
  requested,
} from '../../../tools/evidence/evidence.ts';
import { flag, flagsOf, minute, raised, reduce } from '../../../tools/evidence/reduced.ts';

/** Which answers to look-ups count, and what several of them add up to. */

test.each([{}, { description: null }, { description: 'Green chair' }, { amount: null }, { currency: null }])(
  'a look-up with settled confirms a payment unless it names another amount or currency: %j',
  changes => {
    const settled = lookUp(2 * minute, 'settled', { order: { ...order, ...changes } });
    expect(reduce(...raised, callback(minute, 'sale', 'success'), settled).state).toBe('paid-confirmed');
  },
);

test('a look-up of another order is flagged with both numbers, and its amount is not compared', () => {
  const theirs = { ...order, number: 'CF-2002', amount: '1.00' };
  const payment = reduce(...raised, lookUp(minute, 'settled', { order: theirs }));
  expect(payment).toMatchObject({ state: 'waiting', paymentIds: [] });
  expect(flagsOf(payment)).toEqual(['sources-disagree']);
  expect(flag(payment, 'sources-disagree')).toEqual({
    field: 'order-number',
    ours: order.number,
    theirs: 'CF-2002',
  });
});

test('a look-up whose answer names no payment belongs to the payment that was asked for', () => {
  const settled = (asked: LookUpKey): EventDraft => {
    const answered = lookUp(3 * minute, 'settled', { paymentId: null });
    return answered.kind === 'status.observed'
      ? { ...answered, body: { ...answered.body, asked } }
      : answered;
  };
  const sales = [
    callback(minute, 'sale', 'success'),
    callback(2 * minute, 'sale', 'fail', { id: otherPayer }),
  ];
  const byId = reduce(...raised, ...sales, settled({ by: 'payment-id', value: payer }));
  expect(byId.state).toBe('paid-confirmed');
  // An answer to the order number is about the latest payment.
  const byNumber = reduce(...raised, ...sales, settled({ by: 'order-number', value: order.number }));
  expect(byNumber.attempts.map(({ outcome }) => outcome)).toEqual(['paid', 'paid']);
  expect(reduce(...raised, settled({ by: 'order-number', value: order.number })).paymentIds).toEqual([]);
});

const unknown = {
  paymentId: null,
  order: { number: null, amount: null, currency: null, description: null },
};
const isInquiryWith = (...drafts: readonly EventDraft[]): boolean =>
  isInquiry(drafts.map(asEvent), order.number);

test.each([
  ['names nothing', lookUp(0, 'not found', unknown), true],
  ['names another order', lookUp(0, 'settled', { order: { ...order, number: 'CF-2002' } }), true],
  ['has a status of the interface', lookUp(0, 'settled', unknown), false],
  ['names a payment', lookUp(0, 'not found', { ...unknown, paymentId: payer }), false],
  ['names the order', lookUp(0, 'not found', { ...unknown, order }), false],
])(
  'an order of which only look-ups are known is an inquiry, and no payment, as long as no answer confirms it: one %s',
  (_, answer, is) => {
    expect(isInquiryWith(answer)).toBe(is);
    expect(isInquiryWith(lookUp(hour, 'not found', unknown), answer)).toBe(is);
  },
);

test('an order of which only look-ups are known is a payment if one of several answers confirms it', () => {
  const [none, found] = [lookUp(0, 'not found', unknown), lookUp(0, 'settled')];
  if (none.kind !== 'status.observed' || found.kind !== 'status.observed') throw new Error('Not a look-up.');
  const answers = [...none.body.answers, ...found.body.answers];
  expect(isInquiryWith({ ...none, body: { ...none.body, answers } })).toBe(false);
});

test('an order of which only look-ups are known is a payment with any other evidence, except an erasure', () => {
  const failed = lookUp(0, 'not found', unknown);
  expect(isInquiryWith(failed, draft('amended', 1, { events: [], reason: 'retention' }))).toBe(true);
  expect(isInquiryWith(failed, requested(1))).toBe(false);
  expect(isInquiryWith(failed, note(1, 'called'))).toBe(false);
  expect(isInquiryWith(failed, callback(1, 'sale', 'fail'))).toBe(false);
  expect(isInquiryWith(failed, draft('link.shared', 1, { channel: 'copy' }))).toBe(false);
});

describe('several attempts in one response', () => {
  const attempts = [
    ['decline', '2026-10-05 12:00:30'],
    ['pending', '2026-10-05 12:05:00'],
    ['settled', '2026-10-05 12:05:10'],
    ['refund', '2026-10-05 12:30:00'],
  ] as const;
  const listOf = (given: readonly (readonly [string, string | null])[]): EventDraft => {
    const looked = lookUp(minute, 'settled');
    if (looked.kind !== 'status.observed') throw new Error(looked.kind);
    const answers = given.flatMap(([status, date]) => {
      const one = lookUp(minute, status, { date });
      return one.kind === 'status.observed' ? one.body.answers : [];
    });
    return { ...looked, body: { ...looked.body, answers } };
  };

  it('give the same payment in any order, with and without their times', () => {
    for (const count of [2, 3, 4]) {
      const given = attempts.slice(0, count);
      const expected = reduce(...raised, lookUp(minute, given.at(-1)?.[0] ?? '')).state;
      for (const dated of [true, false]) {
        const list = given.map(([status, date]) => [status, dated ? date : null] as const);
        fc.assert(
          fc.property(fc.shuffledSubarray(list, { minLength: count }), mixed => {
            const payment = reduce(...raised, listOf(mixed));
            expect(payment.state).toBe(expected);
            expect(flagsOf(payment)).not.toContain('source-took-back');
          }),
        );
      }
    }
  });
});
