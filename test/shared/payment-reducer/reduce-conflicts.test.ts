import { describe, expect, test } from 'vitest';
import { callback, lookUp, order, payer, invalid } from '../../../tools/evidence/evidence.ts';
import { minute, reduce, flag, raised } from '../../../tools/evidence/reduced.ts';

/** Evidence that contradicts other evidence about the same payment. */

test.each(['123.4', '123.400', '0123.40'])('the amount %s of a callback is equal to 123.40', amount => {
  const payment = reduce(
    ...raised,
    callback(minute, 'sale', 'success', { order_amount: amount }),
    lookUp(2 * minute, 'settled'),
  );
  expect(payment).toMatchObject({ state: 'paid-confirmed', flags: [] });
});

test('an answer about another order proves nothing about this one', () => {
  const payment = reduce(
    ...raised,
    callback(minute, 'sale', 'success'),
    lookUp(2 * minute, 'settled', { order: { ...order, number: 'CF-2002' } }),
  );
  expect(payment.state).toBe('paid-unconfirmed');
  expect(flag(payment, 'sources-disagree')).toMatchObject({ ours: 'CF-1001', theirs: 'CF-2002' });
});

describe('values that a signature does not cover', () => {
  test.each([
    'card',
    'card_expiration_date',
    'customer_name',
    'customer_ip',
    'rrn',
    'approval_code',
    'reason',
    'date',
    'connector_name',
  ])('a callback of the same id, type and status with another %s raises the gravest flag', field => {
    const events = [...raised, callback(minute, 'sale', 'success', { [field]: 'one' })];
    const payment = reduce(...events, callback(2 * minute, 'sale', 'success', { [field]: 'other' }));
    expect(payment.flags[0]).toMatchObject({
      kind: 'changed-between-deliveries',
      values: { field, ours: 'one', theirs: 'other', type: 'sale', paymentId: payer },
    });
  });

  test('a callback with fail that becomes success raises the gravest flag and blocks the script until a look-up with settled', () => {
    const events = [...raised, callback(minute, 'sale', 'fail'), callback(2 * minute, 'sale', 'success')];
    const payment = reduce(...events);
    expect(payment.state).toBe('needs-attention');
    expect(payment.flags[0]).toMatchObject({
      kind: 'changed-between-deliveries',
      values: { field: 'status' },
    });
    expect(reduce(...events, lookUp(3 * minute, 'settled')).state).toBe('paid-confirmed');
    expect(reduce(...events, lookUp(3 * minute, 'decline')).state).toBe('needs-attention');
  });

  test('a callback with waiting makes a payment neither paid nor failed', () => {
    expect(reduce(...raised, callback(minute, 'sale', 'waiting')).state).toBe('processing');
  });

  test('a changed token of a callback is flagged without its value', () => {
    const payment = reduce(
      ...raised,
      callback(minute, 'sale', 'success', { card_token: 'tok-one' }),
      callback(2 * minute, 'sale', 'success', { card_token: 'tok-two' }),
    );
    expect(payment.flags[0]).toMatchObject({ values: { field: 'card_token', ours: '•••', theirs: '•••' } });
  });

  test('a parameter that is absent, empty or the text null has not changed', () => {
    const payment = reduce(
      ...raised,
      callback(minute, 'sale', 'success', { schedule_id: 'null', issuer_bank: '' }),
      callback(2 * minute, 'sale', 'success', { schedule_id: 's-1', issuer_bank: 'Bank' }),
    );
    expect(payment.flags).toEqual([]);
  });

  test('many forged callbacks do not cause many flags', () => {
    const forged = Array.from({ length: 500 }, (_, index) =>
      callback(minute + index, 'sale', 'success', { card: `${index}` }, invalid),
    );
    const payment = reduce(...raised, ...forged);
    expect(payment.state).toBe('waiting');
    expect(payment.flags.length).toBeLessThan(50);
  });
});
