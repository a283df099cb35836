import { describe, expect, test } from 'vitest';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { historyOf } from '../../../shared/payment-reducer/reduce-attempts.ts';
import { createFlagCollector } from '../../../shared/payment-reducer/evidence/flag-collector.ts';
import {
  callback,
  hour,
  invalid,
  lookUp,
  payer,
  start,
  withRefundedAmount,
} from '../../../tools/evidence/evidence.ts';
import { flagsOf, minute, raised, reduce } from '../../../tools/evidence/reduced.ts';
import { type Terms, bestTermsMatch } from '../../../shared/payment-reducer/evidence/terms.ts';
import { endsWithLink } from '../../../shared/payment-reducer/state-at.ts';
import { flagKinds } from '../../../shared/payments/payment-kinds.ts';
import { compareTexts } from '../../../shared/compare-texts.ts';

/** One payment id: which of its callbacks counts, and what is shown of the attempt. */

const [first, second] = [minute, 2 * minute];

test('a success after a failure of one payment is flagged with both claims and both events', () => {
  const [failed, sold] = [callback(first, 'recurring', 'fail'), callback(second, 'sale', 'success')];
  const flags = reduce(...raised, failed, sold).flags;
  expect(flags).toEqual([
    {
      kind: 'sources-disagree',
      values: { field: 'callback', ours: 'recurring + fail', theirs: 'sale + success' },
      events: [failed.id, sold.id].toSorted(),
    },
  ]);
});

const sale = callback(first, 'sale', 'success');
const isFlagged = (...drafts: readonly EventDraft[]): boolean =>
  flagsOf(reduce(...raised, ...drafts)).includes('returned-without-callback');

test.each(['refund', 'reversal', 'void'])(
  'money that went back is flagged if only a look-up with %s reports it',
  status => {
    const looked = lookUp(hour, status);
    expect(
      reduce(...raised, sale, looked).flags.filter(({ kind }) => kind === 'returned-without-callback'),
    ).toEqual([{ kind: 'returned-without-callback', values: {}, events: [looked.id] }]);
  },
);

test.each<[string, readonly EventDraft[]]>([
  ['a callback reports it too', [sale, callback(second, 'refund', 'success'), lookUp(hour, 'refund')]],
  ['no report says that it was paid', [lookUp(second, 'pending'), lookUp(hour, 'refund')]],
  ['the callback says that it was not paid', [callback(first, 'sale', 'fail'), lookUp(hour, 'reversal')]],
  ['it did not go back', [sale, lookUp(hour, 'settled')]],
  ['it is disputed', [sale, lookUp(hour, 'chargeback')]],
])('money that went back is not flagged if %s', (_, drafts) => {
  expect(isFlagged(...drafts)).toBe(false);
});

const attemptOf = (...drafts: readonly EventDraft[]) => reduce(...raised, ...drafts).attempts[0];
const refund = callback(second, 'refund', 'success');

test.each([
  ['in-progress', [callback(first, '3ds', 'success')]],
  ['in-progress', [callback(first, 'sale', 'waiting')]],
  ['paid', [sale]],
  ['paid', [sale, lookUp(second, 'settled')]],
  ['declined', [callback(first, 'sale', 'fail')]],
  ['refund-seen', [sale, refund]],
  ['part-refunded', [sale, refund, lookUp(hour, 'settled')]],
  ['refunded', [sale, withRefundedAmount(refund)]],
  ['voided', [callback(first, 'void', 'success')]],
  ['reversed', [callback(first, 'reversal', 'success')]],
  ['chargeback', [callback(first, 'chargeback', 'success')]],
  ['unknown', [callback(first, 'void', 'fail')]],
  ['unknown', [sale, lookUp(second, 'decline')]],
] as const)('an attempt has the outcome %s', (outcome, evidence) => {
  expect(attemptOf(...evidence)).toMatchObject({ paymentId: payer, outcome });
});

test('an attempt covers the time from its first evidence to its last', () => {
  expect(
    attemptOf(
      lookUp(second, 'pending'),
      callback(first, '3ds', 'success'),
      callback(hour, 'sale', 'success'),
    ),
  ).toMatchObject({ firstAt: start + first, lastAt: start + hour });
  expect(attemptOf(sale, lookUp(hour, 'settled'))).toMatchObject({ lastAt: start + hour });
});

test('an attempt shows the last value that its callbacks gave, and null for none', () => {
  const bank = { card: '411111******1111', rrn: '1', approval_code: '' };
  const paid = { card: '555555****4444', rrn: '2', approval_code: 'B' };
  const nothing = { card: 'null', rrn: '', approval_code: '' };
  const [check, done] = [callback(first, '3ds', 'success', bank), callback(second, 'sale', 'success', paid)];
  const last = { cardLast4: '4444', rrn: '2', approvalCode: 'B' };
  expect(attemptOf(check, done)).toMatchObject(last);
  expect(attemptOf(check, done, callback(hour, 'refund', 'fail', nothing))).toMatchObject(last);
  const none = { cardLast4: null, rrn: null, approvalCode: null };
  expect(attemptOf(callback(first, 'sale', 'success', nothing))).toMatchObject(none);
  expect(attemptOf(lookUp(first, 'settled'))).toMatchObject(none);
  expect(attemptOf(callback(first, 'sale', 'success', { card: 'masked' }))).toMatchObject({
    cardLast4: null,
  });
});

test('an attempt shows the reason of the evidence that counts, and null for none', () => {
  const failed = callback(first, 'sale', 'fail', { reason: 'Declined' });
  expect(attemptOf(failed)).toMatchObject({ reason: 'Declined' });
  expect(attemptOf(lookUp(first, 'decline', { reason: 'Stolen' }))).toMatchObject({ reason: 'Stolen' });
  expect(attemptOf(sale)).toMatchObject({ reason: null });
});

test('an attempt does not exist without evidence', () => {
  const nothing = { paymentId: payer, receipts: [], observations: [], items: [] };
  expect(() => historyOf(nothing, createFlagCollector())).toThrow(RangeError);
});

/** Evidence that contradicts other evidence about the same payment. */

test.each(['123.4', '123.400', '0123.40'])('the amount %s of a callback is equal to 123.40', amount => {
  const payment = reduce(
    ...raised,
    callback(minute, 'sale', 'success', { order_amount: amount }),
    lookUp(2 * minute, 'settled'),
  );
  expect(payment).toMatchObject({ state: 'paid-confirmed', flags: [] });
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

const terms = (amount: string | null, currency: string | null, description: string | null): Terms => ({
  amount,
  currency,
  description,
});

const reported = terms('10.00', 'EUR', 'Chairs');

test.each([
  ['an equal amount', terms('10', 'USD', 'Tables'), terms('11', 'EUR', 'Chairs')],
  ['an equal currency', terms('11', 'eur', 'Tables'), terms('11', 'USD', 'Chairs')],
  ['an equal description', terms('11', 'USD', 'Chairs'), terms('11', 'USD', 'Tables')],
  ['amount and currency', terms('10', 'EUR', 'Tables'), terms('10', 'USD', 'Chairs')],
  ['amount and description', terms('10', 'USD', 'Chairs'), terms('10', 'USD', 'Tables')],
])(
  'a report on an order with several requests is compared with the closest one: %s counts more',
  (_, closer, other) => {
    expect(bestTermsMatch(reported, [closer, other]).ours).toBe(closer);
    expect(bestTermsMatch(reported, [other, closer]).ours).toBe(closer);
  },
);

test('a report on an order with several requests is compared with the latest of equally close ones', () => {
  const [first, second] = [terms('10', 'EUR', 'Chairs'), terms('10.0', 'EUR', 'Chairs')];
  expect(bestTermsMatch(reported, [first, second]).ours).toBe(second);
});

test('the states of an unused link and of a bank check end with the link, and no others', () => {
  expect((['waiting', 'started', 'bank-check'] as const).map(endsWithLink)).toEqual([true, true, true]);
  expect((['paid-confirmed', 'processing', 'draft', 'expired'] as const).map(endsWithLink)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

/** The list of a payment's flags, from what was noted about its evidence. */

test('the flags of a payment are sorted: the gravest first, then by their values', () => {
  const notes = createFlagCollector();
  for (const kind of flagKinds.toReversed())
    for (const field of ['b', 'c', 'a']) notes.add(kind, { field }, ['e']);
  const sorted = flagKinds.flatMap(kind => ['a', 'b', 'c'].map(field => ({ kind, values: { field } })));
  expect(notes.flags()).toMatchObject(sorted);
});

test('a payment has the first twenty flags of a kind, and further events of these', () => {
  const notes = createFlagCollector();
  for (let index = 1; index <= 30; index += 1) notes.add('unverified-evidence', { index: `${index}` }, ['1']);
  notes.add('unverified-evidence', { index: '1' }, ['2']);
  notes.add('outside-interface', {}, ['3']);
  const flags = notes.flags();
  expect(flags.filter(({ kind }) => kind === 'unverified-evidence')).toHaveLength(20);
  expect(flags.find(({ values }) => values['index'] === '1')?.events).toEqual(['1', '2']);
  expect(flags.at(-1)?.kind).toBe('outside-interface');
});

test('texts are compared by their code units, equal ones as equal', () => {
  expect([compareTexts('a', 'b'), compareTexts('b', 'a'), compareTexts('a', 'a')]).toEqual([-1, 1, 0]);
  expect(compareTexts('Z', 'a')).toBe(-1);
});
