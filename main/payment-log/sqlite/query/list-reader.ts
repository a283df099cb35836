import type { PaymentLogAnswers } from '../../payment-log.ts';
import { countPayments, countsOf } from './count.ts';
import { listPayments, listStatements } from './list.ts';
import { overviewOf, overviewStatements } from './overview.ts';
import { paymentsToRecheck, recheckStatements } from './recheck.ts';
import { reconcilePayments, queueStatements } from './reconcile.ts';
import { totalPayments, totalsStatements } from './totals.ts';
import type { LogDatabase } from '../store/database.ts';
import { findPayments } from './query-planner.ts';
import { reviewStatements } from './review-lists.ts';

/** Everything that the requests about the list read from the file. */
export const listSource = (database: LogDatabase) => ({
  ...listStatements(database),
  ...totalsStatements(database),
  ...overviewStatements(database),
  ...reviewStatements(database),
  ...queueStatements(database),
  find: findPayments(database),
});

/** The requests about the list of payments. `now`: the clock, milliseconds. Each throws SQLite errors. */
export const createListReader = (
  database: LogDatabase,
  now: () => number,
): Pick<
  PaymentLogAnswers,
  'list' | 'paymentsToRecheck' | 'count' | 'totals' | 'counts' | 'overview' | 'reconcile'
> => {
  const source = listSource(database);
  const recheck = recheckStatements(database);
  return {
    list: (...page) => listPayments(source, ...page, now()),
    paymentsToRecheck: (...due) => paymentsToRecheck(recheck, ...due),
    count: filter => countPayments(source, filter, now()),
    totals: filter => totalPayments(source, filter, now()),
    counts: profileId => countsOf(source, profileId, now()),
    overview: (...days) => overviewOf(source, ...days, now()),
    reconcile: (profileId, cause, cursor, limit, selection = { list: null, agent: '' }) =>
      reconcilePayments(source, profileId, cause, cursor, limit, selection, now()),
  };
};
