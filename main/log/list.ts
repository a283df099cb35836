import type { PaymentFilter, PaymentPage } from '../../shared/contract.ts';
import type { LogDatabase } from './database.ts';
import { findPayments, type FindPayments } from './find.ts';
import { readRow } from './projection.ts';

/**
 * The list of payments. `filter`: as in the contract; `cursor`: where the last page ended, null for the first;
 * `limit`: rows; `now`: milliseconds, since links run out by the clock (§3.3).
 */
export type ListPayments = (
  filter: PaymentFilter,
  cursor: string | null,
  limit: number,
  now: number,
) => PaymentPage;

export const listPayments = (
  database: LogDatabase,
  find: FindPayments = findPayments(database),
): ListPayments => {
  const rowOf = database.prepare<[number], string>('SELECT "row" FROM listed WHERE payment = ?').pluck();
  return (filter, cursor, limit, now) => {
    const found = find(filter, cursor === null ? null : Number.parseInt(cursor, 10), limit + 1, now);
    const page = found.slice(0, limit);
    const rows = page
      .map(payment => rowOf.get(payment))
      .filter(row => row !== undefined)
      .map(readRow);
    return { rows, next: found.length > limit ? String(page.at(-1)) : null };
  };
};
