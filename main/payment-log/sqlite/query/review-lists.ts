import type { LogDatabase } from '../store/database.ts';
import type { Resolved, ReviewSource } from '../../query/review-lists.ts';

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
