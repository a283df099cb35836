import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLimiter, createPaymentMutex } from '../../main/pacing/limiter.ts';

test('a limiter starts everything in order, never more than its limit at once, also after failures', async () => {
  const work = fc.record({ ticks: fc.nat(3), fails: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(work, { maxLength: 12 }), fc.integer({ min: 1, max: 4 }), async (jobs, max) => {
      const { run } = createLimiter(max);
      const started: number[] = [];
      let running = 0;
      const results = await Promise.allSettled(
        jobs.map(({ ticks, fails }, index) =>
          run(async () => {
            started.push(index);
            running += 1;
            expect(running).toBeLessThanOrEqual(max);
            for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
            running -= 1;
            if (fails) throw new Error(String(index));
            return index;
          }),
        ),
      );
      expect(started).toEqual(jobs.map((_, index) => index));
      expect(results.map(({ status }) => status)).toEqual(
        jobs.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')),
      );
    }),
  );
});

test('a limiter starts waiting work before new work', async () => {
  const { run } = createLimiter(1);
  const order: string[] = [];
  const first = run(() => setImmediate());
  const second = run(() => order.push('second'));
  const third = first.then(() => run(() => order.push('third')));
  await Promise.all([second, third]);
  expect(order).toEqual(['second', 'third']);
});

test('the lock per payment makes the work on one payment wait for earlier work on it, and for no other', async () => {
  const { run } = createPaymentMutex();
  const order: string[] = [];
  const held = Promise.withResolvers<void>();
  const one = { profileId: 'shop', orderNumber: '1' };
  const first = run(one, async () => {
    await held.promise;
    order.push('first');
  });
  const second = run({ ...one }, () => order.push('second'));
  await run({ profileId: 'shop', orderNumber: '2' }, () => order.push('another order'));
  await run({ profileId: 'hotel', orderNumber: '1' }, () => order.push('another profile'));
  held.resolve();
  await Promise.all([first, second]);
  expect(order).toEqual(['another order', 'another profile', 'first', 'second']);
});

test('the lock per payment continues after a failure', async () => {
  const { run } = createPaymentMutex();
  const key = { profileId: 'shop', orderNumber: '1' };
  const failing = run(key, () => Promise.reject(new Error('no')));
  const next = run(key, () => 'done');
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe('done');
});
