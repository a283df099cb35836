import './without-window.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQuery } from '../../renderer/queries/create-query.ts';
import { useClock } from '../../renderer/stores/clock-store.ts';
import { fail, ok, type Result } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import type { PaymentKey } from '../../shared/payments/payment-row.ts';

/** How the window reads again. Time is the test's, and each answer arrives when the test says so. */

type Asked = {
  key: string;
  changed: ReadonlySet<string> | null;
  answer: (value: string | null) => Promise<void>;
};

let asked: Asked[];
type Listener = (event: { payments: readonly PaymentKey[] | null }) => void;
const listeners = new Set<Listener>();
const change = (payments: readonly PaymentKey[] | null): void => {
  for (const listener of listeners) listener({ payments });
};
const payment = (orderNumber: string): PaymentKey => ({ profileId: 'shop', orderNumber });
/** The answer to the latest read of a key. */
const answer = async (key: string, value: string | null): Promise<void> =>
  asked.findLast(one => one.key === key)?.answer(value);

const create = (options: Partial<Parameters<typeof createQuery<string, string>>[0]> = {}) =>
  createQuery<string, string>({
    read: (key, _present, changed) =>
      new Promise<Result<string>>(resolve => {
        const respond = async (value: string | null): Promise<void> => {
          resolve(value === null ? fail('log.busy', msg('error.log.busy')) : ok(value));
          await vi.advanceTimersByTimeAsync(0);
        };
        asked.push({ key, changed, answer: respond });
      }),
    on: ['payments.changed'],
    throttleMs: 500,
    ...options,
  });

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  listeners.clear();
  vi.stubGlobal('window', {
    setTimeout: (work: () => void, ms: number) => setTimeout(work, ms),
    clearTimeout: (timer: number) => clearTimeout(timer),
    api: {
      subscribe: (_name: string, listener: Listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('an answer is shown under the key that it was read for, however late it arrives', async () => {
  const query = create();
  const leave = query.hold('shop');
  leave();
  query.hold('hotel');
  await asked.find(one => one.key === 'shop')?.answer('of the shop');
  expect(query.get('hotel').value).toBeNull();
  await answer('hotel', 'of the hotel');
  expect(query.get('hotel')).toEqual({ value: 'of the hotel', problem: null, isReading: false });
  expect(query.get('shop').value).toBeNull();
});

test('of two reads of a key the answer of the earlier one is dropped', async () => {
  const query = create();
  query.hold('shop');
  void query.read('shop');
  const [first, second] = asked;
  await second?.answer('new');
  await first?.answer('old');
  expect(query.get('shop').value).toBe('new');
});

test('many events are one read, which names the payments that changed', async () => {
  const query = create();
  query.hold('shop');
  await answer('shop', 'first');
  change([payment('A')]);
  change([payment('B')]);
  await vi.advanceTimersByTimeAsync(499);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked.map(one => one.changed && [...one.changed])).toEqual([null, ['shop A', 'shop B']]);
});

test('an event during a read is followed by another read, and two never run at once', async () => {
  const query = create();
  query.hold('shop');
  change([payment('A')]);
  change(null);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toHaveLength(1);
  await answer('shop', 'as it was');
  await vi.advanceTimersByTimeAsync(500);
  expect(asked).toHaveLength(2);
  expect(asked[1]?.changed).toBeNull();
  await answer('shop', 'as it is');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toHaveLength(2);
  expect(query.get('shop').value).toBe('as it is');
});

test('what does not concern a key is not read again', async () => {
  const query = create({ concerns: (changed, key) => changed?.has(`shop ${key}`) ?? true });
  query.hold('A');
  await answer('A', 'first');
  change([payment('B')]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toHaveLength(1);
  change([payment('A')]);
  await vi.advanceTimersByTimeAsync(500);
  expect(asked).toHaveLength(2);
});

test('what is no longer shown is not read; shown again, it is there at once, and read', async () => {
  const query = create();
  const [leave, leaveToo] = [query.hold('shop'), query.hold('shop')];
  expect(asked).toHaveLength(1);
  await answer('shop', 'seen');
  leave();
  expect(listeners.size).toBe(1);
  change(null);
  leaveToo();
  expect(listeners.size).toBe(0);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toHaveLength(1);
  query.hold('shop');
  expect(query.get('shop')).toMatchObject({ value: 'seen', isReading: true });
  expect(asked).toHaveLength(2);
});

test('a value outlives a failed read of its key, and the next event reads everything', async () => {
  const query = create();
  query.hold('shop');
  await answer('shop', 'seen');
  change([payment('A')]);
  await vi.advanceTimersByTimeAsync(500);
  await answer('shop', null);
  expect(query.get('shop')).toMatchObject({ value: 'seen', problem: { code: 'log.busy' } });
  change([payment('B')]);
  await vi.advanceTimersByTimeAsync(500);
  expect(asked[2]?.changed).toBeNull();
});

test('another key begins with the last value where that is wanted, but not after a failure', async () => {
  const query = create({ keepsLast: true });
  const leave = query.hold('cha');
  await answer('cha', 'chair, chain');
  leave();
  query.hold('chai');
  expect(query.get('chai')).toEqual({ value: 'chair, chain', problem: null, isReading: true });
  await answer('chai', null);
  expect(query.get('chai').value).toBeNull();
});

test('a key that is wanted only for a moment is not read', async () => {
  const query = create();
  query.hold('c', 250)();
  query.hold('ch', 250);
  await vi.advanceTimersByTimeAsync(249);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked.map(({ key }) => key)).toEqual(['ch']);
});

test('it is read again when a period of the clock begins', async () => {
  const query = create({ everyMs: 60_000 });
  useClock.setState({ wallClock: 59_000 });
  query.hold('shop');
  await answer('shop', 'first');
  useClock.setState({ wallClock: 59_999 });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toHaveLength(1);
  useClock.setState({ wallClock: 60_000 });
  await vi.advanceTimersByTimeAsync(500);
  expect(asked).toHaveLength(2);
});

test('what another request returned is shown, and the next read starts from it', async () => {
  const query = create({ merge: (arrived, present) => `${present ?? ''} ${arrived}`.trim() });
  query.hold('shop');
  await answer('shop', 'one');
  query.update('shop', present => `${present} two`);
  expect(query.get('shop').value).toBe('one two');
  void query.read('shop');
  await answer('shop', 'three');
  expect(query.get('shop').value).toBe('one two three');
});

test('what was returned before its key is shown is there at once, and an earlier key is forgotten', async () => {
  const query = create();
  const leave = query.hold('A');
  await answer('A', 'first');
  query.update('B', () => 'created');
  leave();
  const leaveB = query.hold('B');
  expect(query.get('B')).toMatchObject({ value: 'created', isReading: true });
  leaveB();
  query.hold('C');
  expect(query.get('A').value).toBeNull();
  expect(query.get('B').value).toBe('created');
});
