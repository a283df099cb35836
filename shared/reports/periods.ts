import { endOfMonth, parseDate, startOfMonth, type CalendarDate } from '@internationalized/date';
import { dayAt, wholeDays } from '../days.ts';

/** Periods by name: some days up to today, and the whole months and quarters of a merchant's books. */
export const namedPeriods = [
  'today',
  'yesterday',
  '7',
  '30',
  'month',
  'last-month',
  'quarter',
  'last-quarter',
] as const;
export type NamedPeriod = (typeof namedPeriods)[number];

/** A named period, or days by date, both included: `2026-10-05..2026-10-09`. */
export type Period = NamedPeriod | `${string}..${string}`;

/** Limit of a period, days: a leap year and a month, so that a year fits. */
export const maxPeriodDays = 400;

/** Milliseconds, half-open. */
export type Span = { from: number; until: number };

const daysOf = (text: string): [CalendarDate, CalendarDate] | null => {
  const [first, last, ...more] = text.split('..');
  if (first === undefined || last === undefined || more.length > 0) return null;
  try {
    const days: [CalendarDate, CalendarDate] = [parseDate(first), parseDate(last)];
    const [from, until] = days;
    return from.compare(until) <= 0 && until.compare(from.add({ days: maxPeriodDays })) < 0 ? days : null;
  } catch {
    return null;
  }
};

/** Reads a stored period; null if the text is not a period. */
export const readPeriod = (text: string): Period | null =>
  namedPeriods.find(name => name === text) ?? (daysOf(text) === null ? null : (text as Period));

/** The period from the day of `from` to the last day before `until`; milliseconds. `zone`: by default the local one. */
export const customPeriod = ({ from, until }: Span, zone?: string): Period =>
  `${dayAt(from, zone).toString()}..${dayAt(until - 1, zone).toString()}`;

const quarterOf = (day: CalendarDate): CalendarDate =>
  startOfMonth(day).subtract({ months: (day.month - 1) % 3 });

const spanDays = (period: NamedPeriod, today: CalendarDate): [CalendarDate, CalendarDate] => {
  switch (period) {
    case 'today':
      return [today, today];
    case 'yesterday':
      return [today.subtract({ days: 1 }), today.subtract({ days: 1 })];
    case '7':
      return [today.subtract({ days: 6 }), today];
    case '30':
      return [today.subtract({ days: 29 }), today];
    case 'month':
      return [startOfMonth(today), today];
    case 'last-month': {
      const day = startOfMonth(today).subtract({ months: 1 });
      return [day, endOfMonth(day)];
    }
    case 'quarter':
      return [quarterOf(today), today];
    case 'last-quarter': {
      const day = quarterOf(today).subtract({ months: 3 });
      return [day, endOfMonth(day.add({ months: 2 }))];
    }
  }
};

/** The days of a period in a zone, by default the local one; unfinished ones end with the day of `now`. */
export const spanOf = (period: Period, now: number, zone?: string): Span => {
  const today = dayAt(now, zone);
  const named = namedPeriods.find(name => name === period);
  const [first, last] = named ? spanDays(named, today) : (daysOf(period) ?? [today, today]);
  const [from, until] = wholeDays(first, last, zone);
  return { from, until };
};
