import { parseDate, startOfMonth, type CalendarDate } from '@internationalized/date';
import { dayAt, startOf } from '../../../shared/days.ts';
import type { Period } from '../../../shared/reports/payment-books.ts';
import type { ExportInterval } from '../../../shared/settings/scheduled-export.ts';

/** The periods of a schedule in a merchant's zone. */

/** Limits of periods that are caught up on after a pause. */
const maxPeriods: Readonly<Record<ExportInterval, number>> = { day: 31, month: 12 };

/** `first`: its first day, ISO. */
export type ExportPeriod = Period & { first: string; next: string };

const periodFrom = (first: CalendarDate, every: ExportInterval, zone: string): ExportPeriod => {
  const next = first.add(every === 'day' ? { days: 1 } : { months: 1 });
  return {
    from: startOf(first, zone),
    until: startOf(next, zone),
    first: first.toString(),
    next: next.toString(),
  };
};

/** The first day of the period at an instant (milliseconds). */
const current = (now: number, every: ExportInterval, zone: string): CalendarDate => {
  const today = dayAt(now, zone);
  return every === 'day' ? today : startOfMonth(today);
};

/** When the period at `now` (milliseconds) ends. `zone`: IANA. */
export const endOfPeriod = (now: number, every: ExportInterval, zone: string): number =>
  periodFrom(current(now, every, zone), every, zone).until;

/**
 * Whether `next`, the first day that is not written (ISO), is later than the end of the period at `now`, as the clock of
 * the last export can have it. A changed zone moves it by less.
 */
export const isAhead = (next: string, now: number, every: ExportInterval, zone: string): boolean =>
  next > periodFrom(current(now, every, zone), every, zone).next;

/** The last `count` periods that have ended, oldest first. */
export const lastPeriods = (
  now: number,
  every: ExportInterval,
  zone: string,
  count = maxPeriods[every],
): ExportPeriod[] => {
  const present = current(now, every, zone);
  return Array.from({ length: count }, (_, at) => {
    const back = count - at;
    return periodFrom(present.subtract(every === 'day' ? { days: back } : { months: back }), every, zone);
  });
};

/**
 * The periods that have ended and are not written, oldest first. `from`: the first day that is not written, ISO; null:
 * none was ever written, so only the last period is due.
 */
export const duePeriods = (
  now: number,
  every: ExportInterval,
  zone: string,
  from: string | null,
): ExportPeriod[] => {
  const all = lastPeriods(now, every, zone);
  if (from === null) return all.slice(-1);
  const first = parseDate(from);
  return all.filter(period => parseDate(period.first).compare(first) >= 0);
};
