import { describe, expect, test } from 'vitest';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import {
  callback,
  hour,
  lookUp,
  otherPayer,
  payer,
  start,
  withRefundedAmount,
} from '../../../tools/evidence/evidence.ts';
import { minute, reduce, flag, raised } from '../../../tools/evidence/reduced.ts';

/** What changes a payment that was paid. */

describe('after the payment', () => {
  const paid = [...raised, callback(minute, 'sale', 'success'), lookUp(2 * minute, 'settled')];

  test('a refund of the full amount is refunded', () => {
    expect(
      reduce(...paid, callback(hour, 'refund', 'success'), lookUp(hour + minute, 'refund')),
    ).toMatchObject({
      state: 'refunded',
      since: start + hour,
      flags: [],
    });
  });

  test('if order_amount is the refunded amount, a smaller one is a partial refund, and parts add up to the whole exactly', () => {
    const part = (at: number, amount: string): EventDraft =>
      withRefundedAmount(
        callback(at, 'refund', 'success', { order_amount: amount, date: `2026-10-05 13:00:${at / minute}` }),
      );
    const parts = [part(10 * minute, '0.10'), part(20 * minute, '0.20')];
    expect(reduce(...paid, ...parts)).toMatchObject({ state: 'part-refunded', flags: [] });
    expect(reduce(...paid, ...parts, part(30 * minute, '123.10')).state).toBe('refunded');
  });

  test('a refund callback counts its amount only if the profile defines order_amount as the refunded amount', () => {
    const refund = callback(hour, 'refund', 'success', { order_amount: '23.40' });
    expect(reduce(...paid, refund).state).toBe('refund-seen');
    expect(reduce(...paid, withRefundedAmount(refund)).state).toBe('part-refunded');
  });

  test('a refund callback with the full amount and order_status settled leaves the amount of the refund unknown', () => {
    const refund = callback(hour, 'refund', 'success', { order_status: 'settled' });
    expect(reduce(...paid, withRefundedAmount(refund)).state).toBe('refund-seen');
  });

  test('a refund callback with a smaller amount and order_status settled is a partial refund', () => {
    const refund = callback(hour, 'refund', 'success', { order_status: 'settled', order_amount: '23.40' });
    expect(reduce(...paid, withRefundedAmount(refund)).state).toBe('part-refunded');
  });

  test('a refund that is smaller by the least possible difference is a partial refund', () => {
    const refund = callback(hour, 'refund', 'success', { order_amount: '123.399999' });
    expect(reduce(...paid, withRefundedAmount(refund)).state).toBe('part-refunded');
  });

  test('a refund of an order whose amount is unknown has an unknown size', () => {
    const [sale, refund] = ['sale', 'refund'].map((type, index) =>
      callback(hour + index, type, 'success', { order_amount: '' }),
    );
    if (!sale || !refund) throw new Error('There are two callbacks.');
    expect(reduce(sale, withRefundedAmount(refund)).state).toBe('refund-seen');
    const known = callback(hour + 1, 'refund', 'success', { order_amount: '10.00' });
    expect(reduce(sale, withRefundedAmount(known)).state).toBe('refund-seen');
  });

  test('after a refund, a look-up with refund means the whole amount, and one with settled a part', () => {
    expect(reduce(...paid, callback(hour, 'refund', 'success'), lookUp(hour + minute, 'refund')).state).toBe(
      'refunded',
    );
    expect(reduce(...paid, callback(hour, 'refund', 'success'), lookUp(hour + minute, 'settled')).state).toBe(
      'part-refunded',
    );
  });

  test('a void, a reversal and a chargeback are different states', () => {
    expect(reduce(...paid, callback(hour, 'void', 'success')).state).toBe('voided');
    expect(reduce(...paid, lookUp(hour, 'reversal')).state).toBe('reversed');
    expect(reduce(...paid, callback(hour, 'chargeback', 'success')).state).toBe('chargeback');
  });

  test('two ids that settle one order are flagged', () => {
    const payment = reduce(...paid, callback(hour, 'sale', 'success', { id: otherPayer }));
    expect(payment.state).toBe('paid-confirmed');
    expect(flag(payment, 'settled-twice')).toEqual({ paymentIds: `${payer} ${otherPayer}` });
  });

  test('one of two settlements refunded leaves the order paid', () => {
    const events = [...paid, callback(hour, 'sale', 'success', { id: otherPayer })];
    expect(reduce(...events, callback(2 * hour, 'refund', 'success', { id: otherPayer }))).toMatchObject({
      state: 'paid-confirmed',
      flags: [],
    });
  });
});
