import type { PaymentFilter, PaymentTotals } from '../../../../shared/contract/index.ts';
import { wireOf } from '../../../../shared/money/wire-amount.ts';
import type { LogDatabase } from '../store/database.ts';
import { isByFacets, type CountPayments } from './count.ts';
import { isUnknownToIndex, scanLength } from './list.ts';
import { facetsFor, selectFacets, type Facet, type FindPayments } from './query-planner.ts';

/**
 * `maxScanned`: limit of a scan of the index in time order, payments; `maxFound`: limit of payments that are found one
 * by one, by words, flags, or a state in a long list.
 */
const limits = { maxScanned: 100_000, maxFound: 10_000 };

type Group = {
  facet: number;
  /** Whether only the clock ended it: its link expired (§3.3). */
  expired: 0 | 1;
  n: number;
  amount: number;
  /** Payments whose amount is unreadable. */
  unread: number;
  paid: number;
  /** Movements in no sum. */
  uncounted: number;
};

/** The payments that match a filter, and their sums; `now`: milliseconds, since links expire by the clock (§3.3). */
export type TotalPayments = (filter: PaymentFilter, now: number) => PaymentTotals;

const none = { amount: 0, paid: 0 };

const columns = `facet, ifnull(runs_out_at <= ?, 0) AS expired, count(*) AS n, ifnull(sum(amount), 0) AS amount,
  count(*) - count(amount) AS unread, ifnull(sum(paid), 0) AS paid, ifnull(sum(uncounted), 0) AS uncounted`;

const totalsOf = (
  groups: readonly Group[],
  currencyOf: (facet: number) => string | undefined,
): PaymentTotals => {
  const byCurrency = new Map<string, { n: number; amount: bigint; paid: bigint }>();
  let count = 0;
  const notIn = { amount: 0, paid: 0 };
  for (const group of groups) {
    count += group.n;
    notIn.amount += group.unread;
    notIn.paid += group.uncounted;
    const currency = currencyOf(group.facet) ?? '';
    if (currency === '') continue;
    const sums = byCurrency.get(currency) ?? { n: 0, amount: 0n, paid: 0n };
    sums.n += group.n;
    sums.amount += BigInt(group.amount);
    sums.paid += BigInt(group.paid);
    byCurrency.set(currency, sums);
  }
  const sums = [...byCurrency]
    .toSorted(([one, { n }], [other, than]) => than.n - n || (one < other ? -1 : 1))
    .map(([currency, { amount, paid }]) => ({
      currency,
      amount: wireOf(amount, currency),
      paid: wireOf(paid, currency),
    }));
  return { count, more: false, sums, notIn };
};

/**
 * Counts and adds up everything that a filter finds. The time is bounded: days and people by one scan of the covering
 * index, other filters by finding each payment. Beyond a limit there are no sums, rather than sums of a part.
 */
export const totalPayments = (
  database: LogDatabase,
  find: FindPayments,
  count: CountPayments,
  { maxScanned, maxFound } = limits,
): TotalPayments => {
  const readFacets = database.prepare<[], Facet>(selectFacets);
  const newest = database.prepare<[], number | null>('SELECT max(payment) FROM listed').pluck();
  const sizeInTime = database
    .prepare<[number, number], number>(
      `SELECT count(*) FROM (SELECT 1 FROM listed INDEXED BY listed_counted
       WHERE first_at >= ? AND first_at < ? LIMIT ${maxScanned + 1})`,
    )
    .pluck();
  const inTime = database.prepare<
    [number, number, number, number | null, number | null, string | null, string | null],
    Group
  >(
    `SELECT ${columns} FROM listed INDEXED BY listed_counted WHERE first_at >= ? AND first_at < ?
     AND (? IS NULL OR (agent IS NOT NULL) = ?) AND (? IS NULL OR agent = ?) GROUP BY 1, 2`,
  );
  const byPayment = database.prepare<[number, string], Group>(
    `SELECT ${columns} FROM listed WHERE payment IN (SELECT value FROM json_each(?)) GROUP BY 1, 2`,
  );

  return (filter, now) => {
    const facets = readFacets.all();
    const currencies = new Map(facets.map(({ id, currency }) => [id, currency]));
    const currencyOf = (facet: number): string | undefined => currencies.get(facet);
    const from = filter.from ?? 0;
    const until = filter.until ?? Number.MAX_SAFE_INTEGER;
    const isByTime = filter.words === '' && filter.flags.length === 0;
    if (isByTime && (sizeInTime.get(from, until) ?? 0) <= maxScanned) {
      const { untimed, running, expired } = facetsFor(facets, filter);
      const idsOf = (chosen: readonly Facet[]): Set<number> => new Set(chosen.map(({ id }) => id));
      const [whole, live, over] = [idsOf(untimed), idsOf(running), idsOf(expired)];
      const raised = filter.raisedHere === null ? null : Number(filter.raisedHere);
      const groups = inTime
        .all(now, from, until, raised, raised, filter.agent, filter.agent)
        .filter(({ facet, expired: isOver }) => whole.has(facet) || (isOver ? over : live).has(facet));
      return totalsOf(groups, currencyOf);
    }
    const byFacets = isByFacets(filter) ? count(filter, now) : null;
    if (byFacets !== null && byFacets.count > maxFound) return { ...byFacets, sums: null, notIn: none };
    const first = isUnknownToIndex(filter.words) ? Math.max(0, (newest.get() ?? 0) + 1 - scanLength) : 0;
    const found = find(filter, null, maxFound + 1, now, first);
    if (found.length > maxFound || first > 0)
      return { count: Math.min(found.length, maxFound), more: true, sums: null, notIn: none };
    return totalsOf(byPayment.all(now, JSON.stringify(found)), currencyOf);
  };
};
