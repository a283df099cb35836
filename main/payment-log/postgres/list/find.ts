import type { PaymentFilter } from '../../../../shared/contract/index.ts';
import { wantedWords } from '../../../../shared/search-query/search-words.ts';
import { dayOf } from '../../projection/project.ts';
import {
  and,
  facetClause,
  facetsFor,
  flagClause,
  ids,
  none,
  or,
  periodClause,
  type Clause,
  type Facet,
} from '../../query/facets.ts';
import type { FindPayments } from '../../query/find.ts';
import type { Connection } from '../connection.ts';
import { escapeText } from '../text.ts';
import type { Sample, Samples } from './sample.ts';

/**
 * Matches are found in the order of the payments' ids, newest first, with the cheapest scan strategy that the filter
 * allows, as in a journal: the search index, the facets, the flags, the agent, or the table itself. How many payments a
 * search matches is estimated from a sample, because every trigram of a complete order number or e-mail address is in
 * half of the list and the planner cannot know that the whole is rare.
 */

/** Scan strategies with fewer candidates than this are scanned completely. */
const maxSmallScan = 3_000;
/** Limit of payments that a search walks through newest first, because matches are frequent. */
const maxWalk = 100_000;
/** Share of the list that a search is assumed to match at least: a sample shows nothing rarer. */
const minShare = 0.0005;
/** How much further than expected such a walk goes. */
const walkMargin = 1.5;

/** `?` in the order of the values → `$1`, `$2` … */
export const numbered = (sql: string): string => {
  let number = 0;
  return sql.replaceAll('?', () => `$${(number += 1)}`);
};

const raisedClause = ({ raisedHere, agent }: PaymentFilter): Clause =>
  and([
    ...(raisedHere === null ? [] : [{ sql: `p.agent IS ${raisedHere ? 'NOT ' : ''}NULL`, values: [] }]),
    ...(agent === null
      ? []
      : [{ sql: 'lower(p.agent COLLATE "C") = lower(?::text COLLATE "C")', values: [escapeText(agent)] }]),
  ]);

const wordsClause = (words: readonly (readonly string[])[]): Clause =>
  and(
    words.map(forms =>
      or(forms.map(form => ({ sql: 'strpos(s.words, ?) > 0', values: [escapeText(form)] }))),
    ),
  );

const likeClause = (groups: readonly (readonly (readonly string[])[])[]): Clause =>
  and(
    groups.map(forms =>
      or(forms.map(patterns => and(patterns.map(pattern => ({ sql: 's.words LIKE ?', values: [pattern] }))))),
    ),
  );

const withWords =
  'CROSS JOIN LATERAL (SELECT q.words FROM searched q WHERE q.payment = p.payment OFFSET 0) AS s';

/** The number of payments up to a limit, of each of these sets. */
const sizes = async (connection: Connection, sets: readonly Clause[]): Promise<number[]> => {
  if (sets.length === 0) return [];
  const sql = sets
    .map(one => `(SELECT count(*) FROM (${one.sql} LIMIT ${maxSmallScan}) AS counted)`)
    .join(', ');
  const [row] = await connection.query<{ sizes: number[] }>(
    `SELECT ARRAY[${numbered(sql)}]::int[] AS sizes`,
    sets.flatMap(({ values }) => values),
  );
  return row?.sizes ?? [];
};

/** `facets`: as stored now, with their counts. Every request rejects with the client's errors. */
export const findPayments =
  (
    connection: Connection,
    samples: Samples,
    readFacets: () => Promise<readonly Facet[]>,
  ): FindPayments<Promise<number[]>> =>
  async (filter, before, wanted, now, first = 0) => {
    const facets = await readFacets();
    const chosen = facetsFor(facets, filter);
    if (chosen.untimed.length + chosen.running.length + chosen.expired.length === 0) return [];
    const words = wantedWords(filter.words);

    let below = before ?? Number.MAX_SAFE_INTEGER;
    let from = first;
    if (filter.from !== null || filter.until !== null) {
      const [bounds] = await connection.query<{ low: number | null; high: number | null }>(
        'SELECT min(low) AS low, max(high) AS high FROM day WHERE day BETWEEN $1 AND $2',
        [dayOf(filter.from ?? 0), filter.until === null ? 2 ** 31 - 1 : dayOf(filter.until)],
        { name: 'find-days' },
      );
      if (!bounds || bounds.low === null || bounds.high === null) return [];
      from = Math.max(first, bounds.low);
      below = Math.min(below, bounds.high + 1);
    }
    const numbers = async (sql: string, values: Clause['values']): Promise<number[]> =>
      (await connection.query<{ payment: number }>(numbered(sql), values)).map(({ payment }) => payment);

    const flagged = flagClause(filter.flags);
    const byFacet = facetClause(chosen, now);
    const rest = and([periodClause(filter), raisedClause(filter), wordsClause(words)]);
    /**
     * The list, with its words if they are compared: one by one, in the order of the list, so that a page ends the
     * request. `OFFSET 0` keeps the planner from joining whole tables.
     */
    const list = words.length > 0 ? `listed p ${withWords}` : 'listed p';
    const range: Clause = { sql: 'p.payment < ? AND p.payment >= ?', values: [below, from] };
    const newest = 'ORDER BY p.payment DESC LIMIT ?';

    const walk = (): Promise<number[]> => {
      const check = and([byFacet, flagged, rest]);
      return numbers(`SELECT p.payment FROM ${list} WHERE ${range.sql} AND ${check.sql} ${newest}`, [
        ...range.values,
        ...check.values,
        wanted,
      ]);
    };
    /** The newest payments, as many as `width`, whose words are compared one by one. */
    const walkWords = (width: number): Promise<number[]> => {
      const match = wordsClause(words);
      const others = [byFacet, flagged, periodClause(filter), raisedClause(filter)].filter(
        ({ sql }) => sql !== none.sql,
      );
      const check = and(others);
      // The list is read for those only that contain the words, and not at all if nothing else is asked.
      const joined =
        others.length === 0
          ? ''
          : 'CROSS JOIN LATERAL (SELECT * FROM listed q WHERE q.payment = s.payment OFFSET 0) AS p';
      return numbers(
        `SELECT s.payment FROM (SELECT * FROM searched p WHERE ${range.sql} ORDER BY p.payment DESC LIMIT ?) AS s ${joined}
         WHERE ${match.sql} AND ${check.sql} ORDER BY s.payment DESC LIMIT ?`,
        [...range.values, width, ...match.values, ...check.values, wanted],
      );
    };
    const scanByWords = (groups: NonNullable<ReturnType<Sample['patterns']>>): Promise<number[]> => {
      const match = likeClause(groups);
      const check = and([range, byFacet, flagged, rest]);
      // Both the index and the order are chosen here: the planner would walk through the list instead.
      return numbers(
        `SELECT p.payment FROM searched s
           CROSS JOIN LATERAL (SELECT * FROM listed q WHERE q.payment = s.payment OFFSET 0) AS p
         WHERE ${match.sql} AND ${check.sql} ORDER BY p.payment + 0 DESC LIMIT ?`,
        [...match.values, ...check.values, wanted],
      );
    };
    const merged = async (parts: readonly Clause[]): Promise<number[]> => {
      if (parts.length === 0) return [];
      const union = parts.map(({ sql }) => `(${sql})`).join(' UNION ALL ');
      return numbers(`SELECT DISTINCT payment FROM (${union}) AS parts ORDER BY payment DESC LIMIT ?`, [
        ...parts.flatMap(({ values }) => values),
        wanted,
      ]);
    };
    const scanByFlags = (): Promise<number[]> => {
      const check = and([byFacet, rest]);
      return merged(
        filter.flags.map(flag => ({
          sql: `SELECT p.payment FROM payment_flag f JOIN ${list.replace('listed p', 'listed p ON p.payment = f.payment')}
             WHERE f.flag = ? AND f.payment < ? AND f.payment >= ? AND ${check.sql} ORDER BY f.payment DESC LIMIT ?`,
          values: [flag, ...range.values, ...check.values, wanted],
        })),
      );
    };
    const alongFacets = (some: readonly Facet[], extra: Clause): Clause[] => {
      if (some.length === 0) return [];
      const check = and([range, extra, flagged, rest]);
      return [
        {
          sql: `SELECT x.payment FROM unnest(ARRAY[${ids(some)}]) AS k(facet) CROSS JOIN LATERAL
              (SELECT p.payment FROM ${list} WHERE p.facet = k.facet AND ${check.sql} ${newest}) AS x`,
          values: [...check.values, wanted],
        },
      ];
    };
    const allOf = (some: readonly Facet[], extra: Clause): Clause[] => {
      const check = and([extra, range, flagged, rest]);
      return [
        {
          sql: `SELECT p.payment FROM ${list} WHERE p.facet IN (${ids(some)}) AND ${check.sql}
            ORDER BY p.payment + 0 DESC LIMIT ?`,
          values: [...check.values, wanted],
        },
      ];
    };

    const timed = chosen.running.length + chosen.expired.length > 0;
    /** The agent who created it, or the condition that it was not created here; null has no scan strategy. */
    const byAgent: Clause | null =
      filter.agent !== null
        ? { sql: 'lower(agent COLLATE "C") = lower(?::text COLLATE "C")', values: [escapeText(filter.agent)] }
        : filter.raisedHere === false
          ? { sql: 'lower(agent COLLATE "C") IS NULL', values: [] }
          : null;
    const counted = await sizes(connection, [
      ...(timed
        ? [
            { sql: 'SELECT 1 FROM listed WHERE runs_out_at > ?', values: [now] },
            { sql: 'SELECT 1 FROM listed WHERE runs_out_at <= ?', values: [now] },
          ]
        : []),
      ...(byAgent ? [{ sql: `SELECT 1 FROM listed WHERE ${byAgent.sql}`, values: byAgent.values }] : []),
      ...filter.flags.map(flag => ({ sql: 'SELECT 1 FROM payment_flag WHERE flag = ?', values: [flag] })),
    ]);
    const [running = 0, expired = 0] = timed ? counted.splice(0, 2) : [];
    const agentSize = byAgent ? (counted.shift() ?? 0) : Number.POSITIVE_INFINITY;
    const flagSize =
      filter.flags.length === 0 ? Number.POSITIVE_INFINITY : counted.reduce((total, n) => total + n, 0);
    const sum = (some: readonly Facet[]): number => some.reduce((total, { n }) => total + n, 0);
    const facetSize = chosen.all
      ? Number.POSITIVE_INFINITY
      : sum(chosen.untimed) +
        (chosen.running.length > 0 ? Math.min(sum(chosen.running), running) : 0) +
        (chosen.expired.length > 0 ? Math.min(sum(chosen.expired), expired) : 0);

    const scanByFacets = (): Promise<number[]> => {
      const live: Clause = { sql: 'p.runs_out_at > ?', values: [now] };
      const over: Clause = { sql: 'p.runs_out_at <= ?', values: [now] };
      const timedOnes = chosen.running.filter(facet => facet.timed);
      return merged([
        ...alongFacets([...chosen.untimed, ...chosen.running.filter(facet => !facet.timed)], none),
        ...(timedOnes.length > 0 && running < maxSmallScan
          ? allOf(timedOnes, live)
          : alongFacets(timedOnes, live)),
        ...(chosen.expired.length > 0 && expired < maxSmallScan
          ? allOf(chosen.expired, over)
          : alongFacets(chosen.expired, over)),
      ]);
    };
    const scanByAgent = (): Promise<number[]> => {
      const check = and([
        { sql: (byAgent ?? none).sql.replace('agent', 'p.agent'), values: (byAgent ?? none).values },
        range,
        byFacet,
        flagged,
        rest,
      ]);
      const order = agentSize < maxSmallScan ? 'ORDER BY p.payment + 0 DESC LIMIT ?' : newest;
      return numbers(`SELECT p.payment FROM ${list} WHERE ${check.sql} ${order}`, [...check.values, wanted]);
    };

    const others = Math.min(facetSize, flagSize, agentSize);
    if (words.length > 0) {
      const total = sum(facets);
      const sample = await samples.get(connection, total);
      const allFacets = [...chosen.untimed, ...chosen.running, ...chosen.expired];
      const density =
        filter.flags.length > 0
          ? 0
          : sample.density(words, chosen.all ? null : new Set(allFacets.map(({ id }) => id)), filter);
      const width = density > 0 ? Math.ceil((walkMargin * wanted) / density) : Number.POSITIVE_INFINITY;
      if (width <= Math.min(maxWalk, others)) {
        const found = await walkWords(width);
        if (found.length === wanted || width >= total) return found;
      }
      const groups = sample.patterns(words);
      if (groups) {
        const anyone = { ...filter, raisedHere: null, agent: null, from: null, until: null };
        const share = Math.max(minShare, sample.density(words, null, anyone));
        if (total * share < others) return scanByWords(groups);
      }
    }
    return others === Number.POSITIVE_INFINITY
      ? walk()
      : others === agentSize
        ? scanByAgent()
        : others === flagSize
          ? scanByFlags()
          : scanByFacets();
  };
