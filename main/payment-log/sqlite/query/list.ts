import type { PaymentPage } from '../../../../shared/contract/contract.ts';
import { wantedWords } from '../../../../shared/search-query/search-words.ts';
import { readRow } from '../../projection/packed-row.ts';
import type { ListFilter, FindPayments, Facet } from './facets.ts';
import type { LogDatabase } from '../store/database.ts';

/** Scan limit of one page for words that the index does not cover, payments: the next request must not wait long. */
export const scanLength = 20_000;

/** Whether no word is long enough for the trigram index. */
export const isUnknownToIndex = (typed: string): boolean => {
  const words = wantedWords(typed);
  return words.length > 0 && words.every(forms => forms.some(form => Array.from(form).length < 3));
};

/** The reads for pages of the list. */
export type ListSource = ReturnType<typeof listStatements> & { find: FindPayments };

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

/** A number of payments in a facet. */
export type FacetCount = { facet: number; n: number };

export const selectFacets =
  'SELECT id, profile_id AS profileId, state, currency, flagged, resolved, timed, n FROM facet';

/** The statements of pages and counts of the list, except for finding payments. */
export const listStatements = (database: LogDatabase) => {
  const newest = database.prepare<[number, number], { first: number | null; n: number }>(
    `SELECT min(payment) AS first, count(*) AS n FROM
       (SELECT payment FROM listed WHERE payment < ? ORDER BY payment DESC LIMIT ?)`,
  );
  const rowOf = database.prepare<[number], string>('SELECT "row" FROM listed WHERE payment = ?').pluck();
  const facets = database.prepare<[], Facet>(selectFacets);
  const running = database.prepare<[number], FacetCount>(
    'SELECT facet, count(*) AS n FROM listed INDEXED BY listed_open WHERE runs_out_at > ? GROUP BY facet',
  );
  return {
    /** The first of the last `count` payments before `end` (null: of all); 0 if there are not that many. */
    firstOf: (end: number | null, count: number): number => {
      const { first = null, n = 0 } = newest.get(end ?? Number.MAX_SAFE_INTEGER, count) ?? {};
      return n < count ? 0 : (first ?? 0);
    },
    /** Their packed rows, in the same order. */
    rows: (payments: readonly number[]): string[] =>
      payments.map(payment => rowOf.get(payment)).filter(row => row !== undefined),
    /** Every combination of profile, state and currency, with its number of payments. */
    facets: (): Facet[] => facets.all(),
    /** Payments whose link expires after an instant. */
    running: (now: number): FacetCount[] => running.all(now),
  };
};
