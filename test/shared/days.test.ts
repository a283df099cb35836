import { CalendarDate } from '@internationalized/date';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayAt, splitIntoDays, startOf } from '../../shared/days.ts';

const hour = 3_600_000;

test.each([
  ['Europe/Berlin', '2026-03-28T23:00:00Z', [23, 24]],
  ['Europe/Berlin', '2026-10-24T22:00:00Z', [25, 24]],
  ['Australia/Lord_Howe', '2026-04-04T13:00:00Z', [24.5]],
  // Midnight does not exist: the day begins at one o'clock.
  ['Africa/Cairo', '2026-04-23T22:00:00Z', [23, 24]],
  ['America/Havana', '2026-03-08T05:00:00Z', [23, 24]],
  // Samoa had no 30 December 2011.
  ['Pacific/Apia', '2011-12-29T10:00:00Z', [24, 24]],
  ['Europe/Berlin', '2026-10-23T22:00:00Z', [24, 25, 24]],
  ['America/Santiago', '2026-09-05T04:00:00Z', [24, 23, 24]],
  ['Asia/Kathmandu', '2026-05-01T18:15:00Z', [24, 24]],
  ['UTC', '2026-05-01T00:00:00Z', [24]],
])('the days in %s from %s have the right length', (zone, from, hours) => {
  const first = Date.parse(from);
  const until = first + hours.reduce((sum, one) => sum + one, 0) * hour;
  const cuts = splitIntoDays(first, until, zone);
  expect(cuts.slice(1).map((cut, index) => (cut - (cuts[index] ?? 0)) / hour)).toEqual(hours);
  expect(cuts).toHaveLength(hours.length + 1);
});

test('the days of a zone are found by any instant of theirs', () => {
  expect(dayAt(Date.parse('2026-11-20T23:30:00Z'), 'Europe/Berlin').toString()).toBe('2026-11-21');
  expect(dayAt(Date.parse('2026-11-20T23:30:00Z'), 'UTC').toString()).toBe('2026-11-20');
  expect(startOf(new CalendarDate(2026, 11, 21), 'Europe/Berlin')).toBe(Date.parse('2026-11-20T23:00:00Z'));
});

test('the days of a zone of an unknown zone are refused', () => {
  expect(() => splitIntoDays(0, hour, 'No/Where')).toThrow(RangeError);
});

test('the days of a zone begin and end with the span, for any span', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.integer({ min: 1, max: 60 * 24 * hour }),
      fc.constantFrom('UTC', 'Europe/Warsaw', 'America/Havana', 'Africa/Cairo', 'Australia/Lord_Howe'),
      (from, length, name) => {
        const cuts = splitIntoDays(from, from + length, name);
        expect([cuts[0], cuts.at(-1)]).toEqual([from, from + length]);
        for (const [index, cut] of cuts.slice(1).entries()) {
          const took = cut - (cuts[index] ?? 0);
          expect(took).toBeGreaterThan(0);
          expect(took).toBeLessThanOrEqual(25 * hour);
        }
      },
    ),
  );
});
