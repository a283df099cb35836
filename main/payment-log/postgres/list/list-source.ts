import { recheckedStates } from '../../../../shared/payment-reducer/checked-days.ts';
import type { FacetCount } from '../../query/count.ts';
import type { Facet } from '../../query/facets.ts';
import type { OverviewGroup, OverviewSource, PaidInSpan } from '../../query/overview.ts';
import type { RecheckSource } from '../../query/recheck.ts';
import type { QueueSource } from '../../query/reconcile.ts';
import type { Resolved } from '../../query/review-lists.ts';
import type { TotalsGroup, TotalsSource } from '../../query/totals.ts';
import type { Connection, Value } from '../connection.ts';
import { escapeText, unescapeText } from '../text.ts';
import { findPayments } from './find.ts';
import type { Samples } from './sample.ts';

/** Everything that the questions about the list read. Each read rejects with the client's errors. */
export type ListSource = QueueSource & TotalsSource & OverviewSource & RecheckSourceOfList;
type RecheckSourceOfList = { recheck: RecheckSource };

const textOrNull = (text: string | null): string | null => (text === null ? null : escapeText(text));

/** Sums are exact as texts. */
const sums = `count(*) AS n, coalesce(sum(amount), 0)::text AS amount, count(*) - count(amount) AS unread,
  coalesce(sum(paid), 0)::text AS paid, coalesce(sum(uncounted), 0)::bigint AS uncounted`;
const isExpired = 'coalesce((runs_out_at <= $1)::int, 0) AS expired';
const asciiLower = (of: string): string => `lower(${of} COLLATE "C")`;
const ofProfile = (column: string, parameter: string): string =>
  `(${parameter}::text IS NULL OR ${column} = ${parameter})`;

/** Reads for one request: the facets are read once. */
export const listSource = (connection: Connection, samples: Samples): ListSource => {
  const read = <Row>(name: string, sql: string, values: readonly Value[] = []): Promise<Row[]> =>
    connection.query<Row>(sql, values, { name: `list-${name}` });
  const rowsOf = async (name: string, sql: string, values: readonly Value[]): Promise<string[]> =>
    (await read<{ row: string }>(name, sql, values)).map(({ row }) => row);

  let facets: Promise<Facet[]> | null = null;
  const readFacets = async (): Promise<Facet[]> => {
    const found = await read<Facet>(
      'facets',
      `SELECT f.id, f.profile_id AS "profileId", f.state, f.currency, f.flagged, f.timed, f.resolved,
         coalesce(sum(c.n), 0)::bigint AS n FROM facet f LEFT JOIN facet_count c ON c.facet = f.id GROUP BY f.id`,
    );
    return found.map(facet => ({
      ...facet,
      profileId: unescapeText(facet.profileId),
      state: unescapeText(facet.state),
      currency: unescapeText(facet.currency),
    }));
  };
  const facetsOnce = (): Promise<Facet[]> => (facets ??= readFacets());

  return {
    facets: facetsOnce,
    find: findPayments(connection, samples, facetsOnce),
    firstOf: async (end, count) => {
      const [first] = await read<{ payment: number }>(
        'first-of',
        'SELECT payment FROM listed WHERE payment < $1 ORDER BY payment DESC OFFSET $2 LIMIT 1',
        [end ?? Number.MAX_SAFE_INTEGER, count - 1],
      );
      return first?.payment ?? 0;
    },
    rows: async payments => {
      if (payments.length === 0) return [];
      const found = await read<{ payment: number; row: string }>(
        'rows',
        'SELECT payment, "row" FROM listed WHERE payment = ANY ($1::bigint[])',
        [payments],
      );
      const byPayment = new Map(found.map(({ payment, row }) => [payment, row]));
      return payments.map(payment => byPayment.get(payment)).filter(row => row !== undefined);
    },
    running: now =>
      read<FacetCount>(
        'running',
        'SELECT facet, count(*) AS n FROM listed WHERE runs_out_at > $1 GROUP BY facet',
        [now],
      ),

    sizeInTime: async (from, until, max) => {
      const [size] = await read<{ n: number }>(
        'size-in-time',
        'SELECT count(*) AS n FROM (SELECT 1 FROM listed WHERE first_at >= $1 AND first_at < $2 LIMIT $3) AS found',
        [from, until, max],
      );
      return size?.n ?? 0;
    },
    inTime: (now, from, until, { raisedHere, agent }) =>
      read<TotalsGroup>(
        'in-time',
        `SELECT facet, ${isExpired}, ${sums} FROM listed WHERE first_at >= $2 AND first_at < $3
           AND ($4::boolean IS NULL OR (agent IS NOT NULL) = $4)
           AND ($5::text IS NULL OR ${asciiLower('agent')} = ${asciiLower('$5::text')}) GROUP BY 1, 2`,
        [now, from, until, raisedHere, textOrNull(agent)],
      ),
    ofPayments: (now, payments) =>
      read<TotalsGroup>(
        'of-payments',
        `SELECT facet, ${isExpired}, ${sums} FROM listed WHERE payment = ANY ($2::bigint[]) GROUP BY 1, 2`,
        [now, payments],
      ),

    ofDays: async (now, spans) => {
      const found = await read<OverviewGroup & { day: number }>(
        'of-days',
        // One range of the index, divided into days.
        `SELECT width_bucket(first_at, $2::bigint[]) - 1 AS day, facet, min(agent COLLATE "C") AS agent, ${isExpired},
           ${sums}, coalesce(sum(returned), 0)::text AS returned,
           coalesce(sum(coalesce(paid, 0) - coalesce(returned, 0)) FILTER (WHERE uncounted IS NULL), 0)::text AS net
         FROM listed WHERE first_at >= $3 AND first_at < $4
         GROUP BY 1, 2, ${asciiLower('agent')}, 4 ORDER BY 1, 2, 3`,
        [now, spans.map(([from]) => from), spans[0]?.[0] ?? 0, spans.at(-1)?.[1] ?? 0],
      );
      return found.map(group => ({
        ...group,
        agent: group.agent === null ? null : unescapeText(group.agent),
      }));
    },
    paidIn: spans =>
      read<PaidInSpan>(
        'paid-in',
        `SELECT s.span::int - 1 AS span, l.facet, l.paid
         FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS s(low, high, span) CROSS JOIN LATERAL
           (SELECT facet, sum(paid)::text AS paid FROM listed
            WHERE first_at >= s.low AND first_at < s.high AND paid IS NOT NULL AND agent IS NOT NULL GROUP BY 1) AS l`,
        [spans.map(([from]) => from), spans.map(([, until]) => until)],
      ),
    medians: async ([from, until], profileId) => {
      const found = await read<{ currency: string; median: number }>(
        'medians',
        `SELECT f.currency, percentile_cont(0.5) WITHIN GROUP (ORDER BY l.paid_after) AS median
         FROM listed l JOIN facet f ON f.id = l.facet
         WHERE l.first_at >= $1 AND l.first_at < $2 AND l.paid_after IS NOT NULL AND l.agent IS NOT NULL
           AND ${ofProfile('f.profile_id', '$3')} GROUP BY 1`,
        [from, until, textOrNull(profileId)],
      );
      return found.map(({ currency, median }) => ({ currency: unescapeText(currency), median }));
    },

    snoozedByFacet: now =>
      read<FacetCount>(
        'snoozed-by-facet',
        `SELECT l.facet, count(*) AS n FROM review r JOIN listed l ON l.payment = r.payment
         WHERE r.snoozed_until > $1 AND r.resolved_at IS NULL AND (l.runs_out_at IS NULL OR l.runs_out_at <= $1)
         GROUP BY l.facet`,
        [now],
      ),
    ended: (facet, now, limit) =>
      rowsOf(
        'ended',
        `SELECT "row" FROM listed WHERE facet = $1 AND (runs_out_at IS NULL OR runs_out_at <= $2)
         ORDER BY payment LIMIT $3`,
        [facet, now, limit],
      ),
    assignedTo: (profileId, agent, limit) =>
      rowsOf(
        'assigned-to',
        `SELECT l."row" FROM review r JOIN listed l ON l.payment = r.payment
         WHERE ${asciiLower('r.assignee')} = ${asciiLower('$2::text')} AND r.assignee IS NOT NULL
           AND r.resolved_at IS NULL AND ${ofProfile('r.profile_id', '$1')} ORDER BY r.payment DESC LIMIT $3`,
        [textOrNull(profileId), escapeText(agent), limit],
      ),
    assignedToAny: (profileId, limit) =>
      rowsOf(
        'assigned-to-any',
        `SELECT l."row" FROM review r JOIN listed l ON l.payment = r.payment
         WHERE r.assignee IS NOT NULL AND r.resolved_at IS NULL AND ${ofProfile('r.profile_id', '$1')} LIMIT $2`,
        [textOrNull(profileId), limit],
      ),
    snoozedUntil: (profileId, now, limit) =>
      rowsOf(
        'snoozed-until',
        `SELECT l."row" FROM review r JOIN listed l ON l.payment = r.payment
         WHERE r.snoozed_until > $2 AND r.resolved_at IS NULL AND ${ofProfile('r.profile_id', '$1')}
         ORDER BY r.snoozed_until, r.payment LIMIT $3`,
        [textOrNull(profileId), now, limit],
      ),
    resolvedBefore: (profileId, at, payment, limit) =>
      read<Resolved>(
        'resolved-before',
        `SELECT r.payment, r.resolved_at AS at, l."row" AS row FROM review r JOIN listed l ON l.payment = r.payment
         WHERE (r.resolved_at, r.payment) < ($2, $3) AND ${ofProfile('r.profile_id', '$1')}
         ORDER BY r.resolved_at DESC, r.payment DESC LIMIT $4`,
        [textOrNull(profileId), at, payment, limit],
      ),

    recheck: {
      facets: async profileIds =>
        (
          await read<{ id: number }>(
            'facets-to-recheck',
            'SELECT id FROM facet WHERE state = ANY ($1::text[]) AND profile_id = ANY ($2::text[]) ORDER BY id',
            [recheckedStates, profileIds.map(escapeText)],
          )
        ).map(({ id }) => id),
      nextDays: async (facet, after) => {
        const [next] = await read<{ days: number | null }>(
          'next-days',
          'SELECT min(checked_days) AS days FROM listed WHERE facet = $1 AND checked_days > $2',
          [facet, after],
        );
        return next?.days ?? null;
      },
      due: (facet, checked, after, until, limit) =>
        rowsOf(
          'due',
          `SELECT "row" FROM listed WHERE facet = $1 AND checked_days = $2
             AND first_at + paid_after > $3 AND first_at + paid_after <= $4 ORDER BY first_at + paid_after LIMIT $5`,
          [facet, checked, after, until, limit],
        ),
    },
  };
};
