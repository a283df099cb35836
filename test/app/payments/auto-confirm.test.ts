import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAutoConfirm } from '../../../main/app/payments/auto-confirm.ts';
import type { LookUp } from '../../../main/app/payments/look-up.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { quoted } from '../../../shared/messages/message.ts';
import type { EventBody, EventOf } from '../../../shared/payments/evidence.ts';
import { asEvent, callback, lookUp as lookedUp, start } from '../../../tools/evidence/evidence.ts';

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

/** A gateway that takes a tenth of a second for an answer; how many were under way at once, and what was asked. */
const gateway = (answer: () => string | Result<never>) => {
  const asked: string[] = [];
  let now = 0;
  let most = 0;
  const lookUp: LookUp = async (_profileId, key) => {
    asked.push(key.value);
    now += 1;
    most = Math.max(most, now);
    await new Promise(resolve => setTimeout(resolve, 100));
    now -= 1;
    const said = answer();
    return typeof said === 'string' ? ok(asEvent(lookedUp(0, said)) as EventOf<'status.observed'>) : said;
  };
  return { lookUp, asked, most: () => most };
};
const open = (lookUp: LookUp, isWanted: () => boolean = () => true) =>
  createAutoConfirm(lookUp, { isWanted, zoneOf: () => 'UTC', clock: () => Date.now() });
const ids = (count: number) => Array.from({ length: count }, (_, at) => `payment-${at}`);
const day = 24 * 3_600_000;

test('of a thousand payments that turn paid at once each is asked about once, two at a time, with pauses', async () => {
  const { lookUp, asked, most } = gateway(() => 'settled');
  const autoConfirm = open(lookUp);
  autoConfirm.handleEvents(ids(1_000).map(id => paid(id)));
  // The same callback delivered again while it waits asks for nothing more.
  autoConfirm.handleEvents(ids(10).map(id => paid(id)));
  await vi.advanceTimersByTimeAsync(11_500);
  // A tenth of a second for the answer and a quarter for the pause: some six a second.
  expect(asked.length).toBeLessThan(70);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(asked).toEqual(ids(1_000));
  expect(most()).toBe(2);
  autoConfirm.stop();
});

test.each<Via>(['file', 'paste'])('old callbacks kept by %s ask the gateway nothing', async via => {
  const { lookUp, asked } = gateway(() => 'settled');
  const autoConfirm = open(lookUp);
  autoConfirm.handleEvents(ids(5_000).map(id => paid(id, via, '2020-05-01 12:00:00')));
  autoConfirm.handleEvents([
    paid('without-a-date', via, ''),
    paid('from-the-future', via, '2031-01-01 00:00:00'),
  ]);
  await vi.advanceTimersByTimeAsync(day);
  expect(asked).toEqual([]);
});

test('a callback of this day that was pasted is confirmed', async () => {
  const { lookUp, asked } = gateway(() => 'settled');
  open(lookUp).handleEvents([paid('this-morning', 'paste', '2026-10-05 08:30:00')]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked).toEqual(['this-morning']);
});

test('no more than two thousand wait at once, whatever arrives', async () => {
  const { lookUp, asked } = gateway(() => 'settled');
  open(lookUp).handleEvents(ids(5_000).map(id => paid(id)));
  await vi.advanceTimersByTimeAsync(day);
  expect(asked).toHaveLength(2_000);
});

test.each(['settled', 'refund', 'decline', 'reversal', 'chargeback', 'void'])(
  'an answer of %s names an outcome and is the last',
  async status => {
    const { lookUp, asked } = gateway(() => status);
    open(lookUp).handleEvents([paid('decided')]);
    await vi.advanceTimersByTimeAsync(day);
    expect(asked).toHaveLength(1);
  },
);

test.each(['pending', 'prepare', 'something new'])(
  'after an answer of %s it is asked again, later each time, and then no more',
  async status => {
    const { lookUp, asked } = gateway(() => status);
    open(lookUp).handleEvents([paid('slow')]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(75_000);
    expect(asked).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(day);
    expect(asked).toHaveLength(5);
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
])('after %s the gateway is left alone for minutes', async (_, refusal, atMost) => {
  const { lookUp, asked } = gateway(() => refusal);
  open(lookUp).handleEvents(ids(100).map(id => paid(id)));
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked.length).toBeLessThanOrEqual(atMost);
  const before = asked.length;
  await vi.advanceTimersByTimeAsync(70_000);
  expect(asked.length).toBeGreaterThan(before);
  expect(asked.length).toBeLessThanOrEqual(2 * atMost);
});

test('nothing is asked where the settings do not want it, nor after it was stopped', async () => {
  const { lookUp, asked } = gateway(() => 'settled');
  let isWanted = false;
  const autoConfirm = open(lookUp, () => isWanted);
  autoConfirm.handleEvents([paid('unwanted')]);
  isWanted = true;
  autoConfirm.handleEvents([paid('stopped')]);
  autoConfirm.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual([]);
});
