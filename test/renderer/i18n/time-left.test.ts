import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { minutesAndSeconds, thresholdCrossed, timeLeft } from '../../../renderer/i18n/time-left.ts';

const first = { wall: 1_000_000, steady: 500 };
const hour = 3_600_000;

test('time left runs down with the clock and stops at nothing', () => {
  const expiresAt = first.wall + hour;
  expect(timeLeft(expiresAt, first, first)).toBe(hour);
  expect(timeLeft(expiresAt, first, { wall: first.wall + 60_000, steady: 60_500 })).toBe(hour - 60_000);
  expect(timeLeft(expiresAt, first, { wall: first.wall + 2 * hour, steady: 2 * hour })).toBe(0);
});

test('a wall clock set back five minutes gives no minute more', () => {
  const now = { wall: first.wall + 600_000 - 300_000, steady: first.steady + 600_000 };
  expect(timeLeft(first.wall + hour, first, now)).toBe(hour - 600_000);
});

test('a sleep that stopped the steady clock is counted', () => {
  const now = { wall: first.wall + 1_800_000, steady: first.steady + 1000 };
  expect(timeLeft(first.wall + hour, first, now)).toBe(hour - 1_800_000);
});

test('it is never more than either clock allows', () => {
  const small = fc.integer({ min: 0, max: 2 * hour });
  fc.assert(
    fc.property(small, small, fc.integer({ min: -hour, max: hour }), (life, passed, step) => {
      const left = timeLeft(first.wall + life, first, {
        wall: first.wall + passed + step,
        steady: first.steady + passed,
      });
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left).toBeLessThanOrEqual(Math.max(0, life - passed));
    }),
  );
});

test('minutes and seconds are rounded down, and only thresholds are spoken', () => {
  expect(minutesAndSeconds(3_599_999)).toEqual({ minutes: 59, seconds: 59 });
  expect(thresholdCrossed(11 * 60_000)).toBeNull();
  expect(thresholdCrossed(10 * 60_000)).toBe(10);
  expect(thresholdCrossed(4 * 60_000)).toBe(5);
  expect(thresholdCrossed(59_000)).toBe(1);
  expect(thresholdCrossed(0)).toBe(0);
});
