import type { PaymentPage } from '../../../../shared/contract/index.ts';
import { wantedWords } from '../../../../shared/search-query/search-words.ts';
import type { LogDatabase } from '../store/database.ts';
import { findPayments, type FindPayments, type ListFilter } from './query-planner.ts';
import { readRow } from '../store/packed-row.ts';

/** Scan limit of one page for words that the index does not cover, payments: the next request must not wait long. */
export const scanLength = 20_000;

/** Whether no word is long enough for the trigram index. */
export const isUnknownToIndex = (typed: string): boolean => {
  const words = wantedWords(typed);
  return words.length > 0 && words.every(forms => forms.some(form => Array.from(form).length < 3));
};

/**
 * The list of payments. `filter`: as in the contract; `cursor`: the end of the last page, null for the first;
 * `limit`: rows; `now`: milliseconds, since links expire by the clock (§3.3). A page of a search for single letters
 * may hold fewer rows, or none, although a next page exists.
 */
export type ListPayments = (
  filter: ListFilter,
  cursor: string | null,
  limit: number,
  now: number,
) => PaymentPage;

export const listPayments = (
  database: LogDatabase,
  find: FindPayments = findPayments(database),
  { atOnce = scanLength } = {},
): ListPayments => {
  const newest = database.prepare<[], number | null>('SELECT max(payment) FROM listed').pluck();
  const rowOf = database.prepare<[number], string>('SELECT "row" FROM listed WHERE payment = ?').pluck();
  return (filter, cursor, limit, now) => {
    const below = cursor === null ? null : Number.parseInt(cursor, 10);
    const end = below ?? (newest.get() ?? 0) + 1;
    const from = isUnknownToIndex(filter.words) ? Math.max(0, end - atOnce) : 0;
    const found = find(filter, below, limit + 1, now, from);
    const page = found.slice(0, limit);
    const rows = page
      .map(payment => rowOf.get(payment))
      .filter(row => row !== undefined)
      .map(readRow);
    const next = found.length > limit ? page.at(-1) : from > 0 ? from : null;
    return { rows, next: next === null ? null : String(next) };
  };
};
