import { describe, expect, test } from 'vitest';
import { problemsOf } from '../../main/callbacks/inspect.ts';
import { parameters } from '../../main/callbacks/interface-table.ts';
import { meaningOf } from '../../main/callbacks/meaning.ts';
import type { CallbackFields } from '../../shared/evidence.ts';

/** What a callback means, and where it contradicts the interface (§2.6, §3.2, §7). */

const usual: Record<string, string> = {
  id: 'db5b5fab-8f4d-4e27-9da1-494c73cf256d',
  order_number: 'order-61033',
  order_amount: '4738.80',
  order_currency: 'PLN',
  order_description: 'Two nights, room 12',
  type: 'sale',
  status: 'success',
  customer_ip: '203.0.113.219',
  hash: 'f9a82835b8ad8ed87a98abb62177599f2b7412d8',
};
const callback = (changes: Record<string, string | null> = {}): CallbackFields =>
  Object.entries({ ...usual, ...changes }).flatMap(([name, value]): CallbackFields =>
    value === null ? [] : [[name, value]],
  );

/** §3.2's table, written down here once more. */
const table: Record<string, readonly string[]> = {
  success: ['sale', '3ds', 'redirect', 'refund', 'void', 'recurring', 'chargeback'],
  fail: ['sale', 'refund', 'void', 'recurring'],
  waiting: ['sale', 'refund', 'void', 'recurring'],
};
const types = ['sale', '3ds', 'redirect', 'refund', 'void', 'recurring', 'chargeback'];
const pairs = Object.keys(table).flatMap(status => types.map(type => [type, status] as const));

describe('type and status', () => {
  test.each(pairs)('%s with %s is allowed or named as contradicting the interface', (type, status) => {
    const meaning = meaningOf(callback({ type, status }));
    expect(meaning.allowed).toBe(table[status]?.includes(type));
    if (!meaning.allowed) {
      expect(meaning).toMatchObject({ title: 'Contradicts the interface', effect: 'unknown' });
      expect(problemsOf(callback({ type, status })).map(({ field }) => field)).toContain('status');
    }
  });

  test('only sale with success is a payment', () => {
    const paid = pairs.filter(([type, status]) => meaningOf(callback({ type, status })).effect === 'paid');
    expect(paid).toEqual([['sale', 'success']]);
  });

  test('redirect with success is not a payment', () => {
    expect(meaningOf(callback({ type: 'redirect' })).effect).toBe('in-progress');
  });

  test.each(['capture', 'debit', 'transfer', 'reversal', 'init', 'nonsense', ''])(
    'the type "%s" is outside the interface and never a payment',
    type => {
      expect(meaningOf(callback({ type }))).toMatchObject({ allowed: false });
      expect(meaningOf(callback({ type })).effect).not.toBe('paid');
    },
  );

  test('a status outside the interface is never a payment', () => {
    for (const status of ['undefined', 'SUCCESS', 'ok', '']) {
      expect(meaningOf(callback({ status })).effect).not.toBe('paid');
    }
  });

  test('an order_status that disagrees with sale + success is said, not chosen in silence', () => {
    const meaning = meaningOf(callback({ order_status: 'pending' }));
    expect(meaning.effect).not.toBe('paid');
    expect(meaning.text).toContain('order_status');
  });
});

describe('parameters', () => {
  const problemWith = (changes: Record<string, string | null>): (string | null)[] =>
    problemsOf(callback(changes)).map(({ field }) => field);

  test('of the table, all are known with their section', () => {
    const named = [
      'id order_number order_amount order_currency order_description type status reason rrn approval_code card',
      'card_expiration_date card_token customer_name customer_email customer_country customer_state customer_city',
      'customer_address customer_ip date recurring_inti_trans_id recurring_init_trans_id recurring_token schedule_id hash',
    ].flatMap(line => line.split(' '));
    const known = new Set(parameters.filter(({ documented }) => documented).map(({ name }) => name));
    expect(named.filter(name => !known.has(name))).toEqual([]);
  });

  test('of a callback as the interface has it give no problem', () => {
    expect(problemsOf(callback())).toEqual([]);
  });

  test.each([
    ['id', 'not-a-uuid'],
    ['order_amount', 'ten'],
    ['order_currency', 'PLNX'],
    ['customer_ip', '999.1.1.1'],
    ['card_expiration_date', '13/2027'],
    ['customer_country', 'XYZ'],
    ['recurring_init_trans_id', 'x'],
  ])('%s in a wrong format is reported, and the callback is read all the same', (name, value) => {
    expect(problemWith({ [name]: value })).toContain(name);
    expect(meaningOf(callback({ [name]: value })).effect).toBe('paid');
  });

  test.each([
    'id',
    'order_number',
    'order_amount',
    'order_currency',
    'type',
    'status',
    'customer_ip',
    'hash',
  ])('a callback without %s is told so', name => {
    expect(problemWith({ [name]: null })).toContain(name);
  });

  test('a reason may come with fail for sale and refund alone', () => {
    expect(problemWith({ status: 'fail', reason: 'Declined' })).not.toContain('reason');
    expect(problemWith({ reason: 'Declined' })).toContain('reason');
    expect(problemWith({ type: 'void', status: 'fail', reason: 'Declined' })).toContain('reason');
  });

  test('both spellings of the recurring reference are taken, and a contradiction between them is named', () => {
    const id = 'db5b5fab-8f4d-4e27-9da1-494c73cf256d';
    expect(problemWith({ recurring_inti_trans_id: id })).toEqual([]);
    expect(problemWith({ recurring_init_trans_id: id })).toEqual([]);
    expect(
      problemWith({
        recurring_inti_trans_id: id,
        recurring_init_trans_id: '50a1361a-7c2e-11f1-b8d4-0242ac120002',
      }),
    ).toContain('recurring_inti_trans_id');
  });

  test('what the interface does not list is kept and named', () => {
    expect(problemsOf(callback({ connector_name: 'x' })).at(-1)?.message).toContain('connector_name');
  });
});
