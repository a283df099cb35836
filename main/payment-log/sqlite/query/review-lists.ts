import {
  isAtRest,
  reconcile,
  reconciliationCauses,
  type NeedsReview,
  type ReconciliationRow,
} from '../../../../shared/reports/reconcile.ts';
import { isSetAside } from '../../../../shared/review/review.ts';
import type { LogDatabase } from '../store/database.ts';
import { readRow } from '../store/packed-row.ts';

/**
 * The lists of the review page that people made: assigned, snoozed and resolved payments. Their cost depends on these
 * payments only.
 */

/** Limit of assigned or snoozed payments in one list; it has no further pages. */
const maxListed = 500;

type Page = { rows: ReconciliationRow[]; next: string | null };

export type ReviewLists = {
  /** Open payments of one person, gravest first. */
  mine(profileId: string | null, agent: string, now: number): ReconciliationRow[];
  /** Snoozed payments, the first to come back first. */
  snoozed(profileId: string | null, now: number): ReconciliationRow[];
  /** Resolved payments, the last one first. */
  resolved(profileId: string | null, cursor: string | null, limit: number, now: number): Page;
  /** The number of open payments that need action and are assigned to anyone. */
  assigned(profileId: string | null, now: number): NeedsReview;
};

const rankOf = ({ findings }: ReconciliationRow): number =>
  reconciliationCauses.findIndex(cause => cause === findings[0]?.cause);

/** The number of rows; `more` if the list is cut. */
export const countOfRows = (rows: readonly ReconciliationRow[]): NeedsReview => ({
  count: rows.length,
  more: rows.length >= maxListed,
});

type Profile = string | null;

export const createReviewLists = (database: LogDatabase): ReviewLists => {
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
       WHERE r.snoozed_until > ? AND r.resolved_at IS NULL AND ${ofProfile} ORDER BY r.snoozed_until LIMIT ?`,
    )
    .pluck();
  const resolvedBefore = database.prepare<
    [number, number, number, Profile, Profile, number],
    { payment: number; at: number; row: string }
  >(
    `SELECT r.payment, r.resolved_at AS at, l."row" AS row FROM review r INDEXED BY review_resolved JOIN listed l ON l.payment = r.payment
     WHERE r.resolved_at <= ? AND (r.resolved_at < ? OR r.payment < ?) AND ${ofProfile}
     ORDER BY r.resolved_at DESC, r.payment DESC LIMIT ?`,
  );
  const withFindings = (rows: readonly string[], now: number): ReconciliationRow[] =>
    rows.map(readRow).map(row => ({ ...row, findings: reconcile(row, now) }));
  /** Assigned rows that are in the queue. */
  const open = (rows: readonly string[], now: number): ReconciliationRow[] =>
    withFindings(rows, now).filter(({ findings, review }) => findings.length > 0 && !isSetAside(review, now));

  return {
    mine: (profileId, agent, now) =>
      open(assignedTo.all(agent, profileId, profileId, maxListed), now).toSorted(
        (one, other) => rankOf(one) - rankOf(other),
      ),
    snoozed: (profileId, now) =>
      withFindings(snoozedUntil.all(now, profileId, profileId, maxListed), now).filter(
        ({ findings }) => findings.length > 0,
      ),
    resolved: (profileId, cursor, limit, now) => {
      const [at = Number.MAX_SAFE_INTEGER, payment = Number.MAX_SAFE_INTEGER] = (cursor ?? '')
        .split(' ')
        .map(Number)
        .filter(value => Number.isSafeInteger(value) && value > 0);
      const found = resolvedBefore.all(at, at, payment, profileId, profileId, limit + 1);
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        rows: withFindings(
          page.map(({ row }) => row),
          now,
        ),
        next: found.length > limit && last ? `${last.at} ${last.payment}` : null,
      };
    },
    assigned: (profileId, now) =>
      countOfRows(
        open(assignedToAny.all(profileId, profileId, maxListed), now).filter(
          ({ findings: [first] }) => first && !isAtRest(first.cause),
        ),
      ),
  };
};
