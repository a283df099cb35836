export type { BulkLookUp } from './bulk-look-up-schema.ts';

/** A round: many payments looked up one after another, politely. */

/** Payments in one round at most: an afternoon's work, and no load for a gateway. */
export const maxPerJob = 500;

/** What a look-up of the round brought; `changed` is any other state than before that is not paid. */
export const lookUpOutcomes = ['paid-now', 'changed', 'unchanged', 'failed'] as const;
export type LookUpOutcome = (typeof lookUpOutcomes)[number];
