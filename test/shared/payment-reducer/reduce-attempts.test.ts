import { expect, test } from 'vitest';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { historyOf } from '../../../shared/payment-reducer/reduce-attempts.ts';
import { createFlagCollector } from '../../../shared/payment-reducer/evidence/flag-collector.ts';
import {
  callback,
  hour,
  lookUp,
  payer,
  start,
  withRefundedAmount,
} from '../../../tools/evidence/evidence.ts';
import { flagsOf, minute, raised, reduce } from '../../../tools/evidence/reduced.ts';

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
