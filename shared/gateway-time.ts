/**
 * The gateway's times carry no zone (§2.5: `YYYY-MM-DD HH:MM:SS`). They are read in the zone set in the
 * profile, by default UTC (assumption: field notes), and shown as gateway time.
 */

const written =
  /^(\d{4})-(\d\d)-(\d\d)[ T+](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?$/i;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The wall clock of a zone; throws a RangeError for a zone that does not exist. */
const clockOf = (zone: string): Intl.DateTimeFormat => {
  const known = clocks.get(zone);
  if (known) return known;
  const two = '2-digit';
  const made = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
  });
  clocks.set(zone, made);
  return made;
};

/** Milliseconds by which a zone's wall clock is ahead of UTC at an instant. */
const offsetAt = (instant: number, zone: string): number => {
  const shown: Record<string, number> = {};
  for (const { type, value } of clockOf(zone).formatToParts(instant)) shown[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
};

const statedOffset = (zone: string): number => {
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
};

/**
 * Milliseconds since 1970 of a time as the gateway writes it; null when it is none.
 * `zone`: IANA name from the profile, UTC when it does not exist. A time that names its own zone keeps it; an hour
 * that happens twice when clocks go back is the earlier one.
 */
export const readGatewayTime = (text: string, zone: string): number | null => {
  const parts = written.exec(text.trim());
  if (!parts) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map(part => Number(part ?? 0));
  const wallClock = Date.UTC(year, month - 1, day, hour, minute, second);
  const back = new Date(wallClock);
  const exists =
    back.getUTCMonth() === month - 1 && back.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  if (!exists) return null;
  if (parts[7] !== undefined) return wallClock - statedOffset(parts[7]);
  try {
    // The wall clock's offset a day before and a day after holds every offset it can mean.
    const offsets = [offsetAt(wallClock - 86_400_000, zone), offsetAt(wallClock + 86_400_000, zone)];
    const fitting = offsets
      .map(offset => wallClock - offset)
      .filter(instant => instant + offsetAt(instant, zone) === wallClock);
    return fitting.length > 0 ? Math.min(...fitting) : wallClock - (offsets[0] ?? 0);
  } catch {
    return wallClock;
  }
};
