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
import type { ComparedDays } from '../../answers.ts';
import type { LogDatabase } from '../store/database.ts';
import { endOf } from './query-planner.ts';

/**
 * Counts for the overview. One covering index in time order holds their input, so the cost depends on the payments of
 * the time span and not on all payments.
 */

type Facet = { id: number; state: string; currency: string };
type Group = {
  facet: number;
  agent: string | null;
  /** Whether only the clock ended it: its link expired (§3.3). */
  expired: 0 | 1;
  n: number;
  amount: number;
  /** The payments among them whose amount is unreadable. */
  unread: number;
  paid: number;
  returned: number;
  /** Movements in neither sum. */
  uncounted: number;
};
type Paid = { facet: number; paid: number };
type Median = { currency: string; median: number };

/** Sums during the calculation; `amount` in minor units. */
type Sums = Omit<Figures, 'raisedAmount' | 'paidAmount' | 'returnedAmount' | 'netAmount'> & {
  raisedMinor: bigint;
  paidMinor: bigint;
  returnedMinor: bigint;
};

const noSums = (): Sums => ({
  outcomes: noOutcomes(),
  refused: 0,
  converted: 0,
  unreadAmounts: 0,
  raisedMinor: 0n,
  paidMinor: 0n,
  returnedMinor: 0n,
  uncounted: 0,
});

const outcomeOf = (state: string): Outcome | null =>
  outcomes.find(outcome => outcomeStates[outcome].some(one => one === state)) ?? null;
const isConverted = (state: string): boolean => convertedStates.some(one => one === state);

const add = (sums: Sums, state: string, { n, amount, unread, paid, returned, uncounted }: Group): void => {
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
  sums.uncounted += uncounted;
};

const figuresOf = ({ raisedMinor, paidMinor, returnedMinor, ...rest }: Sums, currency: string): Figures => ({
  ...rest,
  raisedAmount: wireOf(raisedMinor, currency),
  paidAmount: wireOf(paidMinor, currency),
  returnedAmount: wireOf(returnedMinor, currency),
  netAmount: decimalOf(paidMinor - returnedMinor, currency),
});

/** One currency's running sums. */
type RunningTotals = {
  all: Sums;
  days: Sums[];
  agents: Map<string, { name: string; sums: Sums }>;
  medianToPay: number | null;
};

/**
 * Counts the payments first seen between the first of `dayBoundaries` and the last, day by day. `profileId`: null for
 * all profiles; `dayBoundaries`: milliseconds, ascending, at least two; `now`: milliseconds. Of the days of `before`
 * only the money that came in is added up.
 */
export type ReadOverview = (
  profileId: string | null,
  dayBoundaries: readonly number[],
  before: ComparedDays,
  now: number,
) => Overview;

const spansOf = (dayBoundaries: readonly number[]): [from: number, until: number][] =>
  dayBoundaries.slice(1).map((until, index) => [dayBoundaries[index] ?? until, until]);

export const overviewOf = (database: LogDatabase): ReadOverview => {
  const readFacets = database.prepare<[string | null, string | null], Facet>(
    'SELECT id, state, currency FROM facet WHERE n > 0 AND (? IS NULL OR profile_id = ?)',
  );
  const ofDay = database.prepare<[now: number, from: number, until: number], Group>(
    `SELECT facet, agent, ifnull(runs_out_at <= ?, 0) AS expired, count(*) AS n, ifnull(sum(amount), 0) AS amount,
       count(*) - count(amount) AS unread, ifnull(sum(paid), 0) AS paid, ifnull(sum(returned), 0) AS returned,
       ifnull(sum(uncounted), 0) AS uncounted
     FROM listed INDEXED BY listed_counted WHERE first_at >= ? AND first_at < ? GROUP BY 1, 2, 3`,
  );
  const paidOf = database.prepare<[from: number, until: number], Paid>(
    `SELECT facet, sum(paid) AS paid FROM listed INDEXED BY listed_counted
     WHERE first_at >= ? AND first_at < ? AND paid IS NOT NULL AND agent IS NOT NULL GROUP BY 1`,
  );
  const medians = database.prepare<
    [from: number, until: number, profile: string | null, profile: string | null],
    Median
  >(
    `SELECT f.currency, median(l.paid_after) AS median
     FROM listed l INDEXED BY listed_counted CROSS JOIN facet f ON f.id = l.facet
     WHERE l.first_at >= ? AND l.first_at < ? AND l.paid_after IS NOT NULL AND l.agent IS NOT NULL
       AND (? IS NULL OR f.profile_id = ?) GROUP BY 1`,
  );

  return (profileId, dayBoundaries, before, now) => {
    const facets = new Map(readFacets.all(profileId, profileId).map(facet => [facet.id, facet]));
    const spans = spansOf(dayBoundaries);
    /** What came in of links created in a time span, by currency. */
    const paidIn = (from: number, until: number): Map<string, bigint> => {
      const sums = new Map<string, bigint>();
      for (const { facet, paid } of from < until ? paidOf.all(from, until) : []) {
        const currency = facets.get(facet)?.currency;
        if (currency !== undefined) sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(paid));
      }
      return sums;
    };
    const daysBefore = spansOf(before.dayBoundaries).map(([from, until]) => {
      const cut = Math.max(from, Math.min(until, before.until));
      const counted = paidIn(from, cut);
      const rest = paidIn(cut, until);
      return { counted, rest };
    });
    const totalsByCurrency = new Map<string, RunningTotals>();
    let elsewhere = 0;
    for (const [day, [from, until]] of spans.entries()) {
      for (const group of ofDay.all(now, from, until)) {
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
        for (const sums of [of.all, of.days[day], agent.sums]) if (sums) add(sums, state, group);
      }
    }
    const first = dayBoundaries[0] ?? 0;
    const last = dayBoundaries.at(-1) ?? 0;
    for (const { currency, median } of medians.all(first, last, profileId, profileId)) {
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
        before: {
          days: daysBefore.map(({ counted, rest }) =>
            wireOf((counted.get(currency) ?? 0n) + (rest.get(currency) ?? 0n), currency),
          ),
          paidAmount: wireOf(
            daysBefore.reduce((sum, { counted }) => sum + (counted.get(currency) ?? 0n), 0n),
            currency,
          ),
        },
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
};
