import {
  isAtRest,
  reconcile,
  reconciliationCauses,
  type NeedsReview,
  type ReconciliationRow,
} from '../../../../shared/reports/reconcile.ts';
import { isSetAside } from '../../../../shared/review/review.ts';
import { readRow } from '../../projection/packed-row.ts';
import type { LogDatabase } from '../store/database.ts';

/**
 * The lists of the review page that people made: assigned, snoozed and resolved payments. Their cost depends on these
 * payments only.
 */

/** Limit of assigned or snoozed payments in one list; it has no further pages. */
const maxListed = 500;

/** A page of a list of the review page. */
export type ReviewPage = { rows: ReconciliationRow[]; next: string | null };

/** A resolved payment with its packed row. */
export type Resolved = { payment: number; at: number; row: string };

/** The reads for these lists: packed rows, of one profile or of all (null). */
export type ReviewSource = {
  /** Not resolved, the newest payment first. */
  assignedTo(profileId: string | null, agent: string, limit: number): readonly string[];
  assignedToAny(profileId: string | null, limit: number): readonly string[];
  /** Not resolved, the first to come back first. */
  snoozedUntil(profileId: string | null, now: number, limit: number): readonly string[];
  /** Resolved before this one, the last one first. */
  resolvedBefore(profileId: string | null, at: number, payment: number, limit: number): readonly Resolved[];
};

const rankOf = ({ findings }: ReconciliationRow): number =>
  reconciliationCauses.findIndex(cause => cause === findings[0]?.cause);

/** The number of rows; `more` if the list is cut. */
export const countOfRows = (rows: readonly ReconciliationRow[]): NeedsReview => ({
  count: rows.length,
  more: rows.length >= maxListed,
});

const withFindings = (rows: readonly string[], now: number): ReconciliationRow[] =>
  rows.map(readRow).map(row => ({ ...row, findings: reconcile(row, now) }));

/** Assigned rows that are in the queue. */
const open = (rows: readonly string[], now: number): ReconciliationRow[] =>
  withFindings(rows, now).filter(({ findings, review }) => findings.length > 0 && !isSetAside(review, now));

/** Open payments of one person, gravest first. */
export const assignedTo = (
  source: ReviewSource,
  profileId: string | null,
  agent: string,
  now: number,
): ReconciliationRow[] => {
  const rows = source.assignedTo(profileId, agent, maxListed);
  return open(rows, now).toSorted((one, other) => rankOf(one) - rankOf(other));
};

/** Snoozed payments, the first to come back first. */
export const snoozed = (source: ReviewSource, profileId: string | null, now: number): ReconciliationRow[] => {
  const rows = source.snoozedUntil(profileId, now, maxListed);
  return withFindings(rows, now).filter(({ findings }) => findings.length > 0);
};

/** Resolved payments, the last one first. */
export const resolved = (
  source: ReviewSource,
  profileId: string | null,
  cursor: string | null,
  limit: number,
  now: number,
): ReviewPage => {
  const [at = Number.MAX_SAFE_INTEGER, payment = Number.MAX_SAFE_INTEGER] = (cursor ?? '')
    .split(' ')
    .map(Number)
    .filter(value => Number.isSafeInteger(value) && value > 0);
  const found = source.resolvedBefore(profileId, at, payment, limit + 1);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: withFindings(
      page.map(({ row }) => row),
      now,
    ),
    next: found.length > limit && last ? `${last.at} ${last.payment}` : null,
  };
};

/** The number of open payments that need action and are assigned to anyone. */
export const assignedCount = (source: ReviewSource, profileId: string | null, now: number): NeedsReview => {
  const rows = open(source.assignedToAny(profileId, maxListed), now);
  return countOfRows(rows.filter(({ findings: [first] }) => first && !isAtRest(first.cause)));
};

type Profile = string | null;

/** The statements of the review page's lists. */
export const reviewStatements = (database: LogDatabase): ReviewSource => {
  const ofProfile = '(? IS NULL OR r.profile_id = ?)';
  const assignedTo = database
    .prepare<[string, Profile, Profile, number], string>(
      `SELECT l."row" FROM review r INDEXED BY review_assigned JOIN listed l ON l.payment = r.payment
       WHERE r.assignee = ? AND r.resolved_at IS NULL AND ${ofProfile} ORDER BY r.payment DESC LIMIT ?`,
    )
    .pluck();
  const assignedToAny = database
    .prepare<[Profile, Profile, number], string>(
      `SELECT l."row" FROM review r INDEXED BY review_assigned JOIN listed l ON l.payment = r.payment
       WHERE r.assignee IS NOT NULL AND r.resolved_at IS NULL AND ${ofProfile} LIMIT ?`,
    )
    .pluck();
  const snoozedUntil = database
    .prepare<[number, Profile, Profile, number], string>(
      `SELECT l."row" FROM review r INDEXED BY review_snoozed JOIN listed l ON l.payment = r.payment
       WHERE r.snoozed_until > ? AND r.resolved_at IS NULL AND ${ofProfile}
       ORDER BY r.snoozed_until, r.payment LIMIT ?`,
    )
    .pluck();
  const resolvedBefore = database.prepare<[number, number, number, Profile, Profile, number], Resolved>(
    `SELECT r.payment, r.resolved_at AS at, l."row" AS row FROM review r INDEXED BY review_resolved JOIN listed l ON l.payment = r.payment
     WHERE r.resolved_at <= ? AND (r.resolved_at < ? OR r.payment < ?) AND ${ofProfile}
     ORDER BY r.resolved_at DESC, r.payment DESC LIMIT ?`,
  );
  return {
    assignedTo: (profileId, agent, limit) => assignedTo.all(agent, profileId, profileId, limit),
    assignedToAny: (profileId, limit) => assignedToAny.all(profileId, profileId, limit),
    snoozedUntil: (profileId, now, limit) => snoozedUntil.all(now, profileId, profileId, limit),
    resolvedBefore: (profileId, at, payment, limit) =>
      resolvedBefore.all(at, at, payment, profileId, profileId, limit),
  };
};
