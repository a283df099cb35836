import { parseDateTime, type CalendarDateTime } from '@internationalized/date';

/**
 * The gateway's times have no zone (§2.5: `YYYY-MM-DD HH:MM:SS`). They are read in the profile's zone, by default UTC
 * (assumption: field notes), and shown as gateway time.
 */

const written =
  /^(\d{4}-\d\d-\d\d)[ T+](\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(?:(Z|UTC|GMT)|([+-]\d\d):?(\d\d))?$/i;

const instantIn = (time: CalendarDateTime, zone: string): number => time.toDate(zone, 'compatible').getTime();

/**
 * Milliseconds since 1970 of a time in the gateway's format; null if it is invalid. `zone`: IANA name from the
 * profile; UTC if it does not exist. A time with an explicit zone keeps it. An hour that occurs twice when clocks go
 * back is the earlier one, and a skipped one is read an hour later.
 */
export const readGatewayTime = (text: string, zone: string): number | null => {
  const [match, day, clock, seconds = '00', utc, hours, minutes = '00'] = written.exec(text.trim()) ?? [];
  if (match === undefined) return null;
  let time: CalendarDateTime;
  try {
    time = parseDateTime(`${day}T${clock}:${seconds}`);
  } catch {
    return null;
  }
  if (utc !== undefined) return instantIn(time, 'UTC');
  if (hours !== undefined) {
    const offset = (Math.abs(Number(hours)) * 60 + Number(minutes)) * 60_000;
    return instantIn(time, 'UTC') + (hours.startsWith('-') ? offset : -offset);
  }
  try {
    return instantIn(time, zone);
  } catch {
    return instantIn(time, 'UTC');
  }
};
