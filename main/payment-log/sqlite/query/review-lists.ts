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
type Resolved = { payment: number; at: number; row: string };

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

type Profile = string | null;

/** Reads the review page's lists, of one profile or of all (null). `now`: milliseconds. */
export const reviewLists = (database: LogDatabase) => {
  const ofProfile = '(? IS NULL OR r.profile_id = ?)';
  const assignedToOne = database
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
    /** Open payments of one person, gravest first. */
    assignedTo: (profileId: Profile, agent: string, now: number): ReconciliationRow[] =>
      open(assignedToOne.all(agent, profileId, profileId, maxListed), now).toSorted(
        (one, other) => rankOf(one) - rankOf(other),
      ),
    /** Snoozed payments, the first to come back first. */
    snoozed: (profileId: Profile, now: number): ReconciliationRow[] =>
      withFindings(snoozedUntil.all(now, profileId, profileId, maxListed), now).filter(
        ({ findings }) => findings.length > 0,
      ),
    /** Resolved payments, the last one first. */
    resolved: (profileId: Profile, cursor: string | null, limit: number, now: number): ReviewPage => {
      const [at = Number.MAX_SAFE_INTEGER, payment = Number.MAX_SAFE_INTEGER] = (cursor ?? '')
        .split(' ')
        .map(Number)
        .filter(value => Number.isSafeInteger(value) && value > 0);
      const found = resolvedBefore.all(at, at, payment, profileId, profileId, limit + 1);
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const rows = page.map(({ row }) => row);
      return {
        rows: withFindings(rows, now),
        next: found.length > limit && last ? `${last.at} ${last.payment}` : null,
      };
    },
    /** The number of open payments that need action and are assigned to anyone. */
    assignedCount: (profileId: Profile, now: number): NeedsReview => {
      const rows = open(assignedToAny.all(profileId, profileId, maxListed), now);
      return countOfRows(rows.filter(({ findings: [first] }) => first && !isAtRest(first.cause)));
    },
  };
};
