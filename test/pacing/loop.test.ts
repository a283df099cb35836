import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startLoop } from '../../main/pacing/loop.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const nothing = (): void => undefined;

test('a loop repeats its step after the pause that the step returns, else after its own', async () => {
  const at: number[] = [];
  const pauses = [undefined, 10, 1_000, Number.POSITIVE_INFINITY];
  const started = Date.now();
  const loop = startLoop(
    () => {
      at.push(Date.now() - started);
      return pauses[at.length - 1];
    },
    { everyMs: 100, firstMs: 5 },
  );
  await vi.advanceTimersByTimeAsync(100_000);
  expect(at).toEqual([5, 105, 115, 1_115]);
  await loop.close();
});

test('a step that fails is reported, and the next one comes in time', async () => {
  const failures: unknown[] = [];
  let steps = 0;
  const loop = startLoop(
    () => {
      steps += 1;
      if (steps === 1) throw new Error('broken');
    },
    { everyMs: 100, onError: thrown => failures.push(thrown) },
  );
  await vi.advanceTimersByTimeAsync(250);
  expect({ steps, failures: failures.length }).toEqual({ steps: 2, failures: 1 });
  await loop.close();
});

test('a loop that is woken begins one further step at its end, however often, and never two at once', async () => {
  let running = 0;
  let steps = 0;
  const most: number[] = [];
  const loop = startLoop(
    async () => {
      running += 1;
      most.push(running);
      steps += 1;
      await new Promise(done => setTimeout(done, 50));
      running -= 1;
    },
    { everyMs: 10_000 },
  );
  const woken = [loop.wake(), loop.wake(), loop.wake()];
  expect(steps).toBe(1);
  await vi.advanceTimersByTimeAsync(50);
  expect(steps).toBe(2);
  await vi.advanceTimersByTimeAsync(50);
  await Promise.all(woken);
  expect({ steps, most: Math.max(...most) }).toEqual({ steps: 2, most: 1 });
  await loop.close();
});

test('closing a loop waits for the step that runs, and begins none that was asked for', async () => {
  const done = vi.fn(nothing);
  let steps = 0;
  const loop = startLoop(
    async () => {
      steps += 1;
      await new Promise(ended => setTimeout(ended, 50));
      done();
    },
    { everyMs: 10 },
  );
  void loop.wake();
  void loop.wake();
  const closed = loop.close();
  await vi.advanceTimersByTimeAsync(50);
  await closed;
  expect(done).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  await loop.wake();
  expect(steps).toBe(1);
});

test('what is asked for within a time is one step, the earliest time decides, also during a step', async () => {
  const at: number[] = [];
  const started = Date.now();
  const loop = startLoop(
    async () => {
      at.push(Date.now() - started);
      await new Promise(ended => setTimeout(ended, 50));
    },
    { everyMs: 10_000 },
  );
  loop.soon(300);
  loop.soon(100);
  loop.soon(200);
  await vi.advanceTimersByTimeAsync(120);
  loop.soon(10);
  loop.soon(200);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(at).toEqual([100, 150]);
  await loop.close();
});
