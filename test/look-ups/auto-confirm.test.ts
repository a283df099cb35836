import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAutoConfirm } from '../../main/look-ups/auto-confirm.ts';
import type { LookUp } from '../../main/app/payments/look-up-payment.ts';
import { fail, ok, type Result } from '../../shared/errors.ts';
import { quoted } from '../../shared/messages/message.ts';
import type { EventBody, EventOf } from '../../shared/payments/evidence.ts';
import { asEvent, callback, lookUp as lookedUp, start } from '../../tools/evidence/evidence.ts';

/** Automatic look-ups after a callback reported a payment as paid. */

beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

type Via = EventBody<'callback.received'>['via'];

const paid = (paymentId: string, via: Via = 'receiver', date = '2026-10-05 12:00:00') => {
  const event = asEvent(callback(0, 'sale', 'success', { id: paymentId, date }, undefined, { paymentId }));
  if (event.kind === 'callback.received') event.body.via = via;
  return event;
};

/** A gateway that answers after a tenth of a second; records the look-ups and how many were in flight at once. */
const gateway = (answer: () => string | Result<never>) => {
  const lookedUpIds: string[] = [];
  let now = 0;
  let maxConcurrent = 0;
  const lookUp: LookUp = async (_profileId, key) => {
    lookedUpIds.push(key.value);
    now += 1;
    maxConcurrent = Math.max(maxConcurrent, now);
    await new Promise(resolve => setTimeout(resolve, 100));
    now -= 1;
    const status = answer();
    return typeof status === 'string'
      ? ok(asEvent(lookedUp(0, status)) as EventOf<'status.observed'>)
      : status;
  };
  return { lookUp, lookedUpIds, maxConcurrent: () => maxConcurrent };
};
const open = (lookUp: LookUp, isWanted: () => boolean = () => true) =>
  createAutoConfirm(lookUp, { isWanted, zoneOf: () => 'UTC', clock: () => Date.now() });
const ids = (count: number) => Array.from({ length: count }, (_, at) => `payment-${at}`);
const day = 24 * 3_600_000;

test('of a thousand payments that become paid at once, each is looked up once, two at a time, with pauses', async () => {
  const { lookUp, lookedUpIds, maxConcurrent } = gateway(() => 'settled');
  const autoConfirm = open(lookUp);
  autoConfirm.handleEvents(ids(1_000).map(id => paid(id)));
  // The same callback delivered again while it waits starts no other look-up.
  autoConfirm.handleEvents(ids(10).map(id => paid(id)));
  await vi.advanceTimersByTimeAsync(11_500);
  // 0.1 s for the answer and 0.25 s for the pause: about six look-ups a second.
  expect(lookedUpIds.length).toBeLessThan(70);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(lookedUpIds).toEqual(ids(1_000));
  expect(maxConcurrent()).toBe(2);
  autoConfirm.stop();
});

test.each<Via>(['file', 'paste'])('old callbacks stored by %s start no automatic look-up', async via => {
  const { lookUp, lookedUpIds } = gateway(() => 'settled');
  const autoConfirm = open(lookUp);
  autoConfirm.handleEvents(ids(5_000).map(id => paid(id, via, '2020-05-01 12:00:00')));
  autoConfirm.handleEvents([
    paid('without-a-date', via, ''),
    paid('from-the-future', via, '2031-01-01 00:00:00'),
  ]);
  await vi.advanceTimersByTimeAsync(day);
  expect(lookedUpIds).toEqual([]);
});

test('a pasted callback of the same day is confirmed', async () => {
  const { lookUp, lookedUpIds } = gateway(() => 'settled');
  open(lookUp).handleEvents([paid('this-morning', 'paste', '2026-10-05 08:30:00')]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(lookedUpIds).toEqual(['this-morning']);
});

test('at most two thousand payments wait for their automatic look-up, for any number of callbacks', async () => {
  const { lookUp, lookedUpIds } = gateway(() => 'settled');
  open(lookUp).handleEvents(ids(5_000).map(id => paid(id)));
  await vi.advanceTimersByTimeAsync(day);
  expect(lookedUpIds).toHaveLength(2_000);
});

test.each(['settled', 'refund', 'decline', 'reversal', 'chargeback', 'void'])(
  'after an answer of %s there is no further automatic look-up',
  async status => {
    const { lookUp, lookedUpIds } = gateway(() => status);
    open(lookUp).handleEvents([paid('decided')]);
    await vi.advanceTimersByTimeAsync(day);
    expect(lookedUpIds).toHaveLength(1);
  },
);

test.each(['pending', 'prepare', 'something new'])(
  'after an answer of %s a payment is looked up again, at growing intervals, five times in all',
  async status => {
    const { lookUp, lookedUpIds } = gateway(() => status);
    open(lookUp).handleEvents([paid('slow')]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(lookedUpIds).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(75_000);
    expect(lookedUpIds).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(day);
    expect(lookedUpIds).toHaveLength(5);
  },
);

test.each([
  ['too many requests', fail('gateway.refused', quoted('no'), { details: { httpStatus: 429 } }), 2],
  ['no connection', fail('gateway.unreachable', quoted('no')), 4],
  [
    'a refused signature',
    fail('gateway.signature-refused', quoted('no'), { details: { httpStatus: 400 } }),
    6,
  ],
])('after %s automatic look-ups pause for minutes', async (_, refusal, atMost) => {
  const { lookUp, lookedUpIds } = gateway(() => refusal);
  open(lookUp).handleEvents(ids(100).map(id => paid(id)));
  await vi.advanceTimersByTimeAsync(120_000);
  expect(lookedUpIds.length).toBeLessThanOrEqual(atMost);
  const before = lookedUpIds.length;
  await vi.advanceTimersByTimeAsync(70_000);
  expect(lookedUpIds.length).toBeGreaterThan(before);
  expect(lookedUpIds.length).toBeLessThanOrEqual(2 * atMost);
});

test('there is no automatic look-up if the settings exclude it, nor after the end', async () => {
  const { lookUp, lookedUpIds } = gateway(() => 'settled');
  let isWanted = false;
  const autoConfirm = open(lookUp, () => isWanted);
  autoConfirm.handleEvents([paid('unwanted')]);
  isWanted = true;
  autoConfirm.handleEvents([paid('stopped')]);
  autoConfirm.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lookedUpIds).toEqual([]);
});

describe('in a team', () => {
  const holders = new Map<string, string>();
  beforeEach(() => holders.clear());
  const installation = (lookUp: LookUp, name: string, canAsk = true) =>
    createAutoConfirm(lookUp, {
      isWanted: () => true,
      canAsk: async () => canAsk,
      claim: async task => {
        if (!holders.has(task)) holders.set(task, name);
        return holders.get(task) === name;
      },
      zoneOf: () => 'UTC',
      clock: () => Date.now(),
    });

  test('only one installation of a team looks a payment up, and the one that raised it comes first', async () => {
    const [here, there] = [gateway(() => 'settled'), gateway(() => 'settled')];
    const [one, other] = [installation(here.lookUp, 'here'), installation(there.lookUp, 'there')];
    other.handleEvents([paid('a')], 'elsewhere');
    one.handleEvents([paid('a')]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([here.lookedUpIds, there.lookedUpIds]).toEqual([['a'], []]);
    for (const each of [one, other]) each.stop();
  });

  test('if the installation that raised a payment is off, another one that knows its profile looks it up', async () => {
    const [one, other] = [gateway(() => 'settled'), gateway(() => 'settled')];
    const without = installation(one.lookUp, 'without', false);
    const able = installation(other.lookUp, 'able');
    without.handleEvents([paid('a')], 'elsewhere');
    able.handleEvents([paid('a')], 'elsewhere');
    await vi.advanceTimersByTimeAsync(60_000);
    expect([one.lookedUpIds, other.lookedUpIds]).toEqual([[], ['a']]);
    for (const each of [without, able]) each.stop();
  });
});
