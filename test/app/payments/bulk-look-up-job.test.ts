import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runBulkLookUp, type LookUpAnswer } from '../../../main/app/payments/payments-feature.ts';
import { createLookUpQueue } from '../../../main/look-ups/look-up-queue.ts';
import { fail, type ErrorCode } from '../../../shared/errors.ts';
import { quoted } from '../../../shared/messages/message.ts';
import type { BulkLookUp } from '../../../shared/look-ups/bulk-look-up.ts';

/** A bulk look-up in the queue: what a person sees and decides. */

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const orders = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ profileId: 'shop', orderNumber: `CF-${index}` }));
const failed = (code: ErrorCode, httpStatus?: number): LookUpAnswer => ({
  outcome: 'failed',
  error: fail(code, quoted(code), httpStatus === undefined ? {} : { details: { httpStatus } }).error,
});
const unchanged: LookUpAnswer = { outcome: 'unchanged' };
const minute = 60_000;

/** A bulk look-up with answers by index. */
const startJob = (count: number, answer: (index: number) => LookUpAnswer) => {
  const queue = createLookUpQueue(() => Date.now());
  const requested: string[] = [];
  const emitted: BulkLookUp[] = [];
  const start = () =>
    runBulkLookUp(orders(count), {
      queue,
      lookUp: async order => answer(requested.push(order.orderNumber) - 1),
      emit: state => emitted.push(state),
    });
  return { job: start(), start, requested, emitted };
};

test('every payment is looked up once by a bulk look-up', async () => {
  const { job, requested, emitted } = startJob(120, () => unchanged);
  await vi.advanceTimersByTimeAsync(minute);
  expect(requested).toEqual(orders(120).map(order => order.orderNumber));
  expect(job.state()).toMatchObject({ phase: 'over', total: 120, done: 120, problem: null });
  expect(emitted).toHaveLength(120);
});

test.each([
  ['reports too many requests', 'gateway.refused', 429, 2],
  ['cannot be reached three times in a row', 'gateway.unreachable', undefined, 4],
  ['refuses five signatures in a row', 'gateway.signature-refused', 400, 6],
  ['has no password', 'profile.password-missing', undefined, 2],
] as const)(
  'bulk look-up pauses automatically if the gateway %s',
  async (_says, code, httpStatus, maxRequests) => {
    const { job, requested } = startJob(50, () => failed(code, httpStatus));
    await vi.advanceTimersByTimeAsync(60 * minute);
    expect(job.state()).toMatchObject({ phase: 'paused', problem: { code } });
    expect(requested.length).toBeLessThanOrEqual(maxRequests);
  },
);

test('after a pause the user can continue bulk look-up at once, and the remaining payments are looked up', async () => {
  let isReachable = false;
  const { job, requested } = startJob(12, () => (isReachable ? unchanged : failed('gateway.timeout')));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(job.state().phase).toBe('paused');
  isReachable = true;
  job.resume();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(requested).toHaveLength(12);
  expect(job.state()).toMatchObject({ phase: 'over', done: 12, problem: null });
});

test('failures of single payments do not pause bulk look-up', async () => {
  const { job } = startJob(30, () => failed('input.invalid'));
  await vi.advanceTimersByTimeAsync(minute);
  expect(job.state()).toMatchObject({ phase: 'over', done: 30, outcomes: { failed: 30 } });
});

test('after the user pauses bulk look-up there is no look-up; after a stop it cannot continue, and another one can start', async () => {
  const { job, start, requested } = startJob(40, () => unchanged);
  await vi.advanceTimersByTimeAsync(1_000);
  job.pause();
  const before = requested.length;
  expect(before).toBeGreaterThan(0);
  await vi.advanceTimersByTimeAsync(minute);
  expect(requested).toHaveLength(before);
  job.resume();
  job.stop();
  job.resume();
  const other = start();
  await vi.advanceTimersByTimeAsync(minute);
  expect(job.state()).toMatchObject({ phase: 'over', problem: null });
  expect(job.state().done).toBeLessThanOrEqual(before + 2);
  expect(other.state()).toMatchObject({ phase: 'over', done: 40 });
});
