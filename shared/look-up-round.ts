import * as z from 'zod';
import { deskErrorSchema } from './errors.ts';

/** A round: many payments looked up one after another, politely. */

/** Payments in one round at most: an afternoon's work, and no load for a gateway. */
export const roundLimit = 500;

/** What a look-up of the round brought; `changed` is any other state than before that is not paid. */
export const roundOutcomes = ['paid-now', 'changed', 'unchanged', 'failed'] as const;
export const roundOutcomeSchema = z.enum(roundOutcomes);
export type RoundOutcome = z.infer<typeof roundOutcomeSchema>;

export const roundSchema = z.object({
  id: z.uuid(),
  /** `over` with fewer done than there are: somebody stopped it. */
  phase: z.enum(['running', 'paused', 'over']),
  total: z.int(),
  done: z.int(),
  outcomes: z.record(roundOutcomeSchema, z.int()),
  /** Why it paused by itself; null when a person paused it, or nobody did. */
  problem: deskErrorSchema.nullable(),
});
export type Round = z.infer<typeof roundSchema>;
