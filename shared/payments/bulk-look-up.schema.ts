import * as z from 'zod';
import { appErrorSchema, errorCodeSchema } from '../errors.schema.ts';
import { lookUpOutcomes, type BulkLookUp } from './bulk-look-up.ts';

export const lookUpOutcomeSchema = z.enum(lookUpOutcomes);

export const bulkLookUpSchema = z.object({
  id: z.uuid(),
  phase: z.enum(['running', 'paused', 'over']),
  total: z.int(),
  done: z.int(),
  outcomes: z.record(lookUpOutcomeSchema, z.int()),
  failures: z.array(z.object({ code: errorCodeSchema, count: z.int() })),
  problem: appErrorSchema.nullable(),
}) satisfies z.ZodType<BulkLookUp>;
