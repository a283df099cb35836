import { decimalOf } from '../../../../shared/money/signed-amount.ts';
import { wireOf } from '../../../../shared/money/wire-amount.ts';
import {
  convertedStates,
  noOutcomes,
  outcomes,
  outcomeStates,
  raisedOf,
  type Outcome,
} from '../../../../shared/payments/outcomes.ts';
import type { CurrencyOverview, Figures, Overview } from '../../../../shared/reports/overview.ts';
import { endOf, type Facet } from './list.ts';
import type { LogDatabase } from '../store/database.ts';

/** A time span, milliseconds, half-open. */
export type Span = readonly [from: number, until: number];

/** Payments of one facet and agent, added up. */
type OverviewGroup = {
  facet: number;
  agent: string | null;
  /** Whether only the clock ended it: its link expired (§3.3). */
  expired: number;
  n: number;
  amount: number | string;
  /** The payments among them whose amount is unreadable. */
  unread: number;
  paid: number | string;
  returned: number | string;
  /** Paid minus returned of the payments without an unknown amount. */
  net: number | string;
  /** Movements in neither sum. */
  uncounted: number;
};

/** Sums during the calculation; `amount` in minor units. */
type Sums = Omit<
  Figures,
  'raisedAmount' | 'paidAmount' | 'returnedAmount' | 'netAmount' | 'outsideNetAmount'
> & {
  raisedMinor: bigint;
  paidMinor: bigint;
  returnedMinor: bigint;
  netMinor: bigint;
};

const noSums = (): Sums => ({
  outcomes: noOutcomes(),
  refused: 0,
  converted: 0,
  unreadAmounts: 0,
  raisedMinor: 0n,
  paidMinor: 0n,
  returnedMinor: 0n,
  netMinor: 0n,
  uncounted: 0,
});

const outcomeOf = (state: string): Outcome | null =>
  outcomes.find(outcome => outcomeStates[outcome].some(one => one === state)) ?? null;
const isConverted = (state: string): boolean => convertedStates.some(one => one === state);

const add = (
  sums: Sums,
  state: string,
  { n, amount, unread, paid, returned, net, uncounted }: OverviewGroup,
): void => {
  const outcome = outcomeOf(state);
  if (outcome === null) {
    sums.refused += n;
    return;
  }
  sums.outcomes[outcome] += n;
  if (isConverted(state)) sums.converted += n;
  sums.raisedMinor += BigInt(amount);
  sums.unreadAmounts += unread;
  sums.paidMinor += BigInt(paid);
  sums.returnedMinor += BigInt(returned);
  sums.netMinor += BigInt(net);
  sums.uncounted += uncounted;
};

const figuresOf = (
  { raisedMinor, paidMinor, returnedMinor, netMinor, ...rest }: Sums,
  currency: string,
): Figures => ({
  ...rest,
  raisedAmount: wireOf(raisedMinor, currency),
  paidAmount: wireOf(paidMinor, currency),
  returnedAmount: wireOf(returnedMinor, currency),
  netAmount: decimalOf(netMinor, currency),
  outsideNetAmount: decimalOf(paidMinor - returnedMinor - netMinor, currency),
});

/** One currency's running sums. */
type RunningTotals = {
  all: Sums;
  days: Sums[];
  agents: Map<string, { name: string; sums: Sums }>;
  medianToPay: number | null;
};

const spansOf = (dayBoundaries: readonly number[]): Span[] =>
  dayBoundaries.slice(1).map((until, index) => [dayBoundaries[index] ?? until, until]);

/** Counts the payments first seen between the first of `dayBoundaries` and the last, day by day; as the contract says. */
export const overviewOf = (
  source: ReturnType<typeof overviewStatements> & { facets(): readonly Facet[] },
  profileId: string | null,
  dayBoundaries: readonly number[],
  now: number,
): Overview => {
  const facets = new Map(
    source
      .facets()
      .filter(facet => facet.n > 0 && (profileId === null || facet.profileId === profileId))
      .map(facet => [facet.id, facet]),
  );
  const spans = spansOf(dayBoundaries);
  const totalsByCurrency = new Map<string, RunningTotals>();
  let elsewhere = 0;
  for (const group of source.ofDays(now, spans)) {
    const facet = facets.get(group.facet);
    if (!facet) continue;
    if (group.agent === null) {
      elsewhere += group.n;
      continue;
    }
    const of: RunningTotals = totalsByCurrency.get(facet.currency) ?? {
      all: noSums(),
      days: spans.map(noSums),
      agents: new Map(),
      medianToPay: null,
    };
    totalsByCurrency.set(facet.currency, of);
    const key = group.agent.toLowerCase();
    const agent = of.agents.get(key) ?? { name: group.agent, sums: noSums() };
    of.agents.set(key, agent);
    const state = group.expired ? endOf(facet.state) : facet.state;
    for (const sums of [of.all, of.days[group.day], agent.sums]) if (sums) add(sums, state, group);
  }
  const first = dayBoundaries[0] ?? 0;
  const last = dayBoundaries.at(-1) ?? 0;
  for (const { currency, median } of source.medians([first, last], profileId)) {
    const of = totalsByCurrency.get(currency);
    if (of) of.medianToPay = median;
  }
  const currencies = [...totalsByCurrency].map(
    ([currency, { all, days, agents, medianToPay }]): CurrencyOverview => ({
      currency,
      figures: figuresOf(all, currency),
      medianToPay,
      days: spans.map(([from, until], day) => ({
        from,
        until,
        outcomes: days[day]?.outcomes ?? noOutcomes(),
        converted: days[day]?.converted ?? 0,
        paidAmount: wireOf(days[day]?.paidMinor ?? 0n, currency),
      })),
      agents: [...agents.values()]
        .map(({ name, sums }) => ({ agent: name, ...figuresOf(sums, currency) }))
        .sort((one, other) => raisedOf(other.outcomes) - raisedOf(one.outcomes)),
    }),
  );
  currencies.sort(
    (one, other) =>
      raisedOf(other.figures.outcomes) - raisedOf(one.figures.outcomes) ||
      (one.currency < other.currency ? -1 : 1),
  );
  return { currencies, elsewhere };
};

/**
 * The statements of the overview. One covering index in time order holds their input, so the cost depends on the
 * payments of the time span and not on all payments.
 */
export const overviewStatements = (database: LogDatabase) => {
  const ofDay = database.prepare<[now: number, from: number, until: number], OverviewGroup>(
    `SELECT facet, agent, ifnull(runs_out_at <= ?, 0) AS expired, count(*) AS n, ifnull(sum(amount), 0) AS amount,
       count(*) - count(amount) AS unread, ifnull(sum(paid), 0) AS paid, ifnull(sum(returned), 0) AS returned,
       ifnull(sum(CASE WHEN uncounted IS NULL THEN ifnull(paid, 0) - ifnull(returned, 0) END), 0) AS net,
       ifnull(sum(uncounted), 0) AS uncounted
     FROM listed INDEXED BY listed_counted WHERE first_at >= ? AND first_at < ? GROUP BY 1, 2, 3`,
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
    /** `day`: the index of the span. */
    ofDays: (now: number, spans: readonly Span[]) =>
      spans.flatMap(([from, until], day) => ofDay.all(now, from, until).map(group => ({ ...group, day }))),
    /** Median time to the payment of links created here, milliseconds. `profileId`: null for all. */
    medians: ([from, until]: Span, profileId: string | null) =>
      medians.all(from, until, profileId, profileId),
  };
};
