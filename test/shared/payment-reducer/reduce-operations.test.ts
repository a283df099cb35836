import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { balanceOf } from '../../../shared/payments/balance.ts';
import { isOperationOpen } from '../../../shared/operations/operation-kinds.ts';
import type { Operation } from '../../../shared/operations/operation.ts';
import { exactAmount } from '../../../shared/money/wire-amount.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import {
  accepted,
  again,
  asEvent,
  callback,
  hour,
  lookUp,
  order,
  payer,
  requested,
  start,
  withRefundedAmount,
} from '../../../tools/evidence/evidence.ts';
import {
  operationAnswered,
  operationCallback,
  operationRefused,
  operationRequested,
  operationUnanswered,
} from '../../../tools/evidence/operation-evidence.ts';

const minute = 60_000;
const first = '6a1f0d52-58a7-4a0c-9f3c-3b4a55b2f101';
const second = '6a1f0d52-58a7-4a0c-9f3c-3b4a55b2f102';
const paid = [requested(), accepted(), callback(minute, 'sale', 'success'), lookUp(2 * minute, 'settled')];
const reduced = (...drafts: EventDraft[]): Payment => reducePayment([...paid, ...drafts].map(asEvent));
const statesOf = ({ operations }: { operations: readonly Operation[] }) =>
  operations.map(({ state }) => state);
const part = (amount: string, at = hour, intent = first) => operationRequested(at, { amount, intent });
const flagsOf = ({ flags }: Payment) => flags.map(({ kind }) => kind);

describe('a refund that was requested here', () => {
  test.each<[string, EventDraft[], string]>([
    ['is unknown until an answer comes', [], 'unknown'],
    ['is unknown without an answer', [operationUnanswered(hour + 1)], 'unknown'],
    ['is only accepted after an answer', [operationAnswered(hour + 1)], 'accepted'],
    ['was refused if the gateway said so', [operationRefused(hour + 1)], 'refused'],
    ['was not sent if nothing left this computer', [operationRefused(hour + 1, false)], 'not-sent'],
    ['waits if a callback says so', [operationCallback(hour + 2, 'refund', 'waiting')], 'waiting'],
    ['is done by a callback', [operationCallback(hour + 2, 'refund', 'success')], 'done'],
    ['failed by a callback', [operationCallback(hour + 2, 'refund', 'fail')], 'failed'],
    [
      'is done even if the callback overtakes the answer',
      [operationCallback(hour + 1, 'refund', 'success'), operationAnswered(hour + 2)],
      'done',
    ],
    ['of the whole is done by a look-up', [lookUp(hour + 2, 'refund')], 'done'],
    ['is not done by the status of before', [lookUp(hour + 2, 'settled')], 'unknown'],
  ])('a refund that was requested here %s', (_, drafts, state) => {
    expect(statesOf(reduced(part(order.amount), ...drafts))).toEqual([state]);
  });

  test('a refund that was accepted needs review once a look-up an hour later shows no result', () => {
    const sent = [part('10.00'), operationAnswered(hour + 1)];
    const after = (at: number, ...drafts: EventDraft[]) =>
      flagsOf(reduced(...sent, lookUp(at, 'settled'), ...drafts));
    expect(after(2 * hour)).not.toContain('operation-unknown');
    expect(after(2 * hour + 1)).toContain('operation-unknown');
    const ended = operationCallback(3 * hour, 'refund', 'success');
    expect(after(2 * hour + 1, ended)).not.toContain('operation-unknown');
  });

  test('a refund of a part is not proven by any look-up', () => {
    const payment = reduced(part('10.00'), operationUnanswered(hour + 1), lookUp(hour + 2, 'settled'));
    expect(statesOf(payment)).toEqual(['unknown']);
    expect(flagsOf(payment)).toContain('operation-unknown');
    const whole = reduced(part('10.00'), operationUnanswered(hour + 1), lookUp(hour + 2, 'refund'));
    expect(statesOf(whole)).toEqual(['unknown']);
    expect(flagsOf(whole)).toContain('refunds-differ');
  });

  test('a refund that failed leaves the payment paid, not declined', () => {
    const payment = reduced(
      part(order.amount),
      operationCallback(hour + 2, 'refund', 'fail', { order_status: 'decline', reason: 'Bank says no' }),
    );
    expect(payment.state).toBe('paid-confirmed');
    expect(payment.operations).toMatchObject([{ state: 'failed', message: 'Bank says no' }]);
  });

  test('a refund gives its amount to its callback, which names only the order’s', () => {
    const payment = reduced(part('10.00'), operationCallback(hour + 2, 'refund', 'success'));
    expect(payment.state).toBe('part-refunded');
    expect(payment.movements).toMatchObject([
      { kind: 'paid', amount: order.amount },
      { kind: 'refund', amount: '10.00', at: start + hour + 2 },
    ]);
    expect(balanceOf(payment, payer)).toEqual({
      paid: '123.40',
      returned: '10.00',
      hasUnknownPart: false,
      onTheWay: '0.00',
      remaining: '113.40',
    });
  });

  test('a refund from here has an amount, one made elsewhere has none', () => {
    const payment = reduced(
      operationCallback(30 * minute, 'refund', 'success'),
      part('10.00'),
      operationCallback(hour + 2, 'refund', 'success'),
    );
    expect(payment.movements.map(({ amount }) => amount)).toEqual([order.amount, null, '10.00']);
    expect(balanceOf(payment, payer)).toMatchObject({ returned: '10.00', hasUnknownPart: true });
  });

  test('a refund in two parts adds up exactly, each part by its own callback', () => {
    const payment = reduced(
      part('100.00'),
      operationCallback(hour + 2, 'refund', 'success'),
      part('23.40', 2 * hour, second),
      operationCallback(2 * hour + 2, 'refund', 'success'),
    );
    expect(statesOf(payment)).toEqual(['done', 'done']);
    expect(payment.state).toBe('refunded');
    expect(balanceOf(payment, payer)).toMatchObject({ returned: '123.40', remaining: '0.00' });
  });

  test('a result is not guessed among two refunds with different amounts until both have ended', () => {
    const both = [part('10.00'), part('20.00', hour + 1, second)];
    const one = reduced(...both, operationCallback(hour + 2, 'refund', 'success'));
    expect(statesOf(one)).toEqual(['one-of', 'one-of']);
    expect(one.movements.map(({ amount }) => amount)).toEqual([order.amount, null]);
    expect(balanceOf(one, payer)).toMatchObject({
      returned: '0.00',
      hasUnknownPart: true,
      onTheWay: '30.00',
    });
    const all = reduced(
      ...both,
      operationCallback(hour + 2, 'refund', 'success'),
      operationCallback(hour + 3, 'refund', 'success'),
    );
    expect(statesOf(all)).toEqual(['done', 'done']);
    expect(balanceOf(all, payer)).toMatchObject({ returned: '30.00', hasUnknownPart: false });
    const mixed = reduced(
      ...both,
      operationCallback(hour + 2, 'refund', 'success'),
      operationCallback(hour + 3, 'refund', 'fail'),
    );
    expect(statesOf(mixed)).toEqual(['one-of', 'one-of']);
  });

  test('a refund is found by its amount if the profile says that the callback names the refunded one', () => {
    const named = (amount: string) =>
      withRefundedAmount(operationCallback(hour + 2, 'refund', 'success', { order_amount: amount }));
    const both = [part('10.00'), part('20.00', hour + 1, second)];
    expect(statesOf(reduced(...both, named('20.00')))).toEqual(['unknown', 'done']);
    expect(statesOf(reduced(...both, named('5.00')))).toEqual(['unknown', 'unknown']);
  });
});

describe('a cancellation that was requested here', () => {
  const cancel = operationRequested(hour, { operation: 'void' });
  test.each<[string, EventDraft[], string]>([
    [
      'is accepted, not done, if the answer says done',
      [operationAnswered(hour + 1, { claim: 'done' })],
      'accepted',
    ],
    ['failed if the answer says so', [operationAnswered(hour + 1, { claim: 'failed' })], 'failed'],
    ['is done by a callback', [operationCallback(hour + 2, 'void', 'success')], 'done'],
    ['is done by the status void', [lookUp(hour + 2, 'void')], 'done'],
    ['is done by the status reversal', [lookUp(hour + 2, 'reversal')], 'done'],
    ['is unknown while the status says settled', [lookUp(hour + 2, 'settled')], 'unknown'],
  ])('a cancellation %s', (_, drafts, state) => {
    expect(statesOf(reduced(cancel, ...drafts))).toEqual([state]);
  });

  test('a cancellation keeps the payment and its counter-entry', () => {
    const payment = reduced(cancel, operationCallback(hour + 2, 'void', 'success'));
    expect(payment.movements).toMatchObject([
      { kind: 'paid', amount: order.amount, at: start + minute },
      { kind: 'void', amount: order.amount, at: start + hour + 2 },
    ]);
    expect(balanceOf(payment, payer)).toMatchObject({ returned: order.amount, remaining: '0.00' });
  });
});

test.each<[string, EventDraft[]]>([
  ['its callback', [operationCallback(hour + 2, 'capture', 'success'), lookUp(hour + minute, 'settled')]],
  ['a look-up, because its callback is lost', [lookUp(hour + minute, 'settled')]],
])('a payment of which a part was collected was paid with that part, by %s', (_, drafts) => {
  const collect = operationRequested(hour, { operation: 'capture', amount: '100.00' });
  const held = [requested(), accepted(), lookUp(minute, 'pending')];
  const payment = reducePayment([...held, collect, operationUnanswered(hour + 1), ...drafts].map(asEvent));
  expect(statesOf(payment)).toEqual(['done']);
  expect(payment.movements).toMatchObject([{ kind: 'paid', amount: '100.00' }]);
  expect(balanceOf(payment, payer)).toMatchObject({ paid: '100.00', remaining: '100.00' });
  const back = [part('100.00', 2 * hour, second), operationCallback(3 * hour, 'refund', 'success')];
  const all = [...held, collect, ...drafts, ...back].map(asEvent);
  expect(reducePayment(all).state).toBe('refunded');
});

describe('a recurring charge', () => {
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
  test('a recurring charge is paid by a look-up, and confirmed by a callback', () => {
    const answered = operationAnswered(1, { claim: 'done', status: 'settled', paymentId: payer });
    expect(of(answered, lookUp(minute, 'settled'))).toMatchObject({
      state: 'paid-unconfirmed',
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

describe('for any order, duplication and loss of answers and callbacks', () => {
  type Step = {
    amount: number;
    answer: 'accepted' | 'refused' | 'lost';
    result: 'success' | 'fail' | 'none';
    isCallbackLost: boolean;
    delay: number;
    copies: number;
  };
  const step: fc.Arbitrary<Step> = fc.record({
    amount: fc.constantFrom(1_000, 1_000, 2_000, 500),
    answer: fc.constantFrom('accepted', 'accepted', 'refused', 'lost'),
    result: fc.constantFrom('success', 'success', 'fail', 'none'),
    isCallbackLost: fc.boolean(),
    delay: fc.integer({ min: 1, max: 20 * minute }),
    copies: fc.nat(2),
  });
  const text = (minor: number): string =>
    `${Math.trunc(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;

  /** A gateway that refunds what it is asked to, while money is left; and what reaches the console of it. */
  const world = (steps: readonly Step[]) => {
    const drafts: EventDraft[] = [];
    let returned = 0;
    const sent: string[] = [];
    steps.forEach(({ amount, answer, result, isCallbackLost, delay, copies }, at) => {
      const of = `6a1f0d52-58a7-4a0c-9f3c-3b4a55b2f1${String(at).padStart(2, '0')}`;
      const when = hour + at * 10 * minute;
      drafts.push(part(text(amount), when, of));
      sent.push(of);
      if (answer === 'refused') {
        drafts.push(operationRefused(when + 1, true, of));
        return;
      }
      drafts.push(
        answer === 'lost' ? operationUnanswered(when + 1, of) : operationAnswered(when + 1, {}, of),
      );
      if (result === 'success') returned += amount;
      if (result === 'none' || isCallbackLost) return;
      const reported = operationCallback(when + delay, 'refund', result);
      drafts.push(
        reported,
        ...Array.from({ length: copies }, (_, copy) => again(reported, when + delay + copy + 1)),
      );
    });
    return { drafts, returned: BigInt(returned) * 10_000n, sent };
  };

  const worlds = fc.array(step, { minLength: 1, maxLength: 6 }).map(world);

  test('the refunded sum never exceeds what the gateway refunded, and is exact when every callback came', () => {
    fc.assert(
      fc.property(worlds, ({ drafts, returned }) => {
        const payment = reduced(...drafts);
        const balance = balanceOf(payment, payer);
        expect(exactAmount(balance.returned)).toBeLessThanOrEqual(returned);
        const isSettled = payment.operations.every(one => !isOperationOpen(one));
        if (isSettled) expect(exactAmount(balance.returned)).toBe(returned);
      }),
      { numRuns: 500 },
    );
  });

  test('every operation without a result stays visible, and none appears twice', () => {
    fc.assert(
      fc.property(worlds, fc.nat(), ({ drafts, sent }, seed) => {
        const mixed = [...paid, ...drafts, ...drafts.slice(0, seed % 3)].map(asEvent);
        const payment = reducePayment(mixed.toSorted(() => ((seed >> 2) % 2 === 0 ? 1 : -1)));
        expect(payment).toEqual({ ...reduced(...drafts), events: payment.events });
        expect(payment.operations.map(({ intent }) => intent).toSorted()).toEqual(sent);
        const isUnknown = payment.operations.some(({ state }) => state === 'unknown' || state === 'one-of');
        expect(flagsOf(payment).includes('operation-unknown')).toBe(isUnknown);
      }),
      { numRuns: 300 },
    );
  });

  test('later evidence changes no movement of the past except by a counter-entry or a missing amount', () => {
    fc.assert(
      fc.property(worlds, fc.integer({ min: hour, max: 3 * hour }), ({ drafts }, until) => {
        const isBefore = ({ happenedAt }: EventDraft): boolean => happenedAt - start < until;
        const before = reduced(...drafts.filter(isBefore)).movements;
        const after = reduced(...drafts).movements.filter(({ at }) => at - start < until);
        expect(after.length).toBe(before.length);
        before.forEach((movement, index) => {
          if (movement.amount !== null) expect(after[index]).toEqual(movement);
        });
      }),
      { numRuns: 300 },
    );
  });
});
