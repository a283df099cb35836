import { expect, test } from 'vitest';
import { runBulkLookUp, type LookUpAnswer } from '../../../main/app/payments/bulk-look-up-job.ts';
import { fail, type ErrorCode } from '../../../shared/errors.ts';
import { quoted } from '../../../shared/messages/message.ts';
import type { BulkLookUp } from '../../../shared/payments/bulk-look-up.ts';

/** The limits of a bulk look-up: requests in flight, cooldowns, automatic pauses. */

const orders = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ profileId: 'shop', orderNumber: `CF-${index}` }));
const failed = (code: ErrorCode, httpStatus?: number): LookUpAnswer => ({
  outcome: 'failed',
  error: fail(code, quoted(code), httpStatus === undefined ? {} : { details: { httpStatus } }).error,
});
const unchanged: LookUpAnswer = { outcome: 'unchanged' };

/** A bulk look-up with answers by index, whose pauses end at once. */
const startJob = (count: number, answer: (index: number) => LookUpAnswer) => {
  const requested: string[] = [];
  const waits: number[] = [];
  const emitted: BulkLookUp[] = [];
  let inFlight = 0;
  let maxConcurrent = 0;
  let paused: (() => void) | null = null;
  const job = runBulkLookUp(orders(count), {
    lookUp: async order => {
      const index = requested.push(order.orderNumber) - 1;
      inFlight += 1;
      maxConcurrent = Math.max(maxConcurrent, inFlight);
      await Promise.resolve();
      inFlight -= 1;
      return answer(index);
    },
    wait: async milliseconds => {
      waits.push(milliseconds);
    },
    emit: state => {
      emitted.push(state);
      if (state.phase === 'paused') paused?.();
    },
  });
  return {
    job,
    requested,
    waits,
    emitted,
    maxConcurrent: () => maxConcurrent,
    /** Resolves when the job pauses. */
    paused: new Promise<void>(resolve => {
      paused = resolve;
    }),
  };
};

test('every payment is looked up once, two at a time, with a pause after each answer', async () => {
  const { job, requested, waits, maxConcurrent } = startJob(20, () => unchanged);
  await job.ended;
  expect(requested.toSorted()).toEqual(
    orders(20)
      .map(order => order.orderNumber)
      .toSorted(),
  );
  expect(maxConcurrent()).toBe(2);
  expect(waits.length).toBeGreaterThanOrEqual(18);
  expect(Math.min(...waits)).toBe(250);
  expect(job.state()).toMatchObject({ phase: 'over', total: 20, done: 20, problem: null });
});

test('after every fifty look-ups, bulk look-up makes a longer pause', async () => {
  const { job, waits } = startJob(120, () => unchanged);
  await job.ended;
  expect(waits.filter(wait => wait === 2_000)).toHaveLength(2);
});

test.each([
  ['reports too many requests', 'gateway.refused', 429, 2],
  ['denies access', 'gateway.refused', 403, 2],
  ['cannot be reached three times in a row', 'gateway.unreachable', undefined, 4],
  ['refuses five signatures in a row', 'gateway.signature-refused', 400, 6],
  ['has no password', 'profile.password-missing', undefined, 2],
] as const)(
  'bulk look-up pauses automatically if the gateway %s',
  async (_says, code, httpStatus, maxRequests) => {
    const { job, requested, paused } = startJob(50, () => failed(code, httpStatus));
    await paused;
    await Promise.resolve();
    expect(job.state()).toMatchObject({ phase: 'paused', problem: { code } });
    expect(requested.length).toBeLessThanOrEqual(maxRequests);
    job.stop();
    await job.ended;
  },
);

test('after a pause the user can continue bulk look-up, and the remaining payments are looked up', async () => {
  let isReachable = false;
  const { job, requested, paused } = startJob(12, () =>
    isReachable ? unchanged : failed('gateway.timeout'),
  );
  await paused;
  isReachable = true;
  job.resume();
  await job.ended;
  expect(requested).toHaveLength(12);
  expect(job.state()).toMatchObject({ phase: 'over', done: 12, problem: null });
});

test('failures of single payments do not pause bulk look-up', async () => {
  const { job } = startJob(30, () => failed('input.invalid'));
  await job.ended;
  expect(job.state()).toMatchObject({ phase: 'over', done: 30, outcomes: { failed: 30 } });
});

test('an answer between two failures resets their count', async () => {
  const { job } = startJob(30, index => (index % 3 === 0 ? unchanged : failed('gateway.timeout')));
  await job.ended;
  expect(job.state().done).toBe(30);
});

test('after the user pauses bulk look-up there is no look-up; after a stop it cannot continue', async () => {
  const { job, requested, emitted } = startJob(40, index => {
    if (index === 4) job.pause();
    return unchanged;
  });
  await expect.poll(() => emitted.at(-1)?.phase).toBe('paused');
  await Promise.resolve();
  const before = requested.length;
  expect(before).toBeLessThanOrEqual(7);
  job.stop();
  await job.ended;
  expect(requested).toHaveLength(before);
  expect(job.state()).toMatchObject({ phase: 'over', done: before, problem: null });
});
