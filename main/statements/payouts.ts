import type { Line } from './reading/line.ts';
import type { Movement } from './movements.ts';
import { daysBetween, spanOf } from './reading/dates.ts';

/** Money that the provider paid out, with what it is made of; minor units. */
export type Payout = {
  line: number;
  batch: string | null;
  /** The first and the last day of its payments; null if it has none. */
  first: string | null;
  last: string | null;
  currency: string;
  gross: bigint;
  fees: bigint;
  /** As stated. */
  net: bigint;
  agrees: boolean;
};

const daysOf = (lines: readonly Line[]): { first: string | null; last: string | null } =>
  spanOf(lines.flatMap(({ day, settled }) => day ?? settled ?? [])) ?? { first: null, last: null };

const sum = (lines: readonly Line[], of: 'gross' | 'fee' | 'net'): bigint =>
  lines.reduce((all, line) => all + line[of], 0n);

/** The payouts of a statement with the lines of their batch, or those between one payout and the next. */
export const payoutsOf = (lines: readonly Line[]): Payout[] => {
  const batches = new Map<string, Line[]>();
  const before: Line[][] = [[]];
  const stated: Line[] = [];
  for (const line of lines) {
    if (line.kind === 'payout') {
      stated.push(line);
      before.push([]);
      continue;
    }
    before.at(-1)?.push(line);
    if (line.batch === null) continue;
    const known = batches.get(line.batch);
    if (known) known.push(line);
    else batches.set(line.batch, [line]);
  }
  const made = stated.map((line, index) => {
    const own = line.batch === null ? undefined : batches.get(line.batch);
    const ahead = before[index] ?? [];
    const after = before[index + 1] ?? [];
    const parts = own ?? (ahead.length === 0 || sum(after, 'net') === absolute(line.net) ? after : ahead);
    return { line, parts: parts.filter(({ currency }) => currency === line.currency) };
  });
  // A provider's balance falls by what a bank's account receives.
  const opposite = made.filter(({ line, parts }) => line.net < 0n !== sum(parts, 'net') < 0n).length;
  const sign = opposite > made.length / 2 ? -1n : 1n;
  return made.map(({ line, parts }) => {
    const net = sign * line.net;
    return {
      line: line.line,
      batch: own(line.batch),
      ...daysOf(parts),
      currency: line.currency,
      gross: sum(parts, 'gross'),
      fees: sum(parts, 'fee'),
      net,
      agrees: parts.length > 0 && sum(parts, 'net') === net,
    };
  });
};

const absolute = (amount: bigint): bigint => (amount < 0n ? -amount : amount);
/** The name of a batch, unless it was made up for an entry of a bank's statement. */
const own = (batch: string | null): string | null => (batch?.startsWith('entry ') === true ? null : batch);

/** Days that one payout covers, and days until it arrives. */
const maxCovered = 10;
const maxUnderway = 10;

/**
 * The days whose payments together are one amount that a bank received; null if none are, or more than one span fits.
 * `days`: sums of each day of one currency, oldest first.
 */
export const daysOfLump = (
  amount: bigint,
  settled: string,
  days: readonly (readonly [day: string, sum: bigint])[],
): { first: string; last: string } | null => {
  const found: { first: string; last: string }[] = [];
  for (let last = days.length - 1; last >= 0; last -= 1) {
    const [lastDay] = days[last] ?? [''];
    if (lastDay > settled || daysBetween(lastDay, settled) > maxUnderway) continue;
    let total = 0n;
    for (let first = last; first >= 0 && last - first < maxCovered; first -= 1) {
      const [firstDay, of] = days[first] ?? ['', 0n];
      total += of;
      if (total === amount) found.push({ first: firstDay, last: lastDay });
    }
  }
  return found.length === 1 ? (found[0] ?? null) : null;
};

/** The sums of movements by currency and day. */
export const sumsByDay = (movements: readonly Movement[]): Map<string, (readonly [string, bigint])[]> => {
  const sums = new Map<string, Map<string, bigint>>();
  for (const { currency, day, amount } of movements) {
    const days = sums.get(currency) ?? new Map<string, bigint>();
    sums.set(currency, days);
    days.set(day, (days.get(day) ?? 0n) + (amount ?? 0n));
  }
  return new Map(
    [...sums].map(([currency, days]) => [
      currency,
      [...days].toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ]),
  );
};
