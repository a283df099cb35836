import type { PaymentFilter, PaymentTotals } from '../../../../shared/contract/contract.ts';
import { wireOf } from '../../../../shared/money/wire-amount.ts';
import { raisedStates } from '../../../../shared/payments/outcomes.ts';
import { countPayments, isByFacets } from './count.ts';
import { facetsFor, isUnknownToIndex, scanLength, type Facet, type ListSource } from './list.ts';
import type { LogDatabase } from '../store/database.ts';

/**
 * `maxScanned`: limit of a scan of the index in time order, payments; `maxFound`: limit of payments that are found one
 * by one, by words, flags, or a state in a long list.
 */
const totalLimits = { maxScanned: 100_000, maxFound: 10_000 };

/** Payments of one facet, added up. */
type TotalsGroup = {
  facet: number;
  /** Whether only the clock ended it: its link expired (§3.3). */
  expired: number;
  n: number;
  /** Minor units; a text where a number could be inexact. */
  amount: number | string;
  /** Payments whose amount is unreadable. */
  unread: number;
  paid: number | string;
  /** Movements in no sum. */
  uncounted: number;
};

const none = { amount: 0, paid: 0 };

const totalsOf = (groups: readonly TotalsGroup[], facets: ReadonlyMap<number, Facet>): PaymentTotals => {
  const byCurrency = new Map<string, { n: number; amount: bigint; paid: bigint }>();
  let count = 0;
  const notIn = { amount: 0, paid: 0 };
  for (const group of groups) {
    const { currency = '', state } = facets.get(group.facet) ?? {};
    // A request without a link has no part in what links ask for.
    const hasLink = raisedStates.some(raised => raised === state);
    count += group.n;
    if (hasLink) notIn.amount += group.unread;
    notIn.paid += group.uncounted;
    if (currency === '') continue;
    const sums = byCurrency.get(currency) ?? { n: 0, amount: 0n, paid: 0n };
    sums.n += group.n;
    if (hasLink) sums.amount += BigInt(group.amount);
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
 * The payments that match a filter, and their sums; `now`: milliseconds, since links expire by the clock (§3.3). The
 * time is bounded: days and people by one scan of the covering index, other filters by finding each payment. Beyond a
 * limit there are no sums, rather than sums of a part.
 */
export const totalPayments = (
  source: ListSource & ReturnType<typeof totalsStatements>,
  filter: PaymentFilter,
  now: number,
  { maxScanned, maxFound } = totalLimits,
): PaymentTotals => {
  const facets = source.facets();
  const byId = new Map(facets.map(facet => [facet.id, facet]));
  const from = filter.from ?? 0;
  const until = filter.until ?? Number.MAX_SAFE_INTEGER;
  const isByTime = filter.words === '' && filter.flags.length === 0;
  if (isByTime && source.sizeInTime(from, until, maxScanned + 1) <= maxScanned) {
    const { untimed, running, expired } = facetsFor(facets, filter);
    const idsOf = (chosen: readonly Facet[]): Set<number> => new Set(chosen.map(({ id }) => id));
    const [whole, live, over] = [idsOf(untimed), idsOf(running), idsOf(expired)];
    const groups = source
      .inTime(now, from, until, filter)
      .filter(({ facet, expired: isOver }) => whole.has(facet) || (isOver ? over : live).has(facet));
    return totalsOf(groups, byId);
  }
  const byFacets = isByFacets(filter) ? countPayments(source, filter, now) : null;
  if (byFacets !== null && byFacets.count > maxFound) return { ...byFacets, sums: null, notIn: none };
  const first = isUnknownToIndex(filter.words) ? source.firstOf(null, scanLength) : 0;
  const found = source.find(filter, null, maxFound + 1, now, first);
  if (found.length > maxFound || first > 0)
    return { count: Math.min(found.length, maxFound), more: true, sums: null, notIn: none };
  return totalsOf(source.ofPayments(now, found), byId);
};

const columns = `facet, ifnull(runs_out_at <= ?, 0) AS expired, count(*) AS n, ifnull(sum(amount), 0) AS amount,
  count(*) - count(amount) AS unread, ifnull(sum(paid), 0) AS paid, ifnull(sum(uncounted), 0) AS uncounted`;

/** The statements of sums. */
export const totalsStatements = (database: LogDatabase) => {
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
    /** The number of payments of a time span (milliseconds, half-open), counted up to `max`. */
    sizeInTime: (from: number, until: number, max: number) => sizeInTime.get(from, until, max) ?? 0,
    inTime: (now: number, from: number, until: number, { raisedHere, agent }: PaymentFilter) => {
      const raised = raisedHere === null ? null : Number(raisedHere);
      return inTime.all(now, from, until, raised, raised, agent, agent);
    },
    ofPayments: (now: number, payments: readonly number[]) => ofPayments.all(now, JSON.stringify(payments)),
  };
};
