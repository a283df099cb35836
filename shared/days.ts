import { readGatewayTime } from './gateway-time.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** The calendar day at an instant in a zone; throws a RangeError for a zone that does not exist. */
const dateAt = (instant: number, zone: string): Date => {
  const parts = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }).formatToParts(instant);
  const of = (type: string): number => Number(parts.find(part => part.type === type)?.value);
  return new Date(Date.UTC(of('year'), of('month') - 1, of('day')));
};

/**
 * Cuts a time into the days of a zone: the instants at which its days begin, the first being `from`, the last
 * `until`. Milliseconds, half-open; a day may have 23 or 25 hours. `zone`: an IANA name that exists.
 */
export const splitIntoDays = (from: number, until: number, zone: string): number[] => {
  const cuts = [from];
  const date = dateAt(from, zone);
  for (;;) {
    date.setUTCDate(date.getUTCDate() + 1);
    const day = `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
    const midnight = readGatewayTime(`${day} 00:00:00`, zone);
    if (midnight === null || midnight >= until) return [...cuts, until];
    if (midnight > from) cuts.push(midnight);
  }
};
