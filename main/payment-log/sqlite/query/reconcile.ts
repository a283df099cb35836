import type { PaymentPage, ReconciliationPage } from '../../../../shared/contract/contract.ts';
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
import { isSetAside } from '../../../../shared/review/review.ts';
import type { ReviewSelection } from '../../answers.ts';
import { readRow } from '../../projection/packed-row.ts';
import { endOf, listPayments, type FacetCount, type ListFilter, type ListSource } from './list.ts';
import { countOfRows, type reviewLists, type ReviewPage } from './review-lists.ts';
import type { LogDatabase } from '../store/database.ts';
import { unfiltered } from '../../unfiltered.ts';

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
  return { ...unfiltered, profileId, until, states, flags, isOpen: true };
};

/** The reads for the queue. */
type QueueSource = ListSource & ReturnType<typeof queueStatements> & ReturnType<typeof reviewLists>;

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

/** Causes from here on are informational. */
const firstAtRest = reconciliationCauses.findIndex(isAtRest);

const scanUnder = (
  source: QueueSource,
  cause: ReconciliationCause,
  filter: ListFilter,
  at: string | null,
  limit: number,
  now: number,
): ReviewPage => {
  const page: PaymentPage = listPayments(source, filter, at, limit, now);
  const rows = page.rows
    .map(row => ({ ...row, findings: reconcile(row, now) }))
    .filter(({ findings, review }) => findings[0]?.cause === cause && !isSetAside(review, now));
  return { rows, next: page.next };
};

/** The running counts contain the payments without a flag; a bounded number of the others is examined. */
const countState = (
  source: QueueSource,
  cause: ReconciliationCause,
  profileId: string | null,
  now: number,
): ReconciliationCount => {
  const { states } = foundIn[cause];
  const live = new Map(source.running(now).map(({ facet, n }) => [facet, n]));
  const hidden = new Map(source.snoozedByFacet(now).map(({ facet, n }) => [facet, n]));
  let count = 0;
  let left = maxCounted;
  let more = false;
  for (const facet of source.facets()) {
    const { id, state, flagged, timed, n } = facet;
    if (n === 0 || facet.resolved !== 0 || (profileId !== null && facet.profileId !== profileId)) continue;
    const effectiveState = timed ? endOf(state) : state;
    if (!states.some(one => one === effectiveState)) continue;
    if (!flagged) {
      count += n - (live.get(id) ?? 0) - (hidden.get(id) ?? 0);
      continue;
    }
    const rows = source.ended(id, now, left + 1).map(readRow);
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
  source: QueueSource,
  cause: ReconciliationCause,
  profileId: string | null,
  now: number,
): ReconciliationCount => {
  if (bareStates.includes(cause)) return countState(source, cause, profileId, now);
  const filter = filterOf(cause, profileId, now);
  const { rows, next } = scanUnder(source, cause, filter, null, maxCounted, now);
  return { cause, count: rows.length, more: next !== null };
};

const countsOf = (source: QueueSource, profileId: string | null, now: number): ReconciliationCount[] => {
  const counts: ReconciliationCount[] = [];
  for (const cause of reconciliationCauses) {
    const counted = countOf(source, cause, profileId, now);
    if (counted.count > 0 || counted.more) counts.push(counted);
  }
  return counts;
};

const listCounts = (
  source: QueueSource,
  profileId: string | null,
  agent: string,
  counted: readonly ReconciliationCount[],
  now: number,
): ReconciliationPage['lists'] => {
  const all = needsReviewOf(counted);
  const assigned = source.assignedCount(profileId, now);
  return {
    mine: countOfRows(source.assignedTo(profileId, agent, now)),
    unassigned: { count: Math.max(0, all.count - assigned.count), more: all.more || assigned.more },
    snoozed: countOfRows(source.snoozed(profileId, now)),
  };
};

/** Reads cause by cause; the causes of a list without informational ones end before these. */
const walk = (
  source: QueueSource,
  profileId: string | null,
  cause: ReconciliationCause | null,
  cursor: string | null,
  limit: number,
  list: ReviewSelection['list'],
  now: number,
): ReviewPage => {
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
    const scanned = scanUnder(source, current, filter, position.at, limit - rows.length, now);
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

/**
 * One page of the queue, gravest cause first and newest first within it. `cause`: only this one, null for all;
 * `cursor`: the end of the last page, null for the first; `limit`: rows; a page may hold fewer although `next`
 * exists. The counts come with the first page only. `now`: milliseconds.
 */
export const reconcilePayments = (
  source: QueueSource,
  profileId: string | null,
  cause: ReconciliationCause | null,
  cursor: string | null,
  limit: number,
  { list, agent }: ReviewSelection,
  now: number,
): ReconciliationPage => {
  const ofCause = (rows: ReconciliationRow[]): ReconciliationRow[] =>
    limit === 0 ? [] : rows.filter(({ findings }) => cause === null || findings[0]?.cause === cause);
  const page =
    list === 'mine'
      ? { rows: ofCause(source.assignedTo(profileId, agent, now)), next: null }
      : list === 'snoozed'
        ? { rows: ofCause(source.snoozed(profileId, now)), next: null }
        : list === 'resolved'
          ? source.resolved(profileId, cursor, limit, now)
          : walk(source, profileId, cause, cursor, limit, list, now);
  if (cursor !== null) return { ...page, counts: null, lists: null };
  const counted = countsOf(source, profileId, now);
  return { ...page, counts: counted, lists: listCounts(source, profileId, agent, counted, now) };
};

/** The statements of the queue of payments to review. */
export const queueStatements = (database: LogDatabase) => {
  const snoozed = database.prepare<[number, number], FacetCount>(
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
  return {
    /** Snoozed payments by facet, without links that are still active. */
    snoozedByFacet: (now: number) => snoozed.all(now, now),
    /** Packed rows of a facet without links that are still active. */
    ended: (facet: number, now: number, limit: number) => ended.all(facet, now, limit),
  };
};
