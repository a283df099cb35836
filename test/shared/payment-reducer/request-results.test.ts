import { expect, test } from 'vitest';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import {
  accepted,
  callback,
  draft,
  hour,
  lookUp,
  note,
  order,
  refusedSession,
  requested,
  start,
  unanswered,
} from '../../../tools/evidence/evidence.ts';
import { minute, raised, reduce } from '../../../tools/evidence/reduced.ts';

/** The results of one or more requests of an order, without further evidence or with some. */

const second = { idempotencyKey: '0d0e9d5a-58a7-4a0c-9f3c-3b4a55b2f002' };
const [one, other] = [requested(0), requested(hour, second)];
const results = {
  accepted: [accepted(minute), accepted(hour + minute, second)],
  refused: [refusedSession(minute), refusedSession(hour + minute, second)],
  unanswered: [unanswered(minute), unanswered(hour + minute, second)],
} as const;
type Result = keyof typeof results | 'open';
const baseOf = ({ state, since, basis, reason }: Payment) => ({ state, since, basis, reason });

/** What the result of one request means. */
const expectedOf = (result: Result, index: 0 | 1) => {
  const own = result === 'open' ? (index === 0 ? one : other) : results[result][index];
  const basis = { event: own.id, at: own.happenedAt, verified: false };
  const [state, kind, reason] = {
    accepted: ['waiting', 'acceptance', null],
    refused: ['refused', 'request', 'Your provider rejected the request.'],
    unanswered: ['outcome-unknown', 'silence', 'Your provider did not respond in time.'],
    open: ['outcome-unknown', 'silence', null],
  }[result];
  return { state, since: own.happenedAt, basis: { ...basis, kind }, reason };
};
const evidenceOf = (result: Result, index: 0 | 1): EventDraft[] => [
  index === 0 ? one : other,
  ...(result === 'open' ? [] : [results[result][index]]),
];

const all = ['accepted', 'refused', 'unanswered', 'open'] as const;

test.each(all)('a request that is %s gives the state, its time, its basis and its reason', result => {
  expect(baseOf(reduce(...evidenceOf(result, 0)))).toEqual(expectedOf(result, 0));
});

test.each(all.flatMap(before => all.map(after => ({ before, after }))))(
  'of two requests, $before and then $after, the later counts, unless only it was refused',
  ({ before, after }) => {
    const payment = reduce(...evidenceOf(before, 0), ...evidenceOf(after, 1));
    const isEarlier = after === 'refused' && before !== 'refused';
    expect(baseOf(payment)).toEqual(isEarlier ? expectedOf(before, 0) : expectedOf(after, 1));
  },
);

test('the first of equally certain results counts, for the last request of its key before it', () => {
  const payment = reduce(one, requested(2, { amount: '1.00' }), accepted(minute), accepted(hour));
  expect(payment).toMatchObject({
    since: start + minute,
    amount: '1.00',
    link: { issuedAt: start + minute },
  });
});

test('a result whose request is not stored is no request', () => {
  expect(reduce(one, accepted(minute, second)).state).toBe('outcome-unknown');
  expect(reduce(accepted(minute))).toMatchObject({ state: 'draft', link: null, raisedHere: false });
});

const [first, changed] = [requested(0, { amount: '10.00' }), requested(hour, { ...second, amount: '20.00' })];

test('the terms of an order are those of the latest accepted request, else of one not refused, else of the latest at all', () => {
  expect(reduce(first, accepted(1), changed).amount).toBe('10.00');
  expect(reduce(first, changed).amount).toBe('20.00');
  expect(reduce(first, accepted(1), changed, refusedSession(hour + 1, second)).amount).toBe('10.00');
  expect(reduce(first, refusedSession(1), changed, refusedSession(hour + 1, second)).amount).toBe('20.00');
});

test('the terms of an order are those of the request that was paid, not of a later one, also after a refund', () => {
  const requests = [first, accepted(1), changed, accepted(hour + 1, second)];
  const sale = callback(2 * hour, 'sale', 'success', { order_amount: '10.00' });
  expect(reduce(...requests, sale).amount).toBe('10.00');
  expect(
    reduce(...requests, sale, callback(3 * hour, 'refund', 'success', { order_amount: '10.00' })).amount,
  ).toBe('10.00');
});

test('the terms of an order of others are those first reported: by trusted callbacks, then look-ups, then any callback; each is compared with the first that counts', () => {
  const report = (at: number, amount: string, isTrusted = true): EventDraft =>
    callback(
      at,
      'sale',
      'fail',
      { order_amount: amount },
      {
        verdict: isTrusted ? 'verified' : 'invalid',
        uppercasing: isTrusted ? 'unicode' : null,
        digest: 'md5',
      },
    );
  const observed = lookUp(2, 'decline', { order: { ...order, amount: '2.00' } });
  expect(reduce(report(1, '1.00', false)).amount).toBe('1.00');
  expect(reduce(report(1, '1.00', false), observed).amount).toBe('2.00');
  const payment = reduce(report(1, '1.00', false), observed, report(3, '3.00'), report(4, '4.00'));
  expect(payment.amount).toBe('3.00');
  expect(
    payment.flags.filter(({ kind }) => kind === 'amount-differs').map(({ values }) => values['theirs']),
  ).toEqual(['1.00', '3.00', '4.00']);
});

test('an order without a request has an unknown outcome with any evidence, and is a draft with notes only', () => {
  const failed = lookUp(minute, 'x');
  const nothing =
    failed.kind === 'status.observed' ? { ...failed, body: { ...failed.body, answers: [] } } : failed;
  const unknown = { state: 'outcome-unknown', since: start, basis: null, reason: null };
  expect(baseOf(reduce(note(0, 'a'), nothing))).toEqual(unknown);
  const payment = reduce(note(0, 'a'), draft('link.shared', hour, { channel: 'copy' }));
  expect(baseOf(payment)).toEqual({ ...unknown, state: 'draft' });
  expect(payment).toMatchObject({
    flags: [],
    agent: null,
    amount: null,
    currency: null,
    description: null,
  });
  expect(payment).toMatchObject({ events: 2, firstAt: start, lastAt: start + hour });
  expect(reduce(note(0, 'a'))).toMatchObject({ events: 1, firstAt: start, lastAt: start });
});

test('an order that was requested twice is flagged with both requests; a refused one does not count', () => {
  expect(reduce(one, other).flags).toEqual([
    { kind: 'raised-twice', values: { times: '2' }, events: [one.id, other.id].toSorted() },
  ]);
  expect(reduce(...evidenceOf('refused', 0), other).flags).toEqual([]);
  expect(reduce(...raised).flags).toEqual([]);
});

test('an order has the agent of its latest request', () => {
  expect(reduce(one, requested(hour, second, { agent: 'Grace' })).agent).toBe('Grace');
});

test('an order without a number has an empty one', () => {
  const nameless = { ...callback(0, 'sale', 'fail'), orderNumber: null };
  expect(reduce(nameless).orderNumber).toBe('');
});
