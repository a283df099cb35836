export type { BulkLookUp } from './bulk-look-up-schema.ts';

/** A bulk look-up job: many payments looked up one after another, with rate limits. */

/** Limit of payments per job: an afternoon's work, and no load for a gateway. */
export const maxPerJob = 500;

/** The result of one look-up of the job; `changed` is any new state except paid. */
export const lookUpOutcomes = ['paid-now', 'changed', 'unchanged', 'failed'] as const;
export type LookUpOutcome = (typeof lookUpOutcomes)[number];
