import type { DateOrder } from '../../../shared/statements/statement-kinds.ts';
import { dateOfSerial } from '../files/xlsx.ts';
import { plainWords } from './plain-words.ts';

/** Dates as files write them. */

/** Languages whose names of months are known. */
const locales = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt', 'sv', 'da', 'cs'] as const;

const months = new Map<string, number>();
for (const locale of locales)
  for (const style of ['long', 'short'] as const)
    for (const context of [{ month: style }, { month: style, day: 'numeric' }] as const) {
      const format = new Intl.DateTimeFormat(locale, { ...context, timeZone: 'UTC' });
      for (let month = 0; month < 12; month += 1) {
        const name = format
          .formatToParts(Date.UTC(2026, month, 15))
          .find(({ type }) => type === 'month')?.value;
        if (name !== undefined && !/\d/.test(name)) months.set(plainWords(name), month + 1);
      }
    }

/** A moment as far as a file names it: a day, perhaps with an instant. */
export type When = { day: string; at: number | null };

const two = (value: number): string => String(value).padStart(2, '0');

const dayOf = (year: number, month: number, day: number): string | null => {
  const full = year < 100 ? 2000 + year : year;
  const date = new Date(Date.UTC(full, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && full >= 2000 && full < 2100;
  return isReal ? `${full}-${two(month)}-${two(day)}` : null;
};

/** A day in one order; null if it is not a date in it. Dates that start with the year or name the month have one order only. */
const readDay = (text: string, order: DateOrder): string | null => {
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  const yearFirst = compact ?? /^(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})\.?$/.exec(text);
  if (yearFirst)
    return order === 'ymd' ? dayOf(Number(yearFirst[1]), Number(yearFirst[2]), Number(yearFirst[3])) : null;
  const named = plainWords(text)
    .split(' ')
    .filter(word => !/^(de|of|the)$/.test(word));
  if (named.length === 3 && order === 'ymd') {
    const [one = '', other = '', year = ''] = named;
    const month = months.get(other) ?? months.get(one);
    const day = months.has(other) ? one : other;
    if (month !== undefined) return dayOf(Number(year), month, Number.parseInt(day, 10));
  }
  const marked =
    /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})\.?$/.exec(text) ?? /^(\d{2})(\d{2})(20\d{2})$/.exec(text);
  if (!marked || order === 'ymd') return null;
  const [one, other, year] = [Number(marked[1]), Number(marked[2]), Number(marked[3])];
  return order === 'dmy' ? dayOf(year, other, one) : dayOf(year, one, other);
};

/** A time after a day, with what joins them: `T08:22:00Z`, `, 8:22 PM`, ` 08.22 Uhr`, ` à 08h22`. */
const clock =
  /,?(?:T|[\s\u00a0]+(?:(?:-|à|at|um)\s+)?)(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?\s*([AP]\.?M\.?)?(?:\s*Uhr)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2}|[A-Z]{2,4}T|MEZ|MESZ)?$/i;

/** A day as it is read: without a quote, the name of its weekday, and a time without marks. */
const plainDay = (cell: string): string =>
  cell
    .trim()
    .replace(/^'/, '')
    .replace(/^\p{L}{2,10}\.?,? +(?=\d)/u, '')
    .replace(/^(\d{8}) ?(?:\d{4}|\d{6})$/, '$1');

/** Minutes east of UTC; null if the text names no offset. */
const offsetOf = (text: string | undefined): number | null => {
  if (text === undefined) return null;
  const found = /^([+-])(\d{2}):?(\d{2})?$/.exec(text);
  // The names of other zones are ambiguous.
  if (!found) return /^(z|utc|gmt)$/i.test(text) ? 0 : null;
  return (found[1] === '-' ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3] ?? 0));
};

/** The day of a cell, and its instant if the cell names time and offset. Null if it is no date in this order. */
export const readWhen = (cell: string, order: DateOrder): When | null => {
  const text = plainDay(cell);
  if (/^[3-7]\d{4}(?:\.\d+)?$/.test(text))
    return order === 'ymd' ? { day: dateOfSerial(Number(text)).slice(0, 10), at: null } : null;
  const time = clock.exec(text);
  const day = readDay(time ? text.slice(0, time.index) : text, order);
  if (day === null) return null;
  const offset = offsetOf(time?.[5]);
  if (!time || offset === null) return { day, at: null };
  const hour = (Number(time[1]) % (time[4] ? 12 : 24)) + (/^p/i.test(time[4] ?? '') ? 12 : 0);
  const at = Date.parse(`${day}T${two(hour)}:${time[2]}:${time[3] ?? '00'}Z`) - offset * 60_000;
  return Number.isNaN(at) ? { day, at: null } : { day, at };
};

/** The orders in which all dates of a file can be read; empty if in none. */
export const dateOrdersOf = (cells: readonly string[]): DateOrder[] => {
  const misses = { ymd: 0, dmy: 0, mdy: 0 };
  const orders = ['ymd', 'dmy', 'mdy'] as const;
  // The time of a cell does not decide.
  const days = new Map<string, number>();
  for (const cell of cells) {
    const day = /^\d{4}-\d\d-\d\d[T ]/.test(cell) ? cell.slice(0, 10) : plainDay(cell).replace(clock, '');
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  for (const [day, count] of days)
    for (const order of orders) if (readWhen(day, order) === null) misses[order] += count;
  const whole = orders.filter(order => misses[order] === 0);
  if (whole.length > 0 || cells.length === 0) return whole;
  const best = orders.reduce((one, other) => (misses[other] < misses[one] ? other : one));
  return misses[best] < cells.length ? [best] : [];
};

/** The first and the last of ISO dates; null of none. */
export const spanOf = (days: Iterable<string>): { first: string; last: string } | null => {
  let span: { first: string; last: string } | null = null;
  for (const day of days) {
    span ??= { first: day, last: day };
    if (day < span.first) span.first = day;
    if (day > span.last) span.last = day;
  }
  return span;
};

/** Whole days between two ISO dates. */
export const daysBetween = (one: string, other: string): number =>
  one === other ? 0 : Math.abs(Date.parse(one) - Date.parse(other)) / 86_400_000;

/** Days by which two clocks or zones may put one movement. */
export const toleranceDays = 1;

/** The day of an instant, milliseconds, in a zone (IANA). */
export const dayInZone = (zone: string): ((at: number) => string) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
  const days = new Map<number, string>();
  return at => {
    // No zone begins a day at another moment than a quarter of an hour.
    const quarter = Math.floor(at / 900_000);
    const day = days.get(quarter) ?? format.format(new Date(at));
    days.set(quarter, day);
    return day;
  };
};
