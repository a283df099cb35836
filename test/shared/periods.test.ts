import { describe, expect, test } from 'vitest';
import { customPeriod, namedPeriods, readPeriod, spanOf, type Period } from '../../shared/reports/periods.ts';

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
