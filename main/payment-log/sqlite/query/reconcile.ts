import type { ReconciliationPage } from '../../../../shared/contract/index.ts';
import {
  foundIn,
  isAtRest,
  needsReviewOf,
  reconcile,
  reconciliationCauses,
  type ReconciliationCause,
  type ReconciliationCount,
  type ReconciliationRow,
} from '../../../../shared/reports/reconcile.ts';
import type { ReviewSelection } from '../../answers.ts';
import type { LogDatabase } from '../store/database.ts';
import { isSetAside } from '../../../../shared/review/review.ts';
import { endOf, type ListFilter } from './query-planner.ts';
import type { ListPayments } from './list.ts';
import { countOfRows, createReviewLists } from './review-lists.ts';
import { readRow } from '../store/packed-row.ts';

/**
 * The queue of payments to review, each under its gravest cause, without those that were resolved or snoozed. It is read cause by cause with the list's scan
 * strategies (facets, flags, expired links), so its cost depends on the candidates and not on all payments.
 */

/** Limit of list scans for one page; a page that would need more is short, and `next` continues it. */
const maxScans = 32;
/** Limit of candidates examined for a cause's count; beyond it the count says "at least". */
const maxCounted = 500;

/** For these causes every payment in the state counts, unless a flag puts it under a graver cause. */
const bareStates: readonly ReconciliationCause[] = [
  'chargeback',
  'refund-amount-unknown',
  'expired-without-outcome',
  'refund-seen',
];

const filterOf = (cause: ReconciliationCause, profileId: string | null, now: number): ListFilter => {
  const { states, flags, after } = foundIn[cause];
  // Payments that are not due yet are skipped without a scan.
  const until = after === undefined ? null : now - after + 1;
  return {
    words: '',
    profileId,
    currency: null,
    raisedHere: null,
    agent: null,
    from: null,
    until,
    states,
    flags,
    isOpen: true,
  };
};

type Facet = { id: number; state: string; flagged: number; timed: number; n: number };

/** A position in the queue: a cause, and the progress within its candidates. */
type CursorPosition = { cause: number; at: string | null };

const positionOf = (cursor: string | null): CursorPosition => {
  const [cause = '', at = ''] = (cursor ?? '').split(' ');
  return {
    cause: Math.max(
      0,
      reconciliationCauses.findIndex(one => one === cause),
    ),
    at: at === '' ? null : at,
  };
};
const cursorOf = ({ cause, at }: CursorPosition): string | null =>
  cause < reconciliationCauses.length ? `${reconciliationCauses[cause]} ${at ?? ''}` : null;

/**
 * One page of the queue, gravest cause first and newest first within it. `cause`: only this one, null for all;
 * `cursor`: the end of the last page, null for the first; `limit`: rows; a page may hold fewer although `next`
 * exists. The counts come with the first page only. `now`: milliseconds.
 */
export type ReconcilePayments = (
  profileId: string | null,
  cause: ReconciliationCause | null,
  cursor: string | null,
  limit: number,
  selection: ReviewSelection,
  now: number,
) => ReconciliationPage;

/** Causes from here on are informational. */
const firstAtRest = reconciliationCauses.findIndex(isAtRest);

export const reconcilePayments = (database: LogDatabase, list: ListPayments): ReconcilePayments => {
  const facets = database.prepare<[string | null, string | null], Facet>(
    'SELECT id, state, flagged, timed, n FROM facet WHERE n > 0 AND resolved = 0 AND (? IS NULL OR profile_id = ?)',
  );
  const running = database.prepare<[number], { facet: number; n: number }>(
    'SELECT facet, count(*) AS n FROM listed INDEXED BY listed_open WHERE runs_out_at > ? GROUP BY facet',
  );
  /** Snoozed payments by facet, without links that are still active. */
  const snoozed = database.prepare<[number, number], { facet: number; n: number }>(
    `SELECT l.facet, count(*) AS n FROM review r INDEXED BY review_snoozed
     JOIN listed l ON l.payment = r.payment
     WHERE r.snoozed_until > ? AND r.resolved_at IS NULL AND (l.runs_out_at IS NULL OR l.runs_out_at <= ?)
     GROUP BY l.facet`,
  );
  const ended = database
    .prepare<[number, number, number], string>(
      `SELECT "row" FROM listed INDEXED BY listed_facet
       WHERE facet = ? AND (runs_out_at IS NULL OR runs_out_at <= ?) LIMIT ?`,
    )
    .pluck();

  const scanUnder = (
    cause: ReconciliationCause,
    filter: ListFilter,
    at: string | null,
    limit: number,
    now: number,
  ): { rows: ReconciliationRow[]; next: string | null } => {
    const page = list(filter, at, limit, now);
    const rows = page.rows
      .map(row => ({ ...row, findings: reconcile(row, now) }))
      .filter(({ findings, review }) => findings[0]?.cause === cause && !isSetAside(review, now));
    return { rows, next: page.next };
  };

  /** The running counts contain the payments without a flag; a bounded number of the others is examined. */
  const countState = (
    cause: ReconciliationCause,
    profileId: string | null,
    now: number,
  ): ReconciliationCount => {
    const { states } = foundIn[cause];
    const live = new Map(running.all(now).map(({ facet, n }) => [facet, n]));
    const hidden = new Map(snoozed.all(now, now).map(({ facet, n }) => [facet, n]));
    let count = 0;
    let left = maxCounted;
    let more = false;
    for (const { id, state, flagged, timed, n } of facets.all(profileId, profileId)) {
      const effectiveState = timed ? endOf(state) : state;
      if (!states.some(one => one === effectiveState)) continue;
      if (!flagged) {
        count += n - (live.get(id) ?? 0) - (hidden.get(id) ?? 0);
        continue;
      }
      const rows = ended.all(id, now, left + 1).map(readRow);
      more ||= rows.length > left;
      const looked = rows.slice(0, left);
      left -= looked.length;
      count += looked.filter(
        row => reconcile(row, now)[0]?.cause === cause && !isSetAside(row.review, now),
      ).length;
    }
    return { cause, count, more };
  };

  const countOf = (
    cause: ReconciliationCause,
    profileId: string | null,
    now: number,
  ): ReconciliationCount => {
    if (bareStates.includes(cause)) return countState(cause, profileId, now);
    const { rows, next } = scanUnder(cause, filterOf(cause, profileId, now), null, maxCounted, now);
    return { cause, count: rows.length, more: next !== null };
  };

  const counts = (profileId: string | null, now: number): ReconciliationCount[] =>
    reconciliationCauses
      .map(cause => countOf(cause, profileId, now))
      .filter(({ count, more }) => count > 0 || more);

  const lists = createReviewLists(database);

  const listCounts = (
    profileId: string | null,
    agent: string,
    counted: readonly ReconciliationCount[],
    now: number,
  ): ReconciliationPage['lists'] => {
    const all = needsReviewOf(counted);
    const assigned = lists.assigned(profileId, now);
    return {
      mine: countOfRows(lists.mine(profileId, agent, now)),
      unassigned: { count: Math.max(0, all.count - assigned.count), more: all.more || assigned.more },
      snoozed: countOfRows(lists.snoozed(profileId, now)),
    };
  };

  /** Reads cause by cause; the causes of a list without informational ones end before these. */
  const walk = (
    profileId: string | null,
    cause: ReconciliationCause | null,
    cursor: string | null,
    limit: number,
    list: ReviewSelection['list'],
    now: number,
  ): { rows: ReconciliationRow[]; next: string | null } => {
    const rows: ReconciliationRow[] = [];
    const start = list === 'information' ? (reconciliationCauses[firstAtRest] ?? null) : null;
    const end = list === 'all' || list === 'unassigned' ? firstAtRest : reconciliationCauses.length;
    const position = positionOf(cursor ?? cause ?? start);
    const isOver = (): boolean =>
      position.cause >= end || (cause !== null && reconciliationCauses[position.cause] !== cause);
    for (let scans = 0; rows.length < limit && scans < maxScans && !isOver(); scans += 1) {
      const current = reconciliationCauses[position.cause];
      if (current === undefined) break;
      const filter = filterOf(current, profileId, now);
      const scanned = scanUnder(current, filter, position.at, limit - rows.length, now);
      rows.push(
        ...(list === 'unassigned'
          ? scanned.rows.filter(({ review }) => (review?.assignee ?? null) === null)
          : scanned.rows),
      );
      position.at = scanned.next;
      if (scanned.next === null) position.cause += 1;
    }
    return { rows, next: isOver() ? null : cursorOf(position) };
  };

  return (profileId, cause, cursor, limit, { list, agent }, now) => {
    const ofCause = (rows: ReconciliationRow[]): ReconciliationRow[] =>
      limit === 0 ? [] : rows.filter(({ findings }) => cause === null || findings[0]?.cause === cause);
    const page =
      list === 'mine'
        ? { rows: ofCause(lists.mine(profileId, agent, now)), next: null }
        : list === 'snoozed'
          ? { rows: ofCause(lists.snoozed(profileId, now)), next: null }
          : list === 'resolved'
            ? lists.resolved(profileId, cursor, limit, now)
            : walk(profileId, cause, cursor, limit, list, now);
    if (cursor !== null) return { ...page, counts: null, lists: null };
    const counted = counts(profileId, now);
    return { ...page, counts: counted, lists: listCounts(profileId, agent, counted, now) };
  };
};
