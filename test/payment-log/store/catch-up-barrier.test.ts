import { expect, test } from 'vitest';
import { createCatchUpBarrier } from '../../../main/payment-log/sqlite/worker/catch-up-barrier.ts';

test('what was read from a list that was behind is read again once the list has caught up', async () => {
  let late = 0;
  const barrier = createCatchUpBarrier(1, isLate => (late += Number(isLate)));
  barrier.advanceTarget(5);
  // The first read waits in vain, the second one does not wait.
  await barrier.waitUntilApplied();
  await barrier.waitUntilApplied();
  barrier.advanceApplied(3);
  expect(late).toBe(0);
  barrier.advanceApplied(5);
  expect(late).toBe(1);
  barrier.advanceTarget(6);
  barrier.advanceApplied(6);
  expect(late).toBe(1);
});

test('a read that waited for the list is not repeated', async () => {
  let late = 0;
  const barrier = createCatchUpBarrier(10_000, isLate => (late += Number(isLate)));
  barrier.advanceTarget(1);
  const read = barrier.waitUntilApplied();
  barrier.advanceApplied(1);
  await read;
  barrier.advanceTarget(2);
  barrier.advanceApplied(2);
  expect(late).toBe(0);
});
