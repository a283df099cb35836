import type { FacetCount } from '../../query/count.ts';
import type { QueueSource } from '../../query/reconcile.ts';
import type { LogDatabase } from '../store/database.ts';

/** The statements of the queue of payments to review. */
export const queueStatements = (database: LogDatabase): Pick<QueueSource, 'snoozedByFacet' | 'ended'> => {
  /** Snoozed payments by facet, without links that are still active. */
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
    snoozedByFacet: now => snoozed.all(now, now),
    ended: (facet, now, limit) => ended.all(facet, now, limit),
  };
};
