import type { LookUpKey } from '../../../../shared/payments/evidence.ts';
import { lookUpKeyOf } from '../../../../shared/look-ups/look-up-key.ts';
import type { PaymentRow } from '../../../../shared/payments/payment.ts';
import { dayMs, recheckedStates } from '../../../../shared/payment-reducer/checked-days.ts';
import type { PaymentToRecheck } from '../../answers.ts';
import { readRow } from '../../projection/packed-row.ts';
import type { LogDatabase } from '../store/database.ts';

/** The reads for the checks of paid payments. Each read is a range of one index. */
type RecheckSource = {
  /** The facets of these profiles whose payments are checked. */
  facets(profileIds: readonly string[]): readonly number[];
  /** The next number of days at which payments of a facet were checked last: only a few numbers occur. */
  nextDays(facet: number, after: number): number | null;
  /** Packed rows of payments paid in a time span (milliseconds), the first paid first. */
  due(facet: number, checked: number, after: number, until: number, limit: number): readonly string[];
};

/** The payment id that was paid, not the latest one: a later attempt may have been declined. */
const keyOf = (row: PaymentRow): LookUpKey => {
  const paid = row.entries.findLast(({ kind }) => kind === 'paid')?.paymentId;
  return paid ? { by: 'payment-id', value: paid } : lookUpKeyOf(row);
};

const dueSince = (
  source: RecheckSource,
  facet: number,
  day: number,
  after: number,
  until: number,
  limit: number,
): string[] => {
  const rows: string[] = [];
  let checked = source.nextDays(facet, -1);
  while (checked !== null && checked < day && rows.length < limit) {
    rows.push(...source.due(facet, checked, after, until, limit - rows.length));
    checked = source.nextDays(facet, checked);
  }
  return rows;
};

/**
 * Paid payments of these profiles without a look-up since the last of `days` (ascending, days
 * after the payment); at most `limit`, shared between the entries of `days`. A check that was missed is due until the
 * next one, and the last one for as long again. `now`: milliseconds.
 */
export const paymentsToRecheck = (
  source: RecheckSource,
  profileIds: readonly string[],
  days: readonly number[],
  now: number,
  limit: number,
): PaymentToRecheck[] => {
  const facets = source.facets(profileIds);
  const share = Math.ceil(limit / Math.max(1, days.length));
  const found: string[] = [];
  for (const [index, day] of days.entries()) {
    const after = now - (days[index + 1] ?? 2 * day) * dayMs;
    const rows: string[] = [];
    for (const facet of facets) {
      if (rows.length >= share) break;
      rows.push(...dueSince(source, facet, day, after, now - day * dayMs, share - rows.length));
    }
    found.push(...rows);
  }
  return found.slice(0, limit).map(text => {
    const row = readRow(text);
    return { profileId: row.profileId, orderNumber: row.orderNumber, key: keyOf(row) };
  });
};

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
