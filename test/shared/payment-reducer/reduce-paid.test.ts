import { describe, expect, test } from 'vitest';
import { callback, hour, lookUp, payer, start } from '../../../tools/evidence/evidence.ts';
import { minute, reduce, flag, raised } from '../../../tools/evidence/reduced.ts';

/** Which evidence pays a payment, and when. */

describe('the grades of paid', () => {
  test('a verified sale + success that agrees with our record is paid by callback, not yet confirmed', () => {
    const payment = reduce(...raised, callback(minute, 'sale', 'success'));
    expect(payment).toMatchObject({
      state: 'paid-unconfirmed',
      since: start + minute,
      basis: { kind: 'callback', at: start + minute, verified: true },
      linkUsable: false,
      cardLast4: '1111',
      flags: [],
    });
    expect(payment.attempts).toMatchObject([{ paymentId: payer, outcome: 'paid', rrn: '123456789012' }]);
  });

  test('a look-up with settled confirms a payment that a callback reported, in either order', () => {
    const sale = callback(minute, 'sale', 'success');
    expect(reduce(...raised, sale, lookUp(2 * minute, 'settled'))).toMatchObject({
      state: 'paid-confirmed',
      since: start + 2 * minute,
      basis: { kind: 'callback', at: start + minute },
      flags: [],
    });
    expect(reduce(...raised, lookUp(30_000, 'settled'), sale)).toMatchObject({
      state: 'paid-confirmed',
      since: start + 30_000,
    });
  });

  test('another look-up does not change the time when a payment was confirmed', () => {
    const events = [...raised, callback(minute, 'sale', 'success'), lookUp(2 * minute, 'settled')];
    expect(reduce(...events, lookUp(hour, 'settled')).since).toBe(start + 2 * minute);
  });

  test.each([
    ['redirect', 'success', 'waiting'],
    ['3ds', 'success', 'bank-check'],
    ['sale', 'waiting', 'processing'],
    ['sale', 'fail', 'declined'],
    ['refund', 'success', 'refund-seen'],
    ['refund', 'fail', 'outcome-unknown'],
    ['refund', 'waiting', 'outcome-unknown'],
    ['void', 'success', 'voided'],
    ['void', 'fail', 'outcome-unknown'],
    ['void', 'waiting', 'outcome-unknown'],
    ['recurring', 'success', 'outcome-unknown'],
    ['recurring', 'fail', 'declined'],
    ['recurring', 'waiting', 'processing'],
    ['chargeback', 'success', 'chargeback'],
    ['transfer', 'success', 'outcome-unknown'],
    ['reversal', 'success', 'reversed'],
    ['sale', 'undefined', 'outcome-unknown'],
    ['sale', 'SUCCESS', 'outcome-unknown'],
    ['', '', 'outcome-unknown'],
  ] as const)('a callback with %s + %s is not paid: %s', (type, status, state) => {
    expect(reduce(...raised, callback(minute, type, status)).state).toBe(state);
  });

  test.each([
    ['prepare', 'waiting'],
    ['pending', 'processing'],
    ['3ds', 'bank-check'],
    ['redirect', 'started'],
    ['settled', 'paid-confirmed'],
    ['decline', 'declined'],
    ['refund', 'refunded'],
    ['reversal', 'reversed'],
    ['chargeback', 'chargeback'],
    ['void', 'voided'],
    ['something new', 'outcome-unknown'],
  ] as const)('a look-up with %s alone is %s', (status, state) => {
    expect(reduce(...raised, lookUp(minute, status)).state).toBe(state);
  });

  test('values of a look-up outside the interface are flagged as received', () => {
    expect(flag(reduce(...raised, callback(minute, 'capture', 'success')), 'outside-interface')).toEqual({
      field: 'type',
      theirs: 'capture',
    });
    expect(flag(reduce(...raised, lookUp(minute, 'void')), 'outside-interface')).toEqual({
      field: 'status',
      theirs: 'void',
    });
    expect(flag(reduce(...raised, callback(minute, '3ds', 'fail')), 'contradicts-interface')).toBeDefined();
  });
});

describe('the time of payment', () => {
  const sale = callback(minute, 'sale', 'success');
  test('the time of payment is that of the first report of money, with any later evidence', () => {
    for (const later of [
      [],
      [lookUp(2 * minute, 'settled')],
      [callback(3 * minute, 'refund', 'success')],
      [callback(3 * minute, 'chargeback', 'success')],
    ])
      expect(reduce(...raised, sale, ...later).paidAt).toBe(start + minute);
  });

  test('the time of payment is null if no money came in, or if it is unknown', () => {
    for (const told of [
      [],
      [callback(minute, 'sale', 'fail')],
      [sale, lookUp(2 * minute, 'decline')],
      [callback(minute, 'void', 'success')],
    ])
      expect(reduce(...raised, ...told).paidAt).toBeNull();
  });
});
