import type { ListFilter } from './facets.ts';

/**
 * Finds payments, newest first. `filter`: as in the contract; `below`: only those before this one, null = all;
 * `wanted`: limit; `now`: milliseconds, since links expire by the clock (§3.3); `first`: none older than this one.
 */
export type FindPayments = (
  filter: ListFilter,
  below: number | null,
  wanted: number,
  now: number,
  first?: number,
) => number[];
