import type { PaymentFilter, PaymentPage } from '../../../../shared/contract/contract.ts';
import { wantedWords } from '../../../../shared/search-query/search-words.ts';
import { readRow } from '../../projection/packed-row.ts';
import type { LogDatabase } from '../store/database.ts';
import type { PaymentState } from '../../../../shared/payments/payment-kinds.ts';
import { stateAfterExpiry } from '../../../../shared/payment-reducer/state-at.ts';

/** The facets of the list, and conditions on them. `?` stands for a parameter in every engine. */

export type Facet = {
  id: number;
  profileId: string;
  state: string;
  currency: string;
  flagged: number;
  resolved: number;
  timed: number;
  n: number;
};

/** `isOpen`: only payments whose review was not resolved; absent = all. */
export type ListFilter = PaymentFilter & { isOpen?: boolean };

/** A piece of SQL with its parameters. */
export type Clause = { sql: string; values: readonly (string | number)[] };
/** No condition. */
export const none: Clause = { sql: 'TRUE', values: [] };

export const and = (clauses: readonly Clause[]): Clause => ({
  sql: clauses.map(({ sql }) => `(${sql})`).join(' AND ') || 'TRUE',
  values: clauses.flatMap(({ values }) => values),
});
export const or = (clauses: readonly Clause[]): Clause => ({
  sql: clauses.map(({ sql }) => `(${sql})`).join(' OR ') || 'FALSE',
  values: clauses.flatMap(({ values }) => values),
});

/** The state of a facet after its links expire. */
export const endOf = (state: string): string => stateAfterExpiry(state as PaymentState);

/** The facets that match a filter: complete ones, and timed ones of which only active or expired links match. */
type Facets = { untimed: Facet[]; running: Facet[]; expired: Facet[]; all: boolean };

/** The queue passes over resolved payments, and finds flagged ones by their facets if few are left. */
const isInQueue = ({ flagged, resolved }: Facet, { isOpen, flags }: ListFilter): boolean =>
  isOpen !== true || (resolved === 0 && (flags.length === 0 || flagged === 1));

export const facetsFor = (facets: readonly Facet[], filter: ListFilter): Facets => {
  const chosen: Facets = { untimed: [], running: [], expired: [], all: true };
  for (const facet of facets) {
    if (facet.n === 0) continue;
    const wanted =
      (filter.profileId === null || facet.profileId === filter.profileId) &&
      isInQueue(facet, filter) &&
      (filter.currency === null || facet.currency === filter.currency);
    const isRetryable = filter.retryable && facet.timed === 1 && facet.state === 'declined';
    const now =
      isRetryable || filter.states.length === 0 || filter.states.some(state => state === facet.state);
    const later = filter.states.length === 0 || filter.states.some(state => state === endOf(facet.state));
    if (wanted && now && (later || !facet.timed)) chosen.untimed.push(facet);
    else {
      chosen.all = false;
      if (wanted && now) chosen.running.push(facet);
      else if (wanted && later && facet.timed) chosen.expired.push(facet);
    }
  }
  return chosen;
};

/** Their ids for an `IN`: numbers. */
export const ids = (facets: readonly Facet[]): string => facets.map(({ id }) => id).join(',');

/** The condition that a payment is in one of these facets, at an instant. */
export const facetClause = (chosen: Facets, now: number): Clause => {
  if (chosen.all) return none;
  const clauses: Clause[] = [];
  if (chosen.untimed.length > 0) clauses.push({ sql: `p.facet IN (${ids(chosen.untimed)})`, values: [] });
  if (chosen.running.length > 0)
    clauses.push({
      sql: `p.facet IN (${ids(chosen.running)}) AND (p.runs_out_at IS NULL OR p.runs_out_at > ?)`,
      values: [now],
    });
  if (chosen.expired.length > 0)
    clauses.push({ sql: `p.facet IN (${ids(chosen.expired)}) AND p.runs_out_at <= ?`, values: [now] });
  return or(clauses);
};

/** Payments with one of these flags; all without any. */
export const flagClause = (flags: PaymentFilter['flags']): Clause =>
  flags.length === 0
    ? none
    : or(
        flags.map(flag => ({
          sql: 'EXISTS (SELECT 1 FROM payment_flag f WHERE f.flag = ? AND f.payment = p.payment)',
          values: [flag],
        })),
      );

/** Payments whose first event is in the filter's period. */
export const periodClause = ({ from, until }: Pick<PaymentFilter, 'from' | 'until'>): Clause =>
  and([
    ...(from === null ? [] : [{ sql: 'p.first_at >= ?', values: [from] }]),
    ...(until === null ? [] : [{ sql: 'p.first_at < ?', values: [until] }]),
  ]);

/**
 * Finds payments, newest first. `filter`: as in the contract; `below`: only those before this one, null = all;
 * `wanted`: limit; `now`: milliseconds, since links expire by the clock (§3.3); `first`: none older than this one.
 */
export type FindPayments = (
  filter: ListFilter,
  below: number | null,
  wanted: number,
  now: number,
  first?: number,
) => number[];

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
