/** Days as people type them into the search box: local ones, in milliseconds, half-open. */

/** Midnight, local time, of the day that many days from `now`'s. */
const midnight = (now: number, days = 0): number => {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days).getTime();
};

/** The month that many months from `now`'s, whole. */
const wholeMonth = (now: number, months: number): [number, number] => {
  const day = new Date(now);
  const first = (more: number): number =>
    new Date(day.getFullYear(), day.getMonth() + months + more, 1).getTime();
  return [first(0), first(1)];
};

const oneDay = (year: number, month: number, day: number): [number, number] | null => {
  const from = new Date(year, month - 1, day);
  if (from.getMonth() !== month - 1 || from.getDate() !== day || year < 2000 || year > 2100) return null;
  return [from.getTime(), new Date(year, month - 1, day + 1).getTime()];
};

/** A day, a week or a month, by name or by date; a date without a year is the last one that was. */
export type Days = { span: 1 | 2; days: [number, number] };
export const daysOf = (word: string, next: string | null, now: number): Days | null => {
  const monday = -((new Date(now).getDay() + 6) % 7);
  const one = (days: [number, number] | null) => days && { span: 1 as const, days };
  if (word === 'today' || word === 'heute') return one([midnight(now), midnight(now, 1)]);
  if (word === 'yesterday' || word === 'gestern') return one([midnight(now, -1), midnight(now)]);
  if (next === 'week' || next === 'woche') {
    if (word === 'this' || word === 'diese')
      return { span: 2, days: [midnight(now, monday), midnight(now, monday + 7)] };
    if (word === 'last' || word === 'letzte')
      return { span: 2, days: [midnight(now, monday - 7), midnight(now, monday)] };
  }
  if (next === 'month' || next === 'monat') {
    if (['this', 'dieser', 'diesen'].includes(word)) return { span: 2, days: wholeMonth(now, 0) };
    if (['last', 'letzter', 'letzten'].includes(word)) return { span: 2, days: wholeMonth(now, -1) };
  }
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(word);
  if (iso) return one(oneDay(Number(iso[1]), Number(iso[2]), Number(iso[3])));
  const local = /^(\d{1,2})\.(\d{1,2})\.(\d{4})?$/.exec(word);
  if (!local) return null;
  const [day, month] = [Number(local[1]), Number(local[2])];
  const year = local[3] === undefined ? new Date(now).getFullYear() : Number(local[3]);
  const days = oneDay(year, month, day);
  return one(local[3] === undefined && days && days[0] > now ? oneDay(year - 1, month, day) : days);
};

/** `days:7`, `tage:30`: that many days, the last of them today. */
export const lastDays = (value: string, now: number): [number, number] | null =>
  /^[1-9]\d{0,2}$/.test(value) ? [midnight(now, 1 - Number(value)), midnight(now, 1)] : null;

/** Days from one to another, both of them included: `2026-10-23..2026-11-21`, `23.10.–21.11.`. */
export const rangeOf = (word: string, now: number): [number, number] | null => {
  const [first, last, ...more] = word.split(/\.{2}(?!\.)|–/);
  if (first === undefined || last === undefined || more.length > 0) return null;
  const from = daysOf(first, null, now);
  const until = daysOf(last, null, now);
  return from && until && from.days[0] < until.days[1] ? [from.days[0], until.days[1]] : null;
};
