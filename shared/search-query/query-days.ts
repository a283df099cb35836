import {
  endOfMonth,
  getDayOfWeek,
  parseDate,
  startOfMonth,
  startOfWeek,
  type CalendarDate,
} from '@internationalized/date';
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

/** The most recent day with this date. */
const latest = (month: string, day: string, now: number): [number, number] | null => {
  const { year } = dayAt(now);
  const thisYear = oneDay(String(year), month, day);
  return thisYear && thisYear[0] > now ? oneDay(String(year - 1), month, day) : thisYear;
};

/** Names of months, folded: the first three letters and what may follow, in English and German. */
const months: readonly RegExp[] = [
  /^jan(?:uary|uar)?$/,
  /^feb(?:ruary|ruar)?$/,
  /^(?:mar(?:ch|z)?|maerz|mrz)$/,
  /^apr(?:il)?$/,
  /^ma[yi]$/,
  /^jun[ei]?$/,
  /^jul[yi]?$/,
  /^aug(?:ust)?$/,
  /^sept?(?:ember)?$/,
  /^o[ck]t(?:ober)?$/,
  /^nov(?:ember)?$/,
  /^de[cz](?:ember)?$/,
];
/** The number of a month from 1; 0 if there is no such month. */
const monthOf = (word: string): number => {
  const name = word.replace(/[.,]+$/, '');
  return months.findIndex(month => month.test(name)) + 1;
};

const weekdays: readonly (readonly string[])[] = [
  ['monday', 'montag'],
  ['tuesday', 'dienstag'],
  ['wednesday', 'mittwoch'],
  ['thursday', 'donnerstag'],
  ['friday', 'freitag'],
  ['saturday', 'samstag', 'sonnabend'],
  ['sunday', 'sonntag'],
];
/** The days from the last such weekday until today, 0 for today; null if it is not a weekday. */
const daysSince = (word: string, today: CalendarDate): number | null => {
  const wanted = weekdays.findIndex(names => names.includes(word));
  return wanted < 0 ? null : (getDayOfWeek(today, 'en', 'mon') - wanted + 7) % 7;
};

/** A number of words, and the days that they name. */
export type Days = { span: number; days: [number, number] };

/** A date with the month's name, as the list writes it: `Nov 3, 2026, 9:05 AM`, `3. Nov.`; its time does not count. */
const namedDate = (words: readonly string[], now: number): Days | null => {
  const [first = '', second = '', third = '', ...rest] = words;
  const [month, day] = monthOf(first) > 0 ? [monthOf(first), second] : [monthOf(second), first];
  const [, digits] = /^(\d{1,2})(?:\.|,|st|nd|rd|th)?,?$/.exec(day) ?? [];
  if (month === 0 || digits === undefined) return null;
  const [, year] = /^(20\d\d),?$/.exec(third) ?? [];
  const days = year === undefined ? latest(String(month), digits, now) : oneDay(year, String(month), digits);
  if (days === null) return null;
  let span = year === undefined ? 2 : 3;
  const [time = '', half = ''] = year === undefined ? [third, ...rest] : rest;
  if (/^\d{1,2}:\d\d$/.test(time)) span += /^[ap]m$/.test(half) ? 2 : 1;
  return { span, days };
};

/**
 * A day, a week or a month at the start of some folded words, by name or by date; a date without a year, or a weekday,
 * is the most recent one.
 */
export const daysOf = (words: readonly string[], now: number): Days | null => {
  const [word = '', next = ''] = words;
  const today = dayAt(now);
  const one = (days: [number, number] | null) => days && { span: 1, days };
  const both = (days: [number, number]) => ({ span: 2, days });
  const ago = (days: number): [number, number] => {
    const day = today.subtract({ days });
    return wholeDays(day, day);
  };
  if (word === 'today' || word === 'heute') return one(ago(0));
  if (word === 'yesterday' || word === 'gestern') return one(ago(1));
  if (next === 'week' || next === 'woche') {
    if (word === 'this' || word === 'diese') return both(wholeWeek(today));
    if (word === 'last' || word === 'letzte') return both(wholeWeek(today.subtract({ weeks: 1 })));
  }
  if (next === 'month' || next === 'monat') {
    if (['this', 'dieser', 'diesen'].includes(word)) return both(wholeMonth(today));
    if (['last', 'letzter', 'letzten'].includes(word)) return both(wholeMonth(today.subtract({ months: 1 })));
  }
  const since = daysSince(word, today);
  if (since !== null) return one(ago(since));
  const before = ['last', 'letzter', 'letzten'].includes(word) ? daysSince(next, today) : null;
  if (before !== null) return both(ago(before === 0 ? 7 : before));
  const named = namedDate(words, now);
  if (named !== null) return named;
  const [iso, isoYear = '', isoMonth = '', isoDay = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(word) ?? [];
  if (iso !== undefined) return one(oneDay(isoYear, isoMonth, isoDay));
  const [local, day = '', month = '', year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d\d)?$/.exec(word) ?? [];
  if (local === undefined) return null;
  if (year !== undefined) return one(oneDay(year.length === 2 ? `20${year}` : year, month, day));
  return one(latest(month, day, now));
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
  const from = daysOf([first], now);
  const until = daysOf([last], now);
  return from && until && from.days[0] < until.days[1] ? [from.days[0], until.days[1]] : null;
};
