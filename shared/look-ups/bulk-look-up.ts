import type { AppError, ErrorCode } from '../errors.ts';

/** A bulk look-up job: many payments looked up one after another, with rate limits. */

/** Limit of payments per job: an afternoon's work, and no load for a gateway. */
export const maxPerJob = 500;

/** The result of one look-up of the job; `changed` is any new state except paid. */
export const lookUpOutcomes = ['paid-now', 'changed', 'unchanged', 'failed'] as const;
export type LookUpOutcome = (typeof lookUpOutcomes)[number];

export type BulkLookUp = {
  id: string;
  /** `over` with fewer done than the total: the job was stopped. */
  phase: 'running' | 'paused' | 'over';
  total: number;
  done: number;
  outcomes: Record<LookUpOutcome, number>;
  /** Why look-ups failed: each cause with its number of payments. */
  failures: { code: ErrorCode; count: number }[];
  /** Why it paused automatically; null if a user paused it, or it is not paused. */
  problem: AppError | null;
};
