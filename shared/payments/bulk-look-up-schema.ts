import * as z from 'zod';
import { deskErrorSchema } from '../errors.ts';
import { roundOutcomes } from './bulk-look-up.ts';

export const roundOutcomeSchema = z.enum(roundOutcomes);

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
