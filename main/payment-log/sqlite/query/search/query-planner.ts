import type { PaymentFilter } from '../../../../../shared/contract/contract.ts';
import { wantedWords } from '../../../../../shared/search-query/search-words.ts';
import type { LogDatabase } from '../../store/database.ts';
import { dayOf } from '../../../projection/project.ts';
import {
  and,
  facetClause,
  facetsFor,
  flagClause,
  ids,
  none,
  or,
  periodClause,
  selectFacets,
  type Clause,
  type Facet,
  type FindPayments,
} from '../list.ts';
import { wordIndex } from './fts-query.ts';

/**
 * Matches are found in the table's own order, newest first, with the cheapest scan strategy that the filter allows:
 * the search index, the facets (profile, state, currency), the flags, the agent, or the table itself. Conditions that
 * the strategy does not cover are checked row by row.
 */

/** Scan strategies with fewer candidates than this are scanned completely. */
const maxSmallScan = 3_000;

/** The condition on who created it, by columns of the list. */
const raisedClause = ({ raisedHere, agent }: PaymentFilter): Clause =>
  and([
    ...(raisedHere === null ? [] : [{ sql: `p.agent IS ${raisedHere ? 'NOT ' : ''}NULL`, values: [] }]),
    ...(agent === null ? [] : [{ sql: 'p.agent = ?', values: [agent] }]),
  ]);

const wordsClause = (words: readonly (readonly string[])[]): Clause =>
  and(words.map(forms => or(forms.map(form => ({ sql: 'instr(p.words, ?) > 0', values: [form] })))));

/** Prepared once per shape of a query. The cache is bounded, since shapes vary with the facets. */
const statements = (database: LogDatabase) => {
  const stored = new Map<string, ReturnType<typeof prepare>>();
  const prepare = (sql: string) => database.prepare<(string | number)[], number>(sql).pluck();
  return (sql: string): ReturnType<typeof prepare> => {
    const known = stored.get(sql) ?? prepare(sql);
    stored.delete(sql);
    stored.set(sql, known);
    if (stored.size > 200)
      for (const oldest of stored.keys()) {
        stored.delete(oldest);
        break;
      }
    return known;
  };
};

/** Finds payments with the statements of SQLite. */
export const findPayments = (database: LogDatabase): FindPayments => {
  const prepared = statements(database);
  const matchOf = wordIndex(database);
  const readFacets = database.prepare<[], Facet>(selectFacets);
  const days = database.prepare<[number, number], { low: number | null; high: number | null }>(
    'SELECT min(low) AS low, max(high) AS high FROM day WHERE day BETWEEN ? AND ?',
  );
  const numbers = (sql: string, values: readonly (string | number)[]): number[] =>
    prepared(sql).all(...values);
  const atMost = (sql: string, values: readonly (string | number)[]): number =>
    prepared(`SELECT count(*) FROM (${sql} LIMIT ${maxSmallScan})`).get(...values) ?? 0;
  const newestMatches = database.prepare<
    [string],
    { n: number; low: number; oldest: number; newest: number }
  >(
    `SELECT count(*) AS n, min(rowid) AS low, (SELECT min(payment) FROM listed) AS oldest,
       (SELECT max(payment) FROM listed) AS newest FROM
       (SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT ${maxSmallScan})`,
  );
  /** The number of payments that a match finds, extrapolated from the newest ones if there are many. */
  const sizeOf = (match: string): number => {
    const found = newestMatches.get(match);
    if (!found || found.n < maxSmallScan) return found?.n ?? 0;
    return (found.n * (found.newest - found.oldest)) / Math.max(1, found.newest - found.low);
  };

  /** Merges several disjoint scans, newest first. */
  const newest = (rowSets: readonly number[][], limit: number): number[] =>
    [...new Set(rowSets.flat())].sort((one, other) => other - one).slice(0, limit);

  return (filter, before, wanted, now, first = 0) => {
    const chosen = facetsFor(readFacets.all(), filter);
    if (chosen.untimed.length + chosen.running.length + chosen.expired.length === 0) return [];
    const words = wantedWords(filter.words);
    const match = matchOf(words);

    let below = before ?? Number.MAX_SAFE_INTEGER;
    let from = first;
    if (filter.from !== null || filter.until !== null) {
      const bounds = days.get(dayOf(filter.from ?? 0), dayOf(filter.until ?? Number.MAX_SAFE_INTEGER));
      if (!bounds || bounds.low === null || bounds.high === null) return [];
      from = Math.max(first, bounds.low);
      below = Math.min(below, bounds.high + 1);
    }
    const flagged = flagClause(filter.flags);
    const byFacet = facetClause(chosen, now);
    const byWords = wordsClause(words);
    const rest = and([periodClause(filter), raisedClause(filter), byWords]);

    /** The number of candidates of each strategy, counted up to `maxSmallScan`. */
    const timed = chosen.running.length + chosen.expired.length > 0;
    const running = timed ? atMost('SELECT 1 FROM listed WHERE runs_out_at > ?', [now]) : 0;
    const expired = timed ? atMost('SELECT 1 FROM listed WHERE runs_out_at <= ?', [now]) : 0;
    const sum = (facets: readonly Facet[]): number => facets.reduce((total, { n }) => total + n, 0);
    const facetSize = chosen.all
      ? Number.POSITIVE_INFINITY
      : sum(chosen.untimed) +
        (chosen.running.length > 0 ? Math.min(sum(chosen.running), running) : 0) +
        (chosen.expired.length > 0 ? Math.min(sum(chosen.expired), expired) : 0);
    const flagSize =
      filter.flags.length === 0
        ? Number.POSITIVE_INFINITY
        : filter.flags.reduce(
            (total, flag) => total + atMost('SELECT 1 FROM payment_flag WHERE flag = ?', [flag]),
            0,
          );
    const scanByWords = (): number[] => {
      const check = and([byFacet, flagged, rest]);
      return numbers(
        `SELECT p.payment FROM search CROSS JOIN listed p ON p.payment = search.rowid
         WHERE search MATCH ? AND search.rowid < ? AND search.rowid >= ? AND ${check.sql}
         ORDER BY search.rowid DESC LIMIT ?`,
        [match ?? '', below, from, ...check.values, wanted],
      );
    };
    const scanByFlags = (): number[] => {
      const check = and([byFacet, rest]);
      return newest(
        filter.flags.map(flag =>
          numbers(
            `SELECT p.payment FROM payment_flag f CROSS JOIN listed p ON p.payment = f.payment
             WHERE f.flag = ? AND f.payment < ? AND f.payment >= ? AND ${check.sql}
             ORDER BY f.payment DESC LIMIT ?`,
            [flag, below, from, ...check.values, wanted],
          ),
        ),
        wanted,
      );
    };
    const scanByFacets = (): number[] => {
      const rowSets: number[][] = [];
      const addFacetScan = (facet: Facet, extra: Clause): void => {
        const check = and([extra, flagged, rest]);
        rowSets.push(
          numbers(
            `SELECT p.payment FROM listed p INDEXED BY listed_facet
             WHERE p.facet = ? AND p.payment < ? AND p.payment >= ? AND ${check.sql} ORDER BY p.payment DESC LIMIT ?`,
            [facet.id, below, from, ...check.values, wanted],
          ),
        );
      };
      const collectCandidates = (facets: readonly Facet[], extra: Clause): void => {
        const check = and([flagged, rest]);
        rowSets.push(
          numbers(
            `SELECT p.payment FROM listed p INDEXED BY listed_open
             WHERE ${extra.sql} AND p.facet IN (${ids(facets)}) AND p.payment < ? AND p.payment >= ? AND ${check.sql}
             ORDER BY p.payment DESC LIMIT ?`,
            [...extra.values, below, from, ...check.values, wanted],
          ),
        );
      };
      const stillLive: Clause = { sql: 'p.runs_out_at > ?', values: [now] };
      const hasRunOut: Clause = { sql: 'p.runs_out_at <= ?', values: [now] };
      for (const facet of chosen.untimed) addFacetScan(facet, none);
      for (const facet of chosen.running) if (!facet.timed) addFacetScan(facet, none);
      const live = chosen.running.filter(facet => facet.timed);
      if (live.length > 0 && running < maxSmallScan) collectCandidates(live, stillLive);
      else for (const facet of live) addFacetScan(facet, stillLive);
      if (chosen.expired.length > 0 && expired < maxSmallScan) collectCandidates(chosen.expired, hasRunOut);
      else for (const facet of chosen.expired) addFacetScan(facet, hasRunOut);
      return newest(rowSets, wanted);
    };
    /** The agent who created it, or the condition that it was not created here; null has no scan strategy. */
    const agentClause: Clause | null =
      filter.agent !== null
        ? { sql: 'agent = ?', values: [filter.agent] }
        : filter.raisedHere === false
          ? { sql: 'agent IS NULL', values: [] }
          : null;
    const scanByAgent = (): number[] => {
      const by = agentClause ?? none;
      const check = and([byFacet, flagged, rest]);
      return numbers(
        `SELECT p.payment FROM listed p INDEXED BY listed_agent
         WHERE p.${by.sql} AND p.payment < ? AND p.payment >= ? AND ${check.sql} ORDER BY p.payment DESC LIMIT ?`,
        [...by.values, below, from, ...check.values, wanted],
      );
    };
    const scanTable = (): number[] => {
      const check = and([byFacet, flagged, rest]);
      return numbers(
        `SELECT p.payment FROM listed p WHERE p.payment < ? AND p.payment >= ? AND ${check.sql} ORDER BY p.payment DESC LIMIT ?`,
        [below, from, ...check.values, wanted],
      );
    };

    const agentSize =
      agentClause === null
        ? Number.POSITIVE_INFINITY
        : atMost(`SELECT 1 FROM listed WHERE ${agentClause.sql}`, agentClause.values);

    const smallestOtherSize = Math.min(facetSize, flagSize, agentSize);
    if (match !== null) {
      // Counted only if there is another strategy to compare with.
      const matchSize = smallestOtherSize === Number.POSITIVE_INFINITY ? 0 : sizeOf(match);
      if (matchSize < smallestOtherSize) return scanByWords();
    }
    return smallestOtherSize === Number.POSITIVE_INFINITY
      ? scanTable()
      : smallestOtherSize === agentSize
        ? scanByAgent()
        : smallestOtherSize === flagSize
          ? scanByFlags()
          : scanByFacets();
  };
};
