import { expect, test, vi } from 'vitest';
import { startServerClock } from '../../main/team/server-clock.ts';
import { clockCorrection } from '../../shared/team/clock-correction.ts';
import { ok } from '../../shared/errors.ts';

const serverClock = (measured: readonly (readonly [offsetMs: number, roundTripMs: number])[]) => {
  let at = 0;
  const clock = vi.fn(async () => {
    const [offsetMs, roundTripMs] = measured[at++ % measured.length] ?? [0, 0];
    return ok({ offsetMs, roundTripMs });
  });
  const onChange = vi.fn();
  return {
    onChange,
    clock: startServerClock({
      shared: { installations: { clock } },
      clock: Date.now,
      onChange,
    }),
  };
};

test('the median of five measurements counts, without those over a slow line', async () => {
  const { clock, onChange } = serverClock([
    [600_010, 20],
    [600_000, 20],
    [900_000, 1_500],
    [600_005, 30],
    [10, 20],
  ]);
  expect(clock.offsetMs()).toBeNull();
  await clock.measure();
  expect(clock.offsetMs()).toBe(600_005);
  expect(onChange).toHaveBeenCalledExactlyOnceWith(600_005);
  await clock.close();
});

test('small differences from the server’s clock are left alone, large ones are corrected', () => {
  expect([null, 0, 400, -999].map(clockCorrection)).toEqual([0, 0, 0, 0]);
  expect([-600_000, 1_000].map(clockCorrection)).toEqual([-600_000, 1_000]);
});
