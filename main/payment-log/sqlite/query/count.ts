import type { PaymentFilter } from '../../../../shared/contract/contract.ts';
import type { Counted, Counts } from '../../answers.ts';
import { endOf, facetsFor, type Facet, type ListSource } from './list.ts';

/** Limit of a count that needs a scan. */
const maxScanned = 999;

/** Whether a filter uses nothing but the fields of a facet: profile, state, currency. */
export const isByFacets = ({ words, flags, raisedHere, agent, from, until }: PaymentFilter): boolean =>
  words === '' &&
  flags.length === 0 &&
  raisedHere === null &&
  agent === null &&
  from === null &&
  until === null;

/**
 * Counts the payments that match a filter; `now`: milliseconds, since links expire by the clock (§3.3). Cheap for any
 * number of payments: facets are counted already, and other counts stop at the limit.
 */
export const countPayments = (source: ListSource, filter: PaymentFilter, now: number): Counted => {
  if (!isByFacets(filter)) {
    const { length } = source.find(filter, null, maxScanned + 1, now);
    return { count: Math.min(length, maxScanned), more: length > maxScanned };
  }
  const { untimed, running, expired } = facetsFor(source.facets(), filter);
  const isTimed = running.length + expired.length > 0;
  const live = new Map(isTimed ? source.running(now).map(({ facet, n }) => [facet, n]) : []);
  const liveIn = ({ id, timed, n }: Facet): number => (timed ? (live.get(id) ?? 0) : n);
  const sum = (facets: readonly Facet[], of: (facet: Facet) => number): number =>
    facets.reduce((total, facet) => total + of(facet), 0);
  const count = sum(untimed, ({ n }) => n) + sum(running, liveIn) + sum(expired, one => one.n - liveIn(one));
  return { count, more: false };
};

/** The number of payments of a profile (null: of all) by state and currency. */
export const countsOf = (source: ListSource, profileId: string | null, now: number): Counts => {
  const states: Record<string, number> = {};
  const currencies: Record<string, number> = {};
  const add = (state: string, n: number): void => {
    if (n > 0) states[state] = (states[state] ?? 0) + n;
  };
  let flagged = 0;
  let retryable = 0;
  const live = new Map(source.running(now).map(({ facet, n }) => [facet, n]));
  for (const facet of source.facets()) {
    if (facet.n === 0 || (profileId !== null && facet.profileId !== profileId)) continue;
    const still = facet.timed ? (live.get(facet.id) ?? 0) : facet.n;
    add(facet.state, still);
    add(endOf(facet.state), facet.n - still);
    if (facet.timed && facet.state === 'declined') retryable += still;
    if (facet.currency !== '') currencies[facet.currency] = (currencies[facet.currency] ?? 0) + facet.n;
    if (facet.flagged) flagged += facet.n;
  }
  return { states, retryable, currencies, flagged };
};
