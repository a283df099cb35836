import type {
  PaymentFilter,
  PaymentPage,
  PaymentTotals,
  ReconciliationPage,
} from '../../../../shared/contract/index.ts';
import type { Overview } from '../../../../shared/reports/overview.ts';
import type { ReconciliationCause } from '../../../../shared/reports/reconcile.ts';
import type { ComparedDays, Counted, Counts, PaymentToRecheck, ReviewSelection } from '../../answers.ts';
import { countPayments, countsOf } from '../../query/count.ts';
import { listPayments } from '../../query/list.ts';
import { overviewOf } from '../../query/overview.ts';
import { paymentsToRecheck } from '../../query/recheck.ts';
import { reconcilePayments } from '../../query/reconcile.ts';
import { totalPayments } from '../../query/totals.ts';
import type { LogDatabase } from '../store/database.ts';
import { listStatements } from './list.ts';
import { overviewStatements } from './overview.ts';
import { findPayments } from './query-planner.ts';
import { recheckStatements } from './recheck.ts';
import { queueStatements } from './reconcile.ts';
import { reviewStatements } from './review-lists.ts';
import { totalsStatements } from './totals.ts';

/** The requests about the list of payments. `now`: milliseconds. Each throws SQLite errors. */
export type ListReader = {
  list(filter: PaymentFilter, cursor: string | null, limit: number, now: number): PaymentPage;
  paymentsToRecheck(
    profileIds: readonly string[],
    days: readonly number[],
    now: number,
    limit: number,
  ): PaymentToRecheck[];
  count(filter: PaymentFilter, now: number): Counted;
  totals(filter: PaymentFilter, now: number): PaymentTotals;
  counts(profileId: string | null, now: number): Counts;
  overview(
    profileId: string | null,
    dayBoundaries: readonly number[],
    before: ComparedDays,
    now: number,
  ): Overview;
  reconcile(
    profileId: string | null,
    cause: ReconciliationCause | null,
    cursor: string | null,
    limit: number,
    selection: ReviewSelection,
    now: number,
  ): ReconciliationPage;
};

/** Everything that the requests about the list read from the file. */
export const listSource = (database: LogDatabase) => ({
  ...listStatements(database),
  ...totalsStatements(database),
  ...overviewStatements(database),
  ...reviewStatements(database),
  ...queueStatements(database),
  find: findPayments(database),
});

export const createListReader = (database: LogDatabase): ListReader => {
  const source = listSource(database);
  const recheck = recheckStatements(database);
  return {
    list: (...page) => listPayments(source, ...page),
    paymentsToRecheck: (...due) => paymentsToRecheck(recheck, ...due),
    count: (...counted) => countPayments(source, ...counted),
    totals: (...totals) => totalPayments(source, ...totals),
    counts: (...counts) => countsOf(source, ...counts),
    overview: (...overview) => overviewOf(source, ...overview),
    reconcile: (...queue) => reconcilePayments(source, ...queue),
  };
};
