import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readGatewayTime } from '../../shared/gateway-time.ts';

const at = (text: string, zone = 'UTC'): string | null => {
  const instant = readGatewayTime(text, zone);
  return instant === null ? null : new Date(instant).toISOString();
};

describe("the gateway's time", () => {
  it.each([
    ['2026-11-20 12:30:45', 'UTC', '2026-11-20T12:30:45.000Z'],
    ['2026-11-20+12:30:45', 'UTC', '2026-11-20T12:30:45.000Z'],
    ['2026-11-20T12:30', 'UTC', '2026-11-20T12:30:00.000Z'],
    ['2026-01-20 12:30:45', 'Europe/Warsaw', '2026-01-20T11:30:45.000Z'],
    ['2026-07-20 12:30:45', 'Europe/Warsaw', '2026-07-20T10:30:45.000Z'],
    ['2026-07-20 00:10:00', 'Asia/Kathmandu', '2026-07-19T18:25:00.000Z'],
    ['2026-11-20 12:30:45Z', 'Europe/Warsaw', '2026-11-20T12:30:45.000Z'],
    ['2026-11-20T12:30:45.123+02:00', 'UTC', '2026-11-20T10:30:45.000Z'],
    ['2026-11-20 12:30:45', 'No/Where', '2026-11-20T12:30:45.000Z'],
    ['2026-10-25 02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-03-29 02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-11-01 01:30:00', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['2026-04-05 01:45:00', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
    ['2026-10-04 02:15:00', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
    ['2011-12-30 12:00:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
    ['2026-11-20 12:30:45-0330', 'UTC', '2026-11-20T16:00:45.000Z'],
    ['2026-11-20 12:30:45 gmt', 'Europe/Berlin', '2026-11-20T12:30:45.000Z'],
  ])('%s in %s is %s', (text, zone, instant) => expect(at(text, zone)).toBe(instant));

  it.each([
    '',
    'null',
    'yesterday',
    '2026-02-30 10:00:00',
    '2026-13-01 10:00:00',
    '2026-01-01 24:00:00',
    '20.11.2026',
  ])('%j is not a time of the gateway', text => expect(at(text)).toBeNull());

  it('the gateway’s time read in the zone that it was written in is the same instant', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'Pacific/Apia',
    ];
    const instants = fc.integer({ min: Date.UTC(2012, 0, 1) / 1000, max: Date.UTC(2040, 0, 1) / 1000 });
    fc.assert(
      fc.property(instants, fc.constantFrom(...zones), (seconds, zone) => {
        const wallClock = new Intl.DateTimeFormat('sv-SE', {
          dateStyle: 'short',
          timeStyle: 'medium',
          timeZone: zone,
        });
        const text = wallClock.format(seconds * 1000);
        const read = readGatewayTime(text, zone);
        expect(read === null ? null : wallClock.format(read)).toBe(text);
        // An hour that occurs twice is read as the first of the two.
        expect([0, 1_800_000, 3_600_000]).toContain(seconds * 1000 - (read ?? 0));
      }),
      { numRuns: 500 },
    );
  });
});
