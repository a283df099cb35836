import { CalendarDate } from '@internationalized/date';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { dayAt, splitIntoDays, startOf } from '../../shared/days.ts';
import { type Period, customPeriod, namedPeriods, readPeriod, spanOf } from '../../shared/reports/periods.ts';
import { readGatewayTime } from '../../shared/gateway-time.ts';

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

const zone = 'Europe/Berlin';
/** 25 October 2026, 12:00 in Berlin: the day on which clocks go back. */
const now = Date.UTC(2026, 9, 25, 11);
const days = (period: Period): string => customPeriod(spanOf(period, now, zone), zone);

describe('a period in the time zone of the merchant', () => {
  test.each<[Period, string]>([
    ['today', '2026-10-25..2026-10-25'],
    ['yesterday', '2026-10-24..2026-10-24'],
    ['7', '2026-10-19..2026-10-25'],
    ['30', '2026-09-26..2026-10-25'],
    ['month', '2026-10-01..2026-10-25'],
    ['last-month', '2026-09-01..2026-09-30'],
    ['quarter', '2026-10-01..2026-10-25'],
    ['last-quarter', '2026-07-01..2026-09-30'],
    ['2026-02-01..2026-02-28', '2026-02-01..2026-02-28'],
  ])('%s is %s', (period, expected) => {
    expect(days(period)).toBe(expected);
  });

  test('a period in the time zone of the merchant has the hours of its days: the day on which clocks go back has 25', () => {
    const { from, until } = spanOf('today', now, zone);
    expect((until - from) / 3_600_000).toBe(25);
    expect(new Date(from).toISOString()).toBe('2026-10-24T22:00:00.000Z');
  });

  test('a period in the time zone of the merchant is read back from its text, and nothing else is a period', () => {
    for (const name of namedPeriods) expect(readPeriod(name)).toBe(name);
    expect(readPeriod('2026-10-05..2026-10-09')).toBe('2026-10-05..2026-10-09');
    for (const text of [
      '',
      'year',
      '2026-10-09..2026-10-05',
      '2026-13-01..2026-13-02',
      '2020-01-01..2026-01-01',
      'a..b..c',
    ])
      expect(readPeriod(text)).toBeNull();
  });
});

const at = (text: string, zone = 'UTC'): string | null => {
  const instant = readGatewayTime(text, zone);
  return instant === null ? null : new Date(instant).toISOString();
};

describe("the gateway's time", () => {
  it.each([
    ['2026-11-20 12:30:45', 'UTC', '2026-11-20T12:30:45.000Z'],
    ['2026-11-20+12:30:45', 'UTC', '2026-11-20T12:30:45.000Z'],
    ['2026-11-20T12:30', 'UTC', '2026-11-20T12:30:00.000Z'],
    ['2026-01-20 12:30:45', 'Europe/Warsaw', '2026-01-20T11:30:45.000Z'],
    ['2026-07-20 12:30:45', 'Europe/Warsaw', '2026-07-20T10:30:45.000Z'],
    ['2026-07-20 00:10:00', 'Asia/Kathmandu', '2026-07-19T18:25:00.000Z'],
    ['2026-11-20 12:30:45Z', 'Europe/Warsaw', '2026-11-20T12:30:45.000Z'],
    ['2026-11-20T12:30:45.123+02:00', 'UTC', '2026-11-20T10:30:45.000Z'],
    ['2026-11-20 12:30:45', 'No/Where', '2026-11-20T12:30:45.000Z'],
    ['2026-10-25 02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-03-29 02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-11-01 01:30:00', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['2026-04-05 01:45:00', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
    ['2026-10-04 02:15:00', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
    ['2011-12-30 12:00:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
    ['2026-11-20 12:30:45-0330', 'UTC', '2026-11-20T16:00:45.000Z'],
    ['2026-11-20 12:30:45 gmt', 'Europe/Berlin', '2026-11-20T12:30:45.000Z'],
  ])('%s in %s is %s', (text, zone, instant) => expect(at(text, zone)).toBe(instant));

  it.each([
    '',
    'null',
    'yesterday',
    '2026-02-30 10:00:00',
    '2026-13-01 10:00:00',
    '2026-01-01 24:00:00',
    '20.11.2026',
  ])('%j is not a time of the gateway', text => expect(at(text)).toBeNull());

  it('the gateway’s time read in the zone that it was written in is the same instant', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'Pacific/Apia',
    ];
    const instants = fc.integer({ min: Date.UTC(2012, 0, 1) / 1000, max: Date.UTC(2040, 0, 1) / 1000 });
    fc.assert(
      fc.property(instants, fc.constantFrom(...zones), (seconds, zone) => {
        const wallClock = new Intl.DateTimeFormat('sv-SE', {
          dateStyle: 'short',
          timeStyle: 'medium',
          timeZone: zone,
        });
        const text = wallClock.format(seconds * 1000);
        const read = readGatewayTime(text, zone);
        expect(read === null ? null : wallClock.format(read)).toBe(text);
        // An hour that occurs twice is read as the first of the two.
        expect([0, 1_800_000, 3_600_000]).toContain(seconds * 1000 - (read ?? 0));
      }),
      { numRuns: 500 },
    );
  });
});
