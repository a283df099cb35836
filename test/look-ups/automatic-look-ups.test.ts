import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { claimedMs, createAutomaticLookUps } from '../../main/look-ups/automatic-look-ups.ts';
import { createLookUpQueue } from '../../main/look-ups/look-up-queue.ts';
import { fail, ok } from '../../shared/errors.ts';
import type { LookUpWishes } from '../../shared/look-ups/next-look-up.ts';
import { quoted } from '../../shared/messages/message.ts';
import type { Event, EventBody, EventDraft } from '../../shared/payments/evidence.ts';
import {
  accepted,
  asEvent,
  callback,
  hour,
  lookUp,
  requested,
  start,
} from '../../tools/evidence/evidence.ts';
import { operationRequested, operationUnanswered } from '../../tools/evidence/operation-evidence.ts';

/** Which events cause look-ups, and when: the real queue, and a provider that is asked. */

beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

const minute = 60_000;
const wishes: LookUpWishes = { automatic: true, watch: false, recheckDays: [], byOrder: true };
const names = (count: number) => Array.from({ length: count }, (_, at) => `CF-${at}`);
const ofOrder = (orderNumber: string, ...drafts: EventDraft[]): Event[] =>
  drafts.map(one => asEvent({ ...one, orderNumber, paymentId: one.paymentId && orderNumber }));
const paid = (
  name: string,
  via: EventBody<'callback.received'>['via'] = 'receiver',
  date = '2026-10-05 12:00:00',
): Event[] => {
  const sale = callback(Date.now() - start, 'sale', 'success', { id: name, order_number: name, date });
  sale.body.via = via;
  return ofOrder(name, sale);
};

/** An installation with its evidence. `holders`: the claims that it shares with others. */
const install = (
  answer: (name: string) => string = () => 'settled',
  {
    wanted = wishes,
    holders = new Map<string, string>(),
    name = 'here',
  }: { wanted?: LookUpWishes | null; holders?: Map<string, string>; name?: string } = {},
) => {
  const log: Event[] = [];
  const asked: { name: string; at: number }[] = [];
  const queue = createLookUpQueue(() => Date.now());
  const automatic = createAutomaticLookUps({
    queue,
    eventsOf: async ({ orderNumber }) => log.filter(event => event.orderNumber === orderNumber),
    wishesOf: async () => wanted,
    claim: async task => (holders.get(task) ?? holders.set(task, name).get(task)) === name,
    seesOthers: true,
    zoneOf: () => 'UTC',
    clock: () => Date.now(),
    lookUp: async (_payment, { value }) => {
      asked.push({ name: value, at: Date.now() - start });
      const status = answer(value);
      if (status.startsWith('gateway.'))
        return fail('gateway.refused', quoted(status), { details: { httpStatus: 429 } });
      write(
        ofOrder(
          value,
          lookUp(Date.now() - start, status, {
            paymentId: value,
            order: { number: value, amount: '123.40', currency: 'EUR', description: 'Blue chair' },
          }),
        ),
      );
      return ok(undefined);
    },
  });
  const write = (events: readonly Event[], from: 'here' | 'elsewhere' = 'here'): void => {
    log.push(...events);
    automatic.handleEvents(events, from);
  };
  return { automatic, queue, log, asked, write };
};

test('of a thousand payments that become paid at once, each is looked up once, the first after a second and a half', async () => {
  const { write, asked } = install();
  for (const name of names(1_000)) write(paid(name));
  await vi.advanceTimersByTimeAsync(11_500);
  expect(asked[0]?.at).toBe(1_500);
  expect(asked.length).toBeLessThan(90);
  await vi.advanceTimersByTimeAsync(20 * minute);
  expect(asked.map(({ name }) => name)).toEqual(names(1_000));
});

test.each(['file', 'paste'] as const)('old callbacks stored by %s start no automatic look-up', async via => {
  const { write, asked } = install();
  write(paid('old', via, '2020-05-01 12:00:00'));
  write(paid('without-a-date', via, ''));
  write(paid('from-the-future', via, '2031-01-01 00:00:00'));
  write(paid('this-morning', via, '2026-10-05 08:30:00'));
  await vi.advanceTimersByTimeAsync(hour);
  expect(asked.map(({ name }) => name)).toEqual(['this-morning']);
});

test('after 300 operations whose results are unknown, a restart asks a few at a time, and stops after "too many requests"', async () => {
  let isRefused = false;
  const { automatic, log, asked } = install(() => (isRefused ? 'gateway.refused' : 'refund'));
  for (const name of names(300))
    log.push(...ofOrder(name, operationRequested(-hour), operationUnanswered(-hour)));
  for (const orderNumber of names(300))
    automatic.consider({ profileId: 'sandbox', orderNumber }, 0, 'recheck');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked.length).toBeGreaterThan(50);
  expect(asked.length).toBeLessThan(90);
  isRefused = true;
  await vi.advanceTimersByTimeAsync(2 * minute);
  const before = asked.length;
  expect(before).toBeLessThan(92);
  isRefused = false;
  await vi.advanceTimersByTimeAsync(10 * minute);
  expect(new Set(asked.map(({ name }) => name)).size).toBeGreaterThanOrEqual(298);
});

test('open links without callbacks are looked up at most forty times an hour together, and each still is', async () => {
  const { write, asked } = install(() => 'prepare', { wanted: { ...wishes, watch: true } });
  for (const name of names(10)) write(ofOrder(name, requested(), accepted()));
  await vi.advanceTimersByTimeAsync(59 * minute);
  expect(asked).toHaveLength(40);
  expect(asked[0]?.at).toBe(20_500);
  expect(new Set(asked.map(({ name }) => name)).size).toBe(10);
  await vi.advanceTimersByTimeAsync(5 * minute);
  // Each was checked once more after it expired.
  const late = asked.filter(({ at }) => at >= hour);
  expect(new Set(late.map(({ name }) => name)).size).toBe(10);
});

test('a payment that another installation claims and never looks up is looked up after three minutes', async () => {
  const { write, asked } = install(undefined, {
    holders: new Map([['look-up:confirm:sandbox:claimed', 'a stolen account']]),
  });
  write(paid('claimed'));
  await vi.advanceTimersByTimeAsync(claimedMs);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(minute);
  expect(asked.map(({ name }) => name)).toEqual(['claimed']);
});

test('only one installation of a team looks a payment up, and the one that raised it comes first', async () => {
  const holders = new Map<string, string>();
  const [here, there] = [install(undefined, { holders }), install(undefined, { holders, name: 'there' })];
  const without = install(undefined, { wanted: null, holders, name: 'without' });
  const events = paid('CF-1');
  there.write(events, 'elsewhere');
  without.write(events);
  here.write(events);
  await vi.advanceTimersByTimeAsync(minute);
  expect([here.asked.length, there.asked.length, without.asked.length]).toEqual([1, 0, 0]);
});
