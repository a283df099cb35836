import type { LogDatabase } from '../store/database.ts';
import type { OverviewGroup, OverviewSource } from '../../query/overview.ts';

/**
 * The statements of the overview. One covering index in time order holds their input, so the cost depends on the
 * payments of the time span and not on all payments.
 */
export const overviewStatements = (database: LogDatabase): Omit<OverviewSource, 'facets'> => {
  const ofDay = database.prepare<[now: number, from: number, until: number], OverviewGroup>(
    `SELECT facet, agent, ifnull(runs_out_at <= ?, 0) AS expired, count(*) AS n, ifnull(sum(amount), 0) AS amount,
       count(*) - count(amount) AS unread, ifnull(sum(paid), 0) AS paid, ifnull(sum(returned), 0) AS returned,
       ifnull(sum(CASE WHEN uncounted IS NULL THEN ifnull(paid, 0) - ifnull(returned, 0) END), 0) AS net,
       ifnull(sum(uncounted), 0) AS uncounted
     FROM listed INDEXED BY listed_counted WHERE first_at >= ? AND first_at < ? GROUP BY 1, 2, 3`,
  );
  const paidOf = database.prepare<[from: number, until: number], { facet: number; paid: number }>(
    `SELECT facet, sum(paid) AS paid FROM listed INDEXED BY listed_counted
     WHERE first_at >= ? AND first_at < ? AND paid IS NOT NULL AND agent IS NOT NULL GROUP BY 1`,
  );
  const medians = database.prepare<
    [from: number, until: number, profile: string | null, profile: string | null],
    { currency: string; median: number }
  >(
    `SELECT f.currency, median(l.paid_after) AS median
     FROM listed l INDEXED BY listed_counted CROSS JOIN facet f ON f.id = l.facet
     WHERE l.first_at >= ? AND l.first_at < ? AND l.paid_after IS NOT NULL AND l.agent IS NOT NULL
       AND (? IS NULL OR f.profile_id = ?) GROUP BY 1`,
  );
  return {
    ofDays: (now, spans) =>
      spans.flatMap(([from, until], day) => ofDay.all(now, from, until).map(group => ({ ...group, day }))),
    paidIn: spans =>
      spans.flatMap(([from, until], span) =>
        from < until ? paidOf.all(from, until).map(paid => ({ ...paid, span })) : [],
      ),
    medians: ([from, until], profileId) => medians.all(from, until, profileId, profileId),
  };
};
