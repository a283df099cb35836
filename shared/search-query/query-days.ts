import { endOfMonth, parseDate, startOfMonth, startOfWeek, type CalendarDate } from '@internationalized/date';
import { dayAt, wholeDays } from '../days.ts';

/** Days as typed into the search box: local days, milliseconds, half-open. */

const wholeMonth = (day: CalendarDate): [number, number] => wholeDays(startOfMonth(day), endOfMonth(day));

const wholeWeek = (day: CalendarDate): [number, number] => {
  const monday = startOfWeek(day, 'en', 'mon');
  return wholeDays(monday, monday.add({ days: 6 }));
};

const two = (digits: string): string => digits.padStart(2, '0');

/** Null for a day that does not exist in the calendar, or that cannot have payments. */
const oneDay = (year: string, month: string, day: string): [number, number] | null => {
  if (Number(year) < 2000 || Number(year) > 2100) return null;
  try {
    const date = parseDate(`${year}-${two(month)}-${two(day)}`);
    return wholeDays(date, date);
  } catch {
    return null;
  }
};

/** A day, a week or a month, by name or by date; a date without a year is the most recent one. */
export type Days = { span: 1 | 2; days: [number, number] };
export const daysOf = (word: string, next: string | null, now: number): Days | null => {
  const today = dayAt(now);
  const one = (days: [number, number] | null) => days && { span: 1 as const, days };
  const both = (days: [number, number]) => ({ span: 2 as const, days });
  if (word === 'today' || word === 'heute') return one(wholeDays(today, today));
  if (word === 'yesterday' || word === 'gestern') {
    const yesterday = today.subtract({ days: 1 });
    return one(wholeDays(yesterday, yesterday));
  }
  if (next === 'week' || next === 'woche') {
    if (word === 'this' || word === 'diese') return both(wholeWeek(today));
    if (word === 'last' || word === 'letzte') return both(wholeWeek(today.subtract({ weeks: 1 })));
  }
  if (next === 'month' || next === 'monat') {
    if (['this', 'dieser', 'diesen'].includes(word)) return both(wholeMonth(today));
    if (['last', 'letzter', 'letzten'].includes(word)) return both(wholeMonth(today.subtract({ months: 1 })));
  }
  const [iso, isoYear = '', isoMonth = '', isoDay = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(word) ?? [];
  if (iso !== undefined) return one(oneDay(isoYear, isoMonth, isoDay));
  const [local, day = '', month = '', year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})?$/.exec(word) ?? [];
  if (local === undefined) return null;
  if (year !== undefined) return one(oneDay(year, month, day));
  const thisYear = oneDay(String(today.year), month, day);
  return one(thisYear && thisYear[0] > now ? oneDay(String(today.year - 1), month, day) : thisYear);
};

/** `days:7`, `tage:30`: the last n days including today. */
export const lastDays = (value: string, now: number): [number, number] | null =>
  /^[1-9]\d{0,2}$/.test(value)
    ? wholeDays(dayAt(now).subtract({ days: Number(value) - 1 }), dayAt(now))
    : null;

/** A range of days, both included: `2026-10-23..2026-11-21`, `23.10.–21.11.`. */
export const rangeOf = (word: string, now: number): [number, number] | null => {
  const [first, last, ...more] = word.split(/\.{2}(?!\.)|–/);
  if (first === undefined || last === undefined || more.length > 0) return null;
  const from = daysOf(first, null, now);
  const until = daysOf(last, null, now);
  return from && until && from.days[0] < until.days[1] ? [from.days[0], until.days[1]] : null;
};
