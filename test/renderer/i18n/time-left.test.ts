import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { minutesAndSeconds, thresholdCrossed, timeLeft } from '../../../renderer/i18n/time-left.ts';

const first = { wallClock: 1_000_000, monotonic: 500 };
const hour = 3_600_000;

test('the time left runs down with the clock and stops at zero', () => {
  const expiresAt = first.wallClock + hour;
  expect(timeLeft(expiresAt, first, first)).toBe(hour);
  expect(timeLeft(expiresAt, first, { wallClock: first.wallClock + 60_000, monotonic: 60_500 })).toBe(
    hour - 60_000,
  );
  expect(timeLeft(expiresAt, first, { wallClock: first.wallClock + 2 * hour, monotonic: 2 * hour })).toBe(0);
});

test('a wall clock that is set back five minutes adds no time', () => {
  const now = { wallClock: first.wallClock + 600_000 - 300_000, monotonic: first.monotonic + 600_000 };
  expect(timeLeft(first.wallClock + hour, first, now)).toBe(hour - 600_000);
});

test('the time left counts sleep, though the steady clock stopped', () => {
  const now = { wallClock: first.wallClock + 1_800_000, monotonic: first.monotonic + 1000 };
  expect(timeLeft(first.wallClock + hour, first, now)).toBe(hour - 1_800_000);
});

test('the time left is never more than either clock permits', () => {
  const small = fc.integer({ min: 0, max: 2 * hour });
  fc.assert(
    fc.property(small, small, fc.integer({ min: -hour, max: hour }), (life, passed, step) => {
      const left = timeLeft(first.wallClock + life, first, {
        wallClock: first.wallClock + passed + step,
        monotonic: first.monotonic + passed,
      });
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left).toBeLessThanOrEqual(Math.max(0, life - passed));
    }),
  );
});

test('the time left is rounded down to minutes and seconds, and only thresholds are announced', () => {
  expect(minutesAndSeconds(3_599_999)).toEqual({ minutes: 59, seconds: 59 });
  expect(thresholdCrossed(11 * 60_000)).toBeNull();
  expect(thresholdCrossed(10 * 60_000)).toBe(10);
  expect(thresholdCrossed(4 * 60_000)).toBe(5);
  expect(thresholdCrossed(59_000)).toBe(1);
  expect(thresholdCrossed(0)).toBe(0);
});
