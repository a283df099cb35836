import type { PaymentFilter } from '../../../../shared/contract/index.ts';
import type { LogDatabase } from '../store/database.ts';
import { facetsFor, selectFacets, type Facet, type FindPayments } from './query-planner.ts';
import type { Counted } from '../../answers.ts';

/** Limit of a count that needs a scan. */
const maxScanned = 999;

/** Counts the payments that match a filter; `now`: milliseconds, since links expire by the clock (§3.3). */
export type CountPayments = (filter: PaymentFilter, now: number) => Counted;

/** Whether a filter uses nothing but the fields of a facet: profile, state, currency. */
export const isByFacets = ({ words, flags, raisedHere, agent, from, until }: PaymentFilter): boolean =>
  words === '' &&
  flags.length === 0 &&
  raisedHere === null &&
  agent === null &&
  from === null &&
  until === null;

/** Cheap for any number of payments: facets are counted already, and other counts stop at the limit. */
export const countPayments = (database: LogDatabase, find: FindPayments): CountPayments => {
  const readFacets = database.prepare<[], Facet>(selectFacets);
  const live = database.prepare<[number], { facet: number; n: number }>(
    'SELECT facet, count(*) AS n FROM listed INDEXED BY listed_open WHERE runs_out_at > ? GROUP BY facet',
  );
  return (filter, now) => {
    if (!isByFacets(filter)) {
      const { length } = find(filter, null, maxScanned + 1, now);
      return { count: Math.min(length, maxScanned), more: length > maxScanned };
    }
    const { untimed, running: timedFacets, expired } = facetsFor(readFacets.all(), filter);
    const timed = timedFacets.length + expired.length > 0;
    const stillLive = new Map(timed ? live.all(now).map(({ facet, n }) => [facet, n]) : []);
    const liveIn = ({ id, timed: isTimed, n }: Facet): number => (isTimed ? (stillLive.get(id) ?? 0) : n);
    const sum = (facets: readonly Facet[], of: (facet: Facet) => number): number =>
      facets.reduce((total, facet) => total + of(facet), 0);
    const count =
      sum(untimed, ({ n }) => n) + sum(timedFacets, liveIn) + sum(expired, one => one.n - liveIn(one));
    return { count, more: false };
  };
};
