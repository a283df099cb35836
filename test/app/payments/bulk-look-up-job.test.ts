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

/** A round whose answers are given by number, and whose waits are over at once. */
const round = (count: number, answer: (index: number) => LookUpAnswer) => {
  const asked: string[] = [];
  const waits: number[] = [];
  const emitted: BulkLookUp[] = [];
  let atOnce = 0;
  let maxConcurrent = 0;
  let held: (() => void) | null = null;
  const running = runBulkLookUp(orders(count), {
    ask: async order => {
      const index = asked.push(order.orderNumber) - 1;
      atOnce += 1;
      maxConcurrent = Math.max(maxConcurrent, atOnce);
      await Promise.resolve();
      atOnce -= 1;
      return answer(index);
    },
    wait: async milliseconds => {
      waits.push(milliseconds);
    },
    emit: state => {
      emitted.push(state);
      if (state.phase === 'paused') held?.();
    },
  });
  return {
    running,
    asked,
    waits,
    emitted,
    maxConcurrent: () => maxConcurrent,
    /** Resolves when the round pauses. */
    held: new Promise<void>(resolve => {
      held = resolve;
    }),
  };
};

test('every payment is asked about once, two at a time, with a pause after each answer', async () => {
  const { running, asked, waits, maxConcurrent } = round(20, () => unchanged);
  await running.ended;
  expect(asked.toSorted()).toEqual(
    orders(20)
      .map(order => order.orderNumber)
      .toSorted(),
  );
  expect(maxConcurrent()).toBe(2);
  expect(waits.length).toBeGreaterThanOrEqual(18);
  expect(Math.min(...waits)).toBe(250);
  expect(running.state()).toMatchObject({ phase: 'over', total: 20, done: 20, problem: null });
});

test('with every fiftieth question comes a longer rest', async () => {
  const { running, waits } = round(120, () => unchanged);
  await running.ended;
  expect(waits.filter(wait => wait === 2_000)).toHaveLength(2);
});

test.each([
  ['says there were too many', 'gateway.refused', 429, 2],
  ['does not let this desk in', 'gateway.refused', 403, 2],
  ['cannot be reached three times in a row', 'gateway.unreachable', undefined, 4],
  ['refuses five signatures in a row', 'gateway.signature-refused', 400, 6],
  ['cannot be asked for want of a password', 'profile.password-missing', undefined, 2],
] as const)('it pauses automatically if the gateway %s', async (_says, code, httpStatus, maxRequests) => {
  const { running, asked, held } = round(50, () => failed(code, httpStatus));
  await held;
  await Promise.resolve();
  expect(running.state()).toMatchObject({ phase: 'paused', problem: { code } });
  expect(asked.length).toBeLessThanOrEqual(maxRequests);
  running.stop();
  await running.ended;
});

test('a person may go on after it held, and it asks for the rest', async () => {
  let well = false;
  const { running, asked, held } = round(12, () => (well ? unchanged : failed('gateway.timeout')));
  await held;
  well = true;
  running.goOn();
  await running.ended;
  expect(asked).toHaveLength(12);
  expect(running.state()).toMatchObject({ phase: 'over', done: 12, problem: null });
});

test('failures about one payment alone never hold it', async () => {
  const { running } = round(30, () => failed('input.invalid'));
  await running.ended;
  expect(running.state()).toMatchObject({ phase: 'over', done: 30, outcomes: { failed: 30 } });
});

test('an answer between two failures resets their count', async () => {
  const { running } = round(30, index => (index % 3 === 0 ? unchanged : failed('gateway.timeout')));
  await running.ended;
  expect(running.state().done).toBe(30);
});

test('paused by a person, nothing is asked; stopped, nothing more ever is', async () => {
  const { running, asked, emitted } = round(40, index => {
    if (index === 4) running.pause();
    return unchanged;
  });
  await expect.poll(() => emitted.at(-1)?.phase).toBe('paused');
  await Promise.resolve();
  const before = asked.length;
  expect(before).toBeLessThanOrEqual(7);
  running.stop();
  await running.ended;
  expect(asked).toHaveLength(before);
  expect(running.state()).toMatchObject({ phase: 'over', done: before, problem: null });
});
