import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLookUpQueue, type Asked } from '../../main/look-ups/look-up-queue.ts';
import { fail, type ErrorCode } from '../../shared/errors.ts';
import { lookUpReasons, type LookUpReason } from '../../shared/look-ups/next-look-up.ts';
import { quoted } from '../../shared/messages/message.ts';

/** Order, pace and pauses of the look-ups that no person waits for. */

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

const failed = (code: ErrorCode, httpStatus?: number): Asked =>
  fail(code, quoted(code), httpStatus === undefined ? {} : { details: { httpStatus } }).error;

type Sent = { profileId: string; orderNumber: string; reason: LookUpReason; at: number };

/** A queue before a provider that answers after a tenth of a second. */
const start = (answer: (sent: Sent) => Asked = () => 'answered') => {
  const queue = createLookUpQueue(() => Date.now());
  const sent: Sent[] = [];
  const inFlight = new Map<string, number>();
  let maxInFlight = 0;
  const add = (orderNumber: string, reason: LookUpReason = 'confirm', at = 0, profileId = 'shop'): boolean =>
    queue.add({
      profileId,
      orderNumber,
      reason,
      at,
      ask: async () => {
        const one = { profileId, orderNumber, reason, at: Date.now() };
        sent.push(one);
        const now = (inFlight.get(profileId) ?? 0) + 1;
        inFlight.set(profileId, now);
        maxInFlight = Math.max(maxInFlight, now);
        await new Promise(resolve => setTimeout(resolve, 100));
        inFlight.set(profileId, (inFlight.get(profileId) ?? 0) - 1);
        return answer(one);
      },
    });
  return { queue, sent, add, maxInFlight: () => maxInFlight };
};
const names = (count: number) => Array.from({ length: count }, (_, at) => `CF-${at}`);

test('each payment that waits is looked up once, none before its time, the most urgent first, two at a time for each profile', async () => {
  const look = fc.record({
    orderNumber: fc.constantFrom(...names(12)),
    profileId: fc.constantFrom('shop', 'hotel'),
    reason: fc.constantFrom(...lookUpReasons),
    at: fc.nat(120_000),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(look, { maxLength: 40 }), async looks => {
      vi.setSystemTime(0);
      const { queue, sent, add, maxInFlight } = start();
      // Something is in flight while all are added, so that none is sent before the last one is there.
      for (const profileId of ['shop', 'hotel']) for (const one of ['x', 'y']) add(one, 'bulk', 0, profileId);
      for (const { orderNumber, reason, at, profileId } of looks) add(orderNumber, reason, at, profileId);
      await vi.advanceTimersByTimeAsync(300_000);
      queue.stop();
      const later = sent.slice(4);
      const key = (one: { profileId: string; orderNumber: string }) => `${one.profileId} ${one.orderNumber}`;
      expect(later.map(key).toSorted()).toEqual([...new Set(looks.map(key))].toSorted());
      expect(maxInFlight()).toBeLessThanOrEqual(2);
      for (const [index, one] of later.entries()) {
        const own = looks.filter(other => key(other) === key(one));
        const rank = ({ reason }: { reason: LookUpReason }) => lookUpReasons.indexOf(reason);
        expect(one.at).toBeGreaterThanOrEqual(Math.min(...own.map(({ at }) => at)));
        expect(rank(one)).toBe(Math.min(...own.map(rank)));
        // None that was due and more urgent was passed over.
        for (const other of later.slice(index + 1)) {
          const due = Math.min(...looks.filter(each => key(each) === key(other)).map(({ at }) => at));
          if (other.profileId === one.profileId && due <= one.at)
            expect(rank(other)).toBeGreaterThanOrEqual(rank(one));
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('after each answer there is a pause, and a longer one after fifty', async () => {
  const { sent, add } = start();
  for (const name of names(1_000)) add(name);
  await vi.advanceTimersByTimeAsync(10_000);
  // 0.1 s for the answer and 0.25 s for the pause: about six look-ups a second.
  expect(sent.length).toBeLessThan(60);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(sent).toHaveLength(1_000);
});

test.each([
  ['too many requests', failed('gateway.refused', 429), 2],
  ['no access', failed('gateway.refused', 403), 2],
  ['no connection, three times', failed('gateway.unreachable'), 4],
  ['a refused signature, five times', failed('gateway.signature-refused', 400), 6],
  ['a missing password', failed('profile.password-missing'), 2],
] as const)(
  'after %s the look-ups of a profile pause, longer each time until an answer comes; those of others continue',
  async (_, refusal, atMost) => {
    let isRefused = true;
    const { sent, add } = start(({ profileId }) =>
      isRefused && profileId === 'shop' ? refusal : 'answered',
    );
    for (const name of names(60)) {
      add(name);
      add(name, 'recheck', 0, 'hotel');
    }
    const ofShop = () => sent.filter(({ profileId }) => profileId === 'shop').length;
    await vi.advanceTimersByTimeAsync(170_000);
    const first = ofShop();
    expect(first).toBeLessThanOrEqual(atMost);
    expect(sent.length - first).toBe(60);
    await vi.advanceTimersByTimeAsync(60_000);
    const second = ofShop();
    expect(second).toBeGreaterThan(first);
    expect(second).toBeLessThanOrEqual(2 * atMost);
    await vi.advanceTimersByTimeAsync(240_000);
    expect(ofShop()).toBe(second);
    isRefused = false;
    await vi.advanceTimersByTimeAsync(300_000);
    expect(ofShop()).toBe(60);
  },
);

test('failures of single payments do not pause the look-ups, and an answer between two failures resets their count', async () => {
  const answers = [failed('payment.missing', 404), failed('gateway.timeout'), 'answered'] as const;
  const { sent, add } = start(({ orderNumber }) => answers[Number(orderNumber.slice(3)) % 3] ?? 'answered');
  for (const name of names(90)) add(name);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(90);
});

test('of more than two thousand payments the most urgent wait', async () => {
  const { sent, add } = start();
  for (const name of names(2_000)) add(name, 'watch', 1_000);
  expect(add('late', 'watch', 2_000)).toBe(false);
  expect(add('urgent', 'operation', 3_000)).toBe(true);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(sent).toHaveLength(2_000);
  expect(sent.some(({ orderNumber }) => orderNumber === 'urgent')).toBe(true);
});

test('a payment that cannot be read takes no slot, and nothing is asked after the end', async () => {
  const { queue, sent, add } = start();
  for (const orderNumber of names(5))
    queue.add({
      profileId: 'shop',
      orderNumber: `broken ${orderNumber}`,
      reason: 'bulk',
      at: 0,
      ask: () => Promise.reject(new Error('unreadable')),
    });
  add('CF-1');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toHaveLength(1);
  add('CF-2', 'confirm', 5_000);
  queue.stop();
  expect(add('CF-3')).toBe(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(1);
});

test('a look-up is sent when the computer’s clock has been moved past its time', async () => {
  const { sent, add } = start();
  add('CF-1', 'operation', 7_200_000);
  vi.setSystemTime(7_200_000);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toHaveLength(1);
});
