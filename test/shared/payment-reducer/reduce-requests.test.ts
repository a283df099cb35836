import { describe, expect, test } from 'vitest';
import type { Event } from '../../../shared/payments/evidence.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import {
  accepted,
  callback,
  hour,
  lookUp,
  note,
  order,
  refusedSession,
  invalid,
  requested,
  start,
  unanswered,
} from '../../../tools/evidence/evidence.ts';
import { minute, raised, reduce, flagsOf, flag } from '../../../tools/evidence/reduced.ts';

/** The state of a payment from the requests sent here, and without any. */

describe('requests without further evidence', () => {
  test('a request without an answer has an unknown outcome, never an assumed one', () => {
    expect(reduce(requested())).toMatchObject({
      state: 'outcome-unknown',
      basis: { kind: 'silence' },
      linkUsable: false,
    });
    expect(reduce(requested(), unanswered())).toMatchObject({
      state: 'outcome-unknown',
      since: start + 20_000,
    });
  });

  test('an accepted request waits for the customer until its link expires', () => {
    const payment = reduce(...raised);
    expect(payment).toMatchObject({
      state: 'waiting',
      since: start + 500,
      linkUsable: true,
      raisedHere: true,
      agent: 'Ada',
      basis: { kind: 'acceptance' },
    });
    const row = { state: payment.state, expiresAt: payment.link?.expiresAt ?? null };
    expect(stateAt(row, start + 500 + hour - 1)).toBe('waiting');
    expect(stateAt(row, start + 500 + hour)).toBe('expired');
  });

  test('a refused request has no link, and shows why', () => {
    expect(reduce(requested(), refusedSession())).toMatchObject({
      state: 'refused',
      reason: 'Your provider rejected the request.',
      link: null,
    });
  });

  test('a refusal does not hide an earlier link that is still valid', () => {
    const second = '0d0e9d5a-58a7-4a0c-9f3c-3b4a55b2f002';
    const payment = reduce(
      ...raised,
      requested(minute, { idempotencyKey: second }),
      refusedSession(2 * minute, { idempotencyKey: second }),
    );
    expect(payment).toMatchObject({ state: 'waiting', linkUsable: true });
    expect(flagsOf(payment)).toEqual([]);
  });

  test('an unanswered request is settled by a callback or a look-up', () => {
    expect(reduce(requested(), unanswered(), lookUp(minute, 'prepare')).state).toBe('waiting');
    expect(reduce(requested(), unanswered(), callback(minute, '3ds', 'success')).state).toBe('bank-check');
    expect(reduce(requested(), unanswered(), callback(minute, 'sale', 'success')).state).toBe(
      'paid-unconfirmed',
    );
  });

  test('an order created twice is one payment with its latest link, and the second creation is flagged', () => {
    const idempotencyKey = '0d0e9d5a-58a7-4a0c-9f3c-3b4a55b2f002';
    const payment = reduce(
      ...raised,
      requested(2 * hour, { idempotencyKey }),
      accepted(2 * hour + 500, { idempotencyKey, link: 'https://pay.example/auth/second' }),
    );
    expect(payment).toMatchObject({ state: 'waiting', link: { url: 'https://pay.example/auth/second' } });
    expect(flag(payment, 'raised-twice')).toEqual({ times: '2' });
  });

  test('a payment with a new link after a decline waits again', () => {
    const idempotencyKey = '0d0e9d5a-58a7-4a0c-9f3c-3b4a55b2f002';
    const declined = [...raised, callback(minute, 'sale', 'fail')];
    expect(reduce(...declined).state).toBe('declined');
    const fresh = [requested(2 * hour, { idempotencyKey }), accepted(2 * hour + 500, { idempotencyKey })];
    expect(reduce(...declined, ...fresh)).toMatchObject({ state: 'waiting', linkUsable: true });
  });
});

describe('orders that this console did not create', () => {
  test('orders that this console did not create become separate payments, marked as such, with the terms first reported', () => {
    const payment = reduce(callback(minute, 'sale', 'success'), lookUp(2 * minute, 'settled'));
    expect(payment).toMatchObject({
      raisedHere: false,
      agent: null,
      state: 'paid-confirmed',
      amount: order.amount,
      currency: order.currency,
      customer: { name: 'Jane Doe', email: 'jane@example.com' },
    });
    expect(flagsOf(payment)).toEqual(['not-raised-here']);
  });

  test('orders that this console did not create with only unverified evidence have an unknown state', () => {
    const payment = reduce(callback(minute, 'sale', 'success', {}, invalid));
    expect(payment).toMatchObject({ state: 'outcome-unknown', basis: null, attempts: [] });
    expect(flagsOf(payment)).toEqual(['unverified-evidence', 'not-raised-here']);
  });

  test('an order with a note alone is a draft', () => {
    expect(reduce(note(0, 'Mr Doe will call back')).state).toBe('draft');
  });
});

test('a payment without evidence does not exist', () => {
  expect(() => reducePayment([] as Event[])).toThrow(RangeError);
});
