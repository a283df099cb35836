import type { FacetCount } from '../../query/count.ts';
import type { Facet } from '../../query/facets.ts';
import type { LogDatabase } from '../store/database.ts';

/** Every combination of profile, state and currency, with its number of payments. */
export const selectFacets =
  'SELECT id, profile_id AS profileId, state, currency, flagged, resolved, timed, n FROM facet';

/** The statements of pages and counts of the list, except for finding payments. */
export const listStatements = (database: LogDatabase) => {
  const newest = database.prepare<[], number | null>('SELECT max(payment) FROM listed').pluck();
  const rowOf = database.prepare<[number], string>('SELECT "row" FROM listed WHERE payment = ?').pluck();
  const facets = database.prepare<[], Facet>(selectFacets);
  const running = database.prepare<[number], FacetCount>(
    'SELECT facet, count(*) AS n FROM listed INDEXED BY listed_open WHERE runs_out_at > ? GROUP BY facet',
  );
  return {
    // The ids of payments have few gaps: a number of ids stands for a number of payments.
    firstOf: (end: number | null, count: number): number =>
      Math.max(0, (end ?? (newest.get() ?? 0) + 1) - count),
    rows: (payments: readonly number[]): string[] =>
      payments.map(payment => rowOf.get(payment)).filter(row => row !== undefined),
    facets: (): Facet[] => facets.all(),
    running: (now: number): FacetCount[] => running.all(now),
  };
};
