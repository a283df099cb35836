import { expect, test } from 'vitest';
import { snoozeTimes, snoozeUntil } from '../../renderer/screens/reconciliation/snooze-times.ts';

test.each(Array.from({ length: 7 }, (_, day) => [day]))(
  'the ends of a snooze are different on day %i of a week',
  day => {
    // A Monday, in the morning.
    const now = new Date(2026, 10, 23 + day, 8, 0).getTime();
    const ends = snoozeTimes.map(time => snoozeUntil(time, now)).filter(end => end !== null);
    expect(new Set(ends).size).toBe(ends.length);
    expect(Math.min(...ends)).toBeGreaterThan(now);
  },
);
