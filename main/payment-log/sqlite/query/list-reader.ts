import type { PaymentFilter } from '../../../../shared/contract/contract.ts';
import type { PaymentLogAnswers } from '../../payment-log.ts';
import { countPayments, countsOf } from './count.ts';
import { listStatements } from './list.ts';
import { movedMoney } from './moved.ts';
import { overviewOf, overviewStatements } from './overview.ts';
import { paymentsToRecheck } from './recheck.ts';
import { reconcilePayments, queueStatements } from './reconcile.ts';
import { totalPayments, totalsStatements } from './totals.ts';
import type { LogDatabase } from '../store/database.ts';
import { correctedWords } from './search/corrected-words.ts';
import { idsInText } from './search/ids-in-text.ts';
import { findPayments } from './search/query-planner.ts';
import { firstPayments, searchPayments } from './search/search-payments.ts';
import { reviewLists } from './review-lists.ts';

/** Everything that the requests about the list read from the file. */
export const listSource = (database: LogDatabase) => ({
  ...listStatements(database),
  ...totalsStatements(database),
  ...overviewStatements(database),
  ...reviewLists(database),
  ...queueStatements(database),
  find: findPayments(database),
  corrected: correctedWords(database),
});

/** The requests about the list of payments. `now`: the clock, milliseconds. Each throws SQLite errors. */
export const createListReader = (
  database: LogDatabase,
  now: () => number,
): Pick<
  PaymentLogAnswers,
  | 'list'
  | 'find'
  | 'paymentsToRecheck'
  | 'count'
  | 'totals'
  | 'counts'
  | 'overview'
  | 'movedMoney'
  | 'reconcile'
> => {
  const source = listSource(database);
  const wordsIn = idsInText(database);
  const searched = <F extends PaymentFilter>(filter: F): F => ({ ...filter, words: wordsIn(filter.words) });
  return {
    list: (filter, cursor, limit) => searchPayments(source, searched(filter), cursor, limit, now()),
    find: (filter, limit) => firstPayments(source, searched(filter), limit, now()),
    paymentsToRecheck: paymentsToRecheck(database),
    count: filter => countPayments(source, searched(filter), now()),
    totals: filter => totalPayments(source, searched(filter), now()),
    counts: profileId => countsOf(source, profileId, now()),
    movedMoney: movedMoney(database),
    overview: (...days) => overviewOf(source, ...days, now()),
    reconcile: (profileId, cause, cursor, limit, selection = { list: null, agent: '' }) =>
      reconcilePayments(source, profileId, cause, cursor, limit, selection, now()),
  };
};
