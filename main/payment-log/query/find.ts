import type { ListFilter } from './facets.ts';
import type { Answer } from './steps.ts';

/**
 * Finds payments, newest first. `filter`: as in the contract; `below`: only those before this one, null = all;
 * `wanted`: limit; `now`: milliseconds, since links expire by the clock (§3.3); `first`: none older than this one.
 */
export type FindPayments<A = Answer<number[]>> = (
  filter: ListFilter,
  below: number | null,
  wanted: number,
  now: number,
  first?: number,
) => A;
