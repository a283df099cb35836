import { expect, test } from 'vitest';
import { retry, retryDelay } from '../../main/pacing/retry.ts';

test('the delay follows the list, its last one is repeated, and the random part stays within its share', () => {
  expect([1, 2, 3, 9].map(failures => retryDelay([10, 20, 40], failures))).toEqual([10, 20, 40, 40]);
  for (let time = 0; time < 100; time += 1) {
    const delay = retryDelay([100], 1, 0.5);
    expect(delay >= 100 && delay <= 150).toBe(true);
  }
});

test('work is repeated until its outcome is final', async () => {
  const pauses: number[] = [];
  let attempt = 0;
  const outcome = await retry(
    async () => ++attempt,
    (value, attempts) => (value < 3 ? attempts * 10 : null),
    { pause: async milliseconds => void pauses.push(milliseconds) },
  );
  expect({ outcome, pauses }).toEqual({ outcome: 3, pauses: [10, 20] });
});

test('a pause ends with its signal, and nothing is tried again', async () => {
  const controller = new AbortController();
  let attempts = 0;
  const outcome = retry(
    async () => ++attempts,
    () => 60_000,
    { signal: controller.signal },
  );
  controller.abort();
  await expect(outcome).rejects.toThrow();
  expect(attempts).toBe(1);
});
