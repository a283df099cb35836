import { expect, test } from 'vitest';
import { contradictions } from '../../../main/callbacks/interpret.ts';
import type { EventDraft, Verification } from '../../../shared/payments/evidence.ts';
import type { Flag } from '../../../shared/payments/payment.ts';
import {
  accepted,
  again,
  callback,
  draft,
  invalid,
  order,
  otherPayer,
  payer,
  requested,
  start,
  verified,
} from '../../../tools/evidence/evidence.ts';
import { flag, flagsOf, minute, raised, reduce } from '../../../tools/evidence/reduced.ts';

/** Callbacks alone: their deliveries, their signatures, and what is compared between them. */

const without = (one: EventDraft, ...names: string[]): EventDraft =>
  one.kind === 'callback.received'
    ? { ...one, body: { ...one.body, fields: one.body.fields.filter(([name]) => !names.includes(name)) } }
    : one;
const withField = (one: EventDraft, name: string, value: string): EventDraft =>
  one.kind === 'callback.received'
    ? { ...one, body: { ...one.body, fields: [...one.body.fields, [name, value]] } }
    : one;
const checked = (one: EventDraft, at: number, verification: Verification): EventDraft =>
  draft('callback.reverified', at, { callback: one.id, verification });
/** The fields that changed between callbacks. */
const changedIn = (...drafts: readonly EventDraft[]): (string | undefined)[] =>
  reduce(...raised, ...drafts)
    .flags.filter(({ kind }) => kind === 'changed-between-deliveries')
    .map(({ values }) => values['field']);

const noPassword: Verification = { verdict: 'no-password', uppercasing: null, digest: 'md5' };
const [arrived, retried] = [callback(minute, 'sale', 'success', {}, invalid), 2 * minute];

test('the signature of a callback that verified once is proof, for any later verification', () => {
  const good = callback(minute, 'sale', 'success');
  for (const evidence of [
    [good, { ...again(good, retried), body: { ...arrived.body } } as EventDraft],
    [arrived, checked(arrived, retried, verified), checked(arrived, 3 * minute, invalid)],
    [arrived, checked(arrived, retried, invalid), checked(arrived, 3 * minute, verified)],
  ]) {
    const payment = reduce(...raised, ...evidence);
    expect(payment.state).toBe('paid-unconfirmed');
    expect(flagsOf(payment)).not.toContain('unverified-evidence');
  }
});

test('the signature of a callback that never verified is flagged with the last verdict and all deliveries, and changes nothing', () => {
  const second = again(arrived, retried);
  const evidence = [arrived, second, checked(second, 3 * minute, noPassword)];
  const payment = reduce(...raised, ...evidence);
  expect(payment.state).toBe('waiting');
  const events = [arrived.id, second.id].toSorted();
  expect(payment.flags).toEqual([
    {
      kind: 'unverified-evidence',
      values: { verdict: 'no-password', type: 'sale', status: 'success' },
      events,
    },
    {
      kind: 'duplicate-delivery',
      values: { type: 'sale', status: 'success', deliveries: '2' },
      events,
    },
  ]);
  expect(flag(reduce(arrived), 'unverified-evidence')?.['verdict']).toBe('invalid');
});

test('a callback that repeats a parameter with the same value counts', () => {
  const payment = reduce(...raised, withField(callback(minute, 'sale', 'success'), 'status', 'success'));
  expect(payment).toMatchObject({ state: 'paid-unconfirmed', flags: [] });
});

test('a callback that contradicts itself is flagged with the name of the first such parameter', () => {
  const twice = withField(callback(minute, 'sale', 'success'), 'status', 'fail');
  expect(flag(reduce(...raised, withField(twice, 'type', 'void')), 'contradicts-interface')).toEqual({
    field: 'status',
    theirs: 'more than one value',
  });
});

test('a callback that names its payment in another parameter belongs to it', () => {
  const named = without(
    callback(minute, 'sale', 'success', { payment_id: payer }, verified, { paymentId: payer }),
    'id',
  );
  expect(reduce(...raised, named)).toMatchObject({ paymentIds: [payer], attempts: [{ paymentId: payer }] });
  // The named payment is the one of the id, if both are there.
  const both = callback(minute, 'sale', 'success', {}, verified, { paymentId: otherPayer });
  expect(reduce(...raised, both).paymentIds).toEqual([payer]);
});

test('a callback without type, status and description has an unknown outcome, and no description', () => {
  const empty = without(callback(minute, 'sale', 'success'), 'type', 'status', 'order_description');
  const payment = reduce(empty);
  expect(payment).toMatchObject({ state: 'outcome-unknown', description: null });
  expect(payment.flags.map(({ kind, values }) => ({ kind, values }))).toEqual([
    { kind: 'outside-interface', values: { field: 'status', theirs: '' } },
    { kind: 'outside-interface', values: { field: 'type', theirs: '' } },
    { kind: 'not-raised-here', values: {} },
  ]);
});

const flagged = (type: string, status: string, fields = {}): Pick<Flag, 'kind' | 'values'>[] =>
  reduce(...raised, callback(minute, type, status, fields)).flags.map(({ kind, values }) => ({
    kind,
    values,
  }));

test.each([
  ['capture', 'success', [{ kind: 'outside-interface', values: { field: 'type', theirs: 'capture' } }]],
  ['sale', 'ok', [{ kind: 'outside-interface', values: { field: 'status', theirs: 'ok' } }]],
  ['3ds', 'fail', [{ kind: 'contradicts-interface', values: { field: 'status', theirs: '3ds + fail' } }]],
  ['capture', 'fail', [{ kind: 'outside-interface', values: { field: 'type', theirs: 'capture' } }]],
  ['sale', 'waiting', []],
] as const)('%s with %s outside the interface is flagged as received, once', (type, status, flags) => {
  expect(flagged(type, status)).toEqual(flags);
});

test.each([
  ['sale', 'success', 'settled', false],
  ['sale', 'success', 'success', false],
  ['sale', 'success', 'null', false],
  ['sale', 'success', 'pending', true],
  ['sale', 'fail', 'success', true],
  ['sale', 'fail', 'settled', true],
  ['sale', 'fail', 'decline', false],
  ['sale', 'waiting', 'settled', false],
  ['refund', 'success', 'pending', false],
  ['refund', 'fail', 'settled', false],
])(
  'a callback %s with %s and the order_status %s: the two disagree: %s',
  (type, status, order_status, disagrees) => {
    const values = { field: 'order_status', ours: `sale + ${status}`, theirs: order_status };
    expect(flagged(type, status, { order_status })).toEqual(
      disagrees ? [{ kind: 'order-status-disagrees', values }] : [],
    );
    // The inspector of the callback says the same as the payment's page.
    const inspected = contradictions(Object.entries({ type, status, order_status }));
    expect(inspected.some(({ field }) => field === 'order_status')).toBe(disagrees);
  },
);

const changed = (name: string, first: EventDraft, second: EventDraft): void => {
  expect(changedIn(first, second)).toEqual([name]);
  expect(changedIn(second, { ...first, happenedAt: second.happenedAt + 1 })).toEqual([name]);
};

test('signed terms and the signature are not compared between callbacks: they are compared with the request', () => {
  for (const name of ['order_amount', 'order_currency', 'order_description', 'hash']) {
    const other = callback(2 * minute, 'sale', 'success', { [name]: '1.00' });
    expect(changedIn(callback(minute, 'sale', 'success'), other)).toEqual([]);
  }
});

test.each(['card', 'card_expiration_date', 'card_token', 'rrn', 'approval_code', 'customer_email'])(
  '%s stays equal between the callbacks of a sale while it completes',
  name => {
    const [one, other] = ['one', 'other'].map(value => ({ [name]: value }));
    changed(name, callback(minute, 'sale', 'waiting', one), callback(2 * minute, 'sale', 'success', other));
  },
);

test('callbacks of different payments, or of no known one, are not compared', () => {
  const [one, other] = [
    callback(minute, 'sale', 'fail', { reason: 'one' }),
    callback(2 * minute, 'sale', 'fail', { reason: 'other', id: otherPayer }),
  ];
  expect(changedIn(one, other)).toEqual([]);
  const nameless = [one, other].map(each => ({ ...without(each, 'id'), paymentId: null }));
  expect(changedIn(...nameless)).toEqual([]);
});

test.each(['refund', 'void', 'chargeback', 'recurring', 'capture', 'debit', 'transfer'])(
  'a %s is one transaction with the same status, amount, date and RRN, and another with any other',
  type => {
    const first = callback(minute, type, 'success', { gateway_id: 'one' });
    const second = (changes: Record<string, string>, status = 'success'): EventDraft =>
      callback(2 * minute, type, status, { gateway_id: 'other', ...changes });
    changed('gateway_id', first, second({}));
    const date = '2026-10-05 12:09:00';
    for (const changes of [{ order_amount: '1.00' }, { date }, { rrn: '9' }, { rrn: '' }])
      expect(changedIn(first, second(changes))).toEqual([]);
    expect(changedIn(first, second({}, 'fail'))).toEqual([]);
    // Without a date there is no telling whether it is the same one.
    expect(changedIn(without(first, 'date'), without(second({}), 'date'))).toEqual([]);
  },
);

test.each(['3ds', 'redirect'])('callbacks of the type %s are not compared: each may be another try', type => {
  const [one, other] = ['1', '2'].map(card => ({ card, rrn: card }));
  expect(
    changedIn(callback(minute, type, 'success', one), callback(2 * minute, type, 'success', other)),
  ).toEqual([]);
});

test('the first delivery of a callback determines its time', () => {
  const sale = callback(minute, 'sale', 'success');
  const payment = reduce(requested(), accepted(), again(sale, 2 * minute), sale);
  expect(payment).toMatchObject({ since: start + minute, amount: order.amount });
});
