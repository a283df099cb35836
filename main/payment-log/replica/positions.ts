/**
 * In a replica, events of several chains arrive in any order: the newest first, or days late from a computer that was
 * offline. An event's position is therefore its time of recording, and a payment's id is the position of its first
 * event, so that newest first is the tables' own order, as in a payment log.
 */

/** 1 January 2020, milliseconds. */
const epoch = 1_577_836_800_000;
/** Positions of one millisecond. */
const perMillisecond = 4_096;

/**
 * The first position of an instant (milliseconds). One before 2020 or in the future is that of a wrong clock: it is
 * moved to the nearest of the two, so that it stays in no list above everything else. `now`: milliseconds.
 */
export const positionOf = (instant: number, now: number): number =>
  Math.max(0, Math.min(instant, now) - epoch) * perMillisecond;

/** The first instant of the UTC month that is `months` before that of `now`; both in milliseconds. */
export const monthsBefore = (months: number, now: number): number => {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months);
};
