import type { Handlers } from '../../shared/contract.ts';
import { cutIntoDays } from '../../shared/days.ts';
import { fail, ok } from '../../shared/errors.ts';
import type { DeskParts } from './parts.ts';

/** Milliseconds: a leap year and a month, so that a year's comparison fits. */
const longest = 400 * 86_400_000;

const isZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
};

/** The call behind the overview: the log counts, this only says where its days begin. */
export const overviewDesk = (parts: DeskParts): Pick<Handlers, 'payments.overview'> => ({
  'payments.overview': async ({ profileId, from, until, timeZone }) => {
    if (from >= until || until - from > longest)
      return fail('input.invalid', 'An overview covers up to 400 days, and ends after it begins.');
    if (!isZone(timeZone)) return fail('input.invalid', 'This is not a known time zone.');
    if (!parts.log.ok) return parts.log;
    return ok(await parts.log.value.overview(profileId, cutIntoDays(from, until, timeZone)));
  },
});
