import { describe, expect, it, test } from 'vitest';
import * as fc from 'fast-check';
import { contradictions } from '../../../main/callbacks/interpret.ts';
import type { DraftOf, EventDraft, LookUpKey, Verification } from '../../../shared/payments/evidence.ts';
import type { Flag } from '../../../shared/payments/payment.ts';
import {
  accepted,
  again,
  asEvent,
  callback,
  draft,
  hour,
  invalid,
  lookUp,
  note,
  order,
  otherPayer,
  payer,
  requested,
  start,
  verified,
} from '../../../tools/evidence/evidence.ts';
import { flag, flagsOf, minute, raised, reduce } from '../../../tools/evidence/reduced.ts';
import { isInquiry } from '../../../shared/payment-reducer/evidence/inquiry.ts';

/** Callbacks alone: their deliveries, their signatures, and what is compared between them. */

type Callback = DraftOf<'callback.received'>;
const without = (one: Callback, ...names: string[]): Callback => ({
  ...one,
  body: { ...one.body, fields: one.body.fields.filter(([name]) => !names.includes(name)) },
});
const withField = (one: Callback, name: string, value: string): Callback => ({
  ...one,
  body: { ...one.body, fields: [...one.body.fields, [name, value]] },
});
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
    [good, { ...again(good, retried), body: { ...arrived.body } }],
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
    const second = (changes: Record<string, string>, status = 'success') =>
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
  const answered = lookUp(3 * minute, 'settled', { paymentId: null });
  const settled = (asked: LookUpKey): EventDraft => ({ ...answered, body: { ...answered.body, asked } });
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
    const answers = given.flatMap(([status, date]) => lookUp(minute, status, { date }).body.answers);
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
