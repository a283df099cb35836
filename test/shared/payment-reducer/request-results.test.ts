import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import {
  accepted,
  asEvent,
  callback,
  draft,
  hour,
  lookUp,
  note,
  order,
  payer,
  refusedSession,
  requested,
  start,
  unanswered,
} from '../../../tools/evidence/evidence.ts';
import { minute, raised, reduce } from '../../../tools/evidence/reduced.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import type { Operation } from '../../../shared/operations/operation.ts';
import { operationAnswered, operationRequested } from '../../../tools/evidence/operation-evidence.ts';

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
  const nothing = { ...failed, body: { ...failed.body, answers: [] } };
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

/** A payment shows the request whose link the customer has, also if others were refused before or after it. */

type Press = {
  amount: string;
  name: string | null;
  result: 'accepted' | 'refused' | 'unanswered';
  /** Sent with the key of the press before it, as earlier versions did after a refusal. */
  isSameKey: boolean;
};

const press: fc.Arbitrary<Press> = fc.record({
  amount: fc.integer({ min: 1, max: 9_999 }).map(minor => (minor / 100).toFixed(2)),
  name: fc.option(fc.constantFrom('Anna Nowak', 'Zoë O’Brien', 'Elif Brown')),
  result: fc.constantFrom('accepted', 'refused', 'unanswered'),
  isSameKey: fc.boolean(),
});

const draftsOf = (presses: readonly Press[]): EventDraft[] => {
  let key = 0;
  return presses.flatMap(({ amount, name, result, isSameKey }, index) => {
    if (!(isSameKey && presses[index - 1]?.result === 'refused')) key += 1;
    const idempotencyKey = `00000000-0000-4000-8000-${String(key).padStart(12, '0')}`;
    const at = index * 10_000;
    const link = `https://pay.example/${String(index)}`;
    const ended = {
      accepted: () => accepted(at + 500, { idempotencyKey, link }),
      refused: () => refusedSession(at + 500, { idempotencyKey }),
      unanswered: () => unanswered(at + 500, { idempotencyKey }),
    }[result]();
    const customer = name === null ? null : { name };
    return [requested(at, { idempotencyKey, amount, customer }, { agent: `agent ${String(index)}` }), ended];
  });
};

test('a payment shows amount, customer and agent of the accepted request, and its link', () => {
  fc.assert(
    fc.property(
      fc.array(press, { minLength: 1, maxLength: 5 }).chain(presses => {
        const events = draftsOf(presses).map(asEvent);
        return fc.tuple(
          fc.constant(presses),
          fc.shuffledSubarray(events, { minLength: events.length, maxLength: events.length }),
        );
      }),
      ([presses, events]) => {
        const index = presses.findLastIndex(({ result }) => result === 'accepted');
        fc.pre(index !== -1);
        const named = presses.filter(({ result, name }) => result !== 'refused' && name !== null);
        const name = presses[index]?.name ?? named.at(-1)?.name ?? null;
        const payment = reducePayment(events);
        expect(payment).toMatchObject({
          amount: presses[index]?.amount,
          customer: name === null ? null : { name },
          agent: `agent ${String(index)}`,
          link: { url: `https://pay.example/${String(index)}` },
        });
        expect(payment.links.at(-1)?.amount).toBe(presses[index]?.amount);
      },
    ),
    { numRuns: 500 },
  );
});

const statesOf = ({ operations }: { operations: readonly Operation[] }) =>
  operations.map(({ state }) => state);
const flagsOf = ({ flags }: Payment) => flags.map(({ kind }) => kind);

const firstPayment = 'f0e24964-fc43-11ec-a7e0-0242ac120004';
const charge = operationRequested(
  0,
  {
    operation: 'recurring',
    charge: { firstPaymentId: firstPayment, description: order.description, consent: 'by phone' },
  },
  { paymentId: null },
);
const of = (...drafts: EventDraft[]): Payment => reducePayment([charge, ...drafts].map(asEvent));
test('a recurring charge is a payment of this console in its own right, unknown until the gateway answers', () => {
  expect(of()).toMatchObject({
    state: 'outcome-unknown',
    raisedHere: true,
    amount: order.amount,
    description: order.description,
    agent: 'Ada',
    series: { firstPaymentId: firstPayment },
    operations: [{ kind: 'recurring', state: 'unknown' }],
  });
});
test('a recurring charge is not paid by the answer, which is not signed, and names the payment to look up', () => {
  const payment = of(operationAnswered(1, { claim: 'done', status: 'settled', paymentId: payer }));
  expect(payment).toMatchObject({ state: 'processing', paymentIds: [payer] });
  expect(statesOf(payment)).toEqual(['accepted']);
});
test('a recurring charge is paid by a look-up alone', () => {
  const answered = operationAnswered(1, { claim: 'done', status: 'settled', paymentId: payer });
  expect(of(answered, lookUp(minute, 'settled'))).toMatchObject({
    state: 'paid-confirmed',
    operations: [{ state: 'done', provenBy: 'look-up' }],
  });
  expect(of(answered, lookUp(minute, 'settled'), callback(minute, 'sale', 'success')).state).toBe(
    'paid-confirmed',
  );
  expect(of(answered, callback(minute, 'recurring', 'success')).state).toBe('outcome-unknown');
});
test('a recurring charge that was declined failed, even if the callback overtakes the answer', () => {
  const payment = of(
    callback(1, 'sale', 'fail'),
    operationAnswered(2, { claim: 'failed', paymentId: payer }),
  );
  expect(payment).toMatchObject({ state: 'declined', operations: [{ state: 'failed' }] });
});

test('a payment that should have brought a token and did not is flagged', () => {
  const asked = requested(0, { request: '{"recurring_init":true,"hash":"•••"}' });
  const sale = (more: Record<string, string> = {}) => callback(minute, 'sale', 'success', more);
  const flagged = (...drafts: EventDraft[]) => flagsOf(reducePayment(drafts.map(asEvent)));
  expect(flagged(asked, accepted(), sale())).toContain('token-missing');
  expect(flagged(asked, accepted(), sale({ recurring_token: 'secret' }))).not.toContain('token-missing');
  expect(flagged(asked, accepted())).not.toContain('token-missing');
  expect(flagged(requested(), accepted(), sale())).not.toContain('token-missing');
});
