import type { PaymentPage } from '../../../shared/contract/index.ts';
import { wantedWords } from '../../../shared/search-query/search-words.ts';
import { readRow } from '../projection/packed-row.ts';
import type { ListFilter } from './facets.ts';
import type { FindPayments } from './find.ts';

/** Scan limit of one page for words that the index does not cover, payments: the next request must not wait long. */
export const scanLength = 20_000;

/** Whether no word is long enough for the trigram index. */
export const isUnknownToIndex = (typed: string): boolean => {
  const words = wantedWords(typed);
  return words.length > 0 && words.every(forms => forms.some(form => Array.from(form).length < 3));
};

/** What an engine offers for pages of the list. */
export type ListSource = {
  find: FindPayments;
  /** The first of the last `count` payments before `end` (null: of all); 0 if there are not that many. */
  firstOf(end: number | null, count: number): number;
  /** Their packed rows, in the same order. */
  rows(payments: readonly number[]): readonly string[];
};

/**
 * One page of the list of payments. `filter`: as in the contract; `cursor`: the end of the last page, null for the
 * first; `limit`: rows; `now`: milliseconds, since links expire by the clock (§3.3). A page of a search for single
 * letters may hold fewer rows, or none, although a next page exists.
 */
export const listPayments = (
  source: ListSource,
  filter: ListFilter,
  cursor: string | null,
  limit: number,
  now: number,
  atOnce = scanLength,
): PaymentPage => {
  const below = cursor === null ? null : Number.parseInt(cursor, 10);
  const from = isUnknownToIndex(filter.words) ? source.firstOf(below, atOnce) : 0;
  const found = source.find(filter, below, limit + 1, now, from);
  const page = found.slice(0, limit);
  const rows = source.rows(page).map(readRow);
  const next = found.length > limit ? page.at(-1) : from > 0 ? from : null;
  return { rows, next: next === null ? null : String(next) };
};
