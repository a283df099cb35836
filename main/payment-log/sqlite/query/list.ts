import type { FacetCount } from '../../query/count.ts';
import type { Facet } from '../../query/facets.ts';
import type { LogDatabase } from '../store/database.ts';

/** Every combination of profile, state and currency, with its number of payments. */
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
    firstOf: (end: number | null, count: number): number => {
      const { first = null, n = 0 } = newest.get(end ?? Number.MAX_SAFE_INTEGER, count) ?? {};
      return n < count ? 0 : (first ?? 0);
    },
    rows: (payments: readonly number[]): string[] =>
      payments.map(payment => rowOf.get(payment)).filter(row => row !== undefined),
    facets: (): Facet[] => facets.all(),
    running: (now: number): FacetCount[] => running.all(now),
  };
};
