import type { Handlers } from '../../../shared/contract/contract.ts';
import { dayAt, splitIntoDays, startOf } from '../../../shared/days.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { maxPeriodDays, type Span } from '../../../shared/reports/periods.ts';
import type { AppDependencies } from '../common/app-context.ts';

/** Earlier days to compare with; `until`: the instant up to which the last of them is counted. */
type ComparedDays = { dayBoundaries: readonly number[]; until: number };

/**
 * The days of a zone, and as many before them; null if the zone does not exist. While the last day lasts, the days
 * before are added up to the same time of day, so that half a day is not compared with a whole one.
 */
const daysOf = (
  from: number,
  until: number,
  timeZone: string,
  now: number,
): { dayBoundaries: number[]; before: ComparedDays } | null => {
  try {
    const dayBoundaries = splitIntoDays(from, until, timeZone);
    const first = dayAt(from, timeZone).subtract({ days: dayBoundaries.length - 1 });
    const daysBefore = splitIntoDays(startOf(first, timeZone), from, timeZone);
    const lastDay = dayBoundaries.at(-2) ?? from;
    const lastDayBefore = daysBefore.at(-2) ?? from;
    const isRunning = now >= lastDay && now < until;
    return {
      dayBoundaries,
      before: { dayBoundaries: daysBefore, until: isRunning ? lastDayBefore + now - lastDay : from },
    };
  } catch {
    return null;
  }
};

/** The days of an overview. Errors: `input.invalid` for too many days or an unknown zone. */
export const overviewDays = (
  { clock }: Pick<AppDependencies, 'clock'>,
  { from, until, timeZone }: Span & { timeZone: string },
): Result<NonNullable<ReturnType<typeof daysOf>>> => {
  if (from >= until || until - from > maxPeriodDays * 86_400_000)
    return fail('input.invalid', msg('overview.wrong-span', { days: maxPeriodDays }));
  const days = daysOf(from, until, timeZone, clock());
  return days === null ? fail('input.invalid', msg('overview.unknown-zone')) : ok(days);
};

const spansBetween = (boundaries: readonly number[]): Span[] =>
  boundaries.slice(1).map((until, index) => ({ from: boundaries[index] ?? until, until }));

/** The requests for the overview: the log counts; this only determines the days. */
export const createOverviewHandlers = (
  parts: AppDependencies,
): Pick<Handlers, 'payments.overview' | 'payments.movedMoney'> => ({
  'payments.movedMoney': async ({ profileId, from, until, timeZone }) => {
    const days = overviewDays(parts, { from, until, timeZone });
    if (!days.ok) return days;
    if (!parts.log.ok) return parts.log;
    const { dayBoundaries, before } = days.value;
    const own = spansBetween(dayBoundaries);
    const earlier = { from: before.dayBoundaries[0] ?? from, until: before.until };
    const [total = [], totalBefore = [], ...eachDay] = await parts.log.value.movedMoney(profileId, [
      { from, until },
      earlier,
      ...own,
      ...spansBetween(before.dayBoundaries),
    ]);
    return ok({
      total,
      days: eachDay.slice(0, own.length),
      before: { total: totalBefore, days: eachDay.slice(own.length) },
    });
  },
  'payments.overview': async ({ profileId, from, until, timeZone }) => {
    const days = overviewDays(parts, { from, until, timeZone });
    if (!days.ok) return days;
    if (!parts.log.ok) return parts.log;
    return ok(await parts.log.value.overview(profileId, days.value.dayBoundaries));
  },
});
