import type { Handlers } from '../../../shared/contract/index.ts';
import { splitIntoDays } from '../../../shared/days.ts';
import { fail, ok } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { AppDependencies } from '../app-context.ts';

/** Limit of the time span, days: a leap year and a month, so that a year's comparison fits. */
const maxDays = 400;

/** The days of a zone; null if the zone does not exist. */
const daysOf = (from: number, until: number, timeZone: string): number[] | null => {
  try {
    return splitIntoDays(from, until, timeZone);
  } catch {
    return null;
  }
};

/** The request for the overview: the log counts; this only determines the days. */
export const createOverviewHandlers = (parts: AppDependencies): Pick<Handlers, 'payments.overview'> => ({
  'payments.overview': async ({ profileId, from, until, timeZone }) => {
    if (from >= until || until - from > maxDays * 86_400_000)
      return fail('input.invalid', msg('overview.wrong-span', { days: maxDays }));
    const dayBoundaries = daysOf(from, until, timeZone);
    if (dayBoundaries === null) return fail('input.invalid', msg('overview.unknown-zone'));
    if (!parts.log.ok) return parts.log;
    return ok(await parts.log.value.overview(profileId, dayBoundaries));
  },
});
