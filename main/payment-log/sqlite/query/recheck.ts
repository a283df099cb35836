import type { LookUpKey } from '../../../../shared/payments/evidence.ts';
import { lookUpKeyOf } from '../../../../shared/look-ups/look-up-key.ts';
import type { PaymentRow } from '../../../../shared/payments/payment.ts';
import { dayMs, recheckedStates } from '../../../../shared/payment-reducer/checked-days.ts';
import type { PaymentLogAnswers } from '../../payment-log.ts';
import { readRow } from '../../projection/packed-row.ts';
import type { LogDatabase } from '../store/database.ts';

/** The payment id that was paid, not the latest one: a later attempt may have been declined. */
const keyOf = (row: PaymentRow): LookUpKey => {
  const paid = row.entries.findLast(({ kind }) => kind === 'paid')?.paymentId;
  return paid ? { by: 'payment-id', value: paid } : lookUpKeyOf(row);
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

/**
 * The `limit` is shared between the entries of `days`. A check that was missed is due until the next one, and the last
 * one for as long again. Every statement is a range of one index, so the cost does not depend on the number of payments.
 */
export const paymentsToRecheck = (database: LogDatabase): PaymentLogAnswers['paymentsToRecheck'] => {
  const facetsOf = database.prepare<[string], number>(facetsToRecheck).pluck();
  const next = database.prepare<[number, number], number | null>(nextCheckedDays).pluck();
  const select = database
    .prepare<[facet: number, checkedDays: number, after: number, until: number, limit: number], string>(
      selectToRecheck,
    )
    .pluck();
  const dueSince = (facet: number, day: number, after: number, until: number, limit: number): string[] => {
    const rows: string[] = [];
    let checked = next.get(facet, -1) ?? null;
    while (checked !== null && checked < day && rows.length < limit) {
      rows.push(...select.all(facet, checked, after, until, limit - rows.length));
      checked = next.get(facet, checked) ?? null;
    }
    return rows;
  };
  return (profileIds, days, now, limit) => {
    const facets = facetsOf.all(JSON.stringify(profileIds));
    const share = Math.ceil(limit / Math.max(1, days.length));
    const found = days.flatMap((day, index) => {
      const after = now - (days[index + 1] ?? 2 * day) * dayMs;
      const rows: string[] = [];
      for (const facet of facets) {
        if (rows.length >= share) break;
        rows.push(...dueSince(facet, day, after, now - day * dayMs, share - rows.length));
      }
      return rows;
    });
    return found.slice(0, limit).map(text => {
      const row = readRow(text);
      return { profileId: row.profileId, orderNumber: row.orderNumber, key: keyOf(row) };
    });
  };
};
