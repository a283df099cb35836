import type { LogDatabase } from '../store/database.ts';
import type { TotalsGroup, TotalsSource } from '../../query/totals.ts';

const columns = `facet, ifnull(runs_out_at <= ?, 0) AS expired, count(*) AS n, ifnull(sum(amount), 0) AS amount,
  count(*) - count(amount) AS unread, ifnull(sum(paid), 0) AS paid, ifnull(sum(uncounted), 0) AS uncounted`;

/** The statements of sums. */
export const totalsStatements = (
  database: LogDatabase,
): Pick<TotalsSource, 'sizeInTime' | 'inTime' | 'ofPayments'> => {
  const sizeInTime = database
    .prepare<[number, number, number], number>(
      `SELECT count(*) FROM (SELECT 1 FROM listed INDEXED BY listed_counted
       WHERE first_at >= ? AND first_at < ? LIMIT ?)`,
    )
    .pluck();
  const inTime = database.prepare<
    [number, number, number, number | null, number | null, string | null, string | null],
    TotalsGroup
  >(
    `SELECT ${columns} FROM listed INDEXED BY listed_counted WHERE first_at >= ? AND first_at < ?
     AND (? IS NULL OR (agent IS NOT NULL) = ?) AND (? IS NULL OR agent = ?) GROUP BY 1, 2`,
  );
  const ofPayments = database.prepare<[number, string], TotalsGroup>(
    `SELECT ${columns} FROM listed WHERE payment IN (SELECT value FROM json_each(?)) GROUP BY 1, 2`,
  );
  return {
    sizeInTime: (from, until, max) => sizeInTime.get(from, until, max) ?? 0,
    inTime: (now, from, until, { raisedHere, agent }) => {
      const raised = raisedHere === null ? null : Number(raisedHere);
      return inTime.all(now, from, until, raised, raised, agent, agent);
    },
    ofPayments: (now, payments) => ofPayments.all(now, JSON.stringify(payments)),
  };
};
