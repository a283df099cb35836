import * as z from 'zod';
import { appErrorSchema } from '../errors.ts';
import { lookUpOutcomes } from './bulk-look-up.ts';

export const lookUpOutcomeSchema = z.enum(lookUpOutcomes);

export const bulkLookUpSchema = z.object({
  id: z.uuid(),
  /** `over` with fewer done than the total: the job was stopped. */
  phase: z.enum(['running', 'paused', 'over']),
  total: z.int(),
  done: z.int(),
  outcomes: z.record(lookUpOutcomeSchema, z.int()),
  /** Why it paused automatically; null if a user paused it, or it is not paused. */
  problem: appErrorSchema.nullable(),
});
export type BulkLookUp = z.infer<typeof bulkLookUpSchema>;
