import { recheckedStates } from '../../../../shared/payment-reducer/checked-days.ts';
import type { LogDatabase } from '../store/database.ts';
import type { RecheckSource } from '../../query/recheck.ts';

const statesInSql = recheckedStates.map(state => `'${state}'`).join(', ');

export const facetsToRecheck = `SELECT id FROM facet WHERE n > 0 AND state IN (${statesInSql})
  AND profile_id IN (SELECT value FROM json_each(?))`;

/** The next number of days at which payments of a facet were checked last: only a few numbers occur. */
export const nextCheckedDays = `SELECT min(checked_days) FROM listed INDEXED BY listed_recheck
  WHERE facet = ? AND checked_days > ?`;

export const selectToRecheck = `SELECT "row" FROM listed INDEXED BY listed_recheck
  WHERE facet = ? AND checked_days = ? AND first_at + paid_after > ? AND first_at + paid_after <= ?
  ORDER BY first_at + paid_after LIMIT ?`;

/** Every statement is a range of one index, so the cost does not depend on the number of payments. */
export const recheckStatements = (database: LogDatabase): RecheckSource => {
  const facets = database.prepare<[string], number>(facetsToRecheck).pluck();
  const next = database.prepare<[number, number], number | null>(nextCheckedDays).pluck();
  const select = database
    .prepare<[facet: number, checkedDays: number, after: number, until: number, limit: number], string>(
      selectToRecheck,
    )
    .pluck();
  return {
    facets: profileIds => facets.all(JSON.stringify(profileIds)),
    nextDays: (facet, after) => next.get(facet, after) ?? null,
    due: (facet, checked, after, until, limit) => select.all(facet, checked, after, until, limit),
  };
};
