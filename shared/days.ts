import { fromAbsolute, getLocalTimeZone, toCalendarDate, type CalendarDate } from '@internationalized/date';

/**
 * The calendar day at an instant (milliseconds) in a zone, by default the local one; throws a RangeError for a zone
 * that does not exist.
 */
export const dayAt = (instant: number, zone = getLocalTimeZone()): CalendarDate =>
  toCalendarDate(fromAbsolute(instant, zone));

/** The instant at which a day begins, milliseconds: midnight, or the first one after it where clocks skip midnight. */
export const startOf = (day: CalendarDate, zone = getLocalTimeZone()): number => day.toDate(zone).getTime();

/** Complete days of a zone, by default the local one, both included; milliseconds, half-open. */
export const wholeDays = (
  first: CalendarDate,
  last: CalendarDate,
  zone = getLocalTimeZone(),
): [from: number, until: number] => [startOf(first, zone), startOf(last.add({ days: 1 }), zone)];

/**
 * Splits a time span into the days of a zone: the instants at which its days begin, from `from` to `until`.
 * Milliseconds, half-open; a day may have 23 or 25 hours. `zone`: an IANA name that exists.
 */
export const splitIntoDays = (from: number, until: number, zone: string): number[] => {
  const cuts = [from];
  for (let day = dayAt(from, zone).add({ days: 1 }); ; day = day.add({ days: 1 })) {
    const midnight = startOf(day, zone);
    if (midnight >= until) return [...cuts, until];
    // A day that a zone skipped, as Samoa did, begins with the next one.
    if (midnight > (cuts.at(-1) ?? from)) cuts.push(midnight);
  }
};
