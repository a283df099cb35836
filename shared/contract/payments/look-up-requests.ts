import * as z from 'zod';
import { appErrorSchema, errorCodeSchema } from '../../errors.schema.ts';
import { lookUpOutcomes, maxPerJob, type BulkLookUp } from '../../look-ups/bulk-look-up.ts';
import { lookUpKeySchema } from '../../payments/evidence.ts';
import { paymentRowSchema } from '../../payments/payment.ts';
import { defineRequest, emptySchema, orderNumber, profileId } from '../define-request.ts';

const lookUpOutcomeSchema = z.enum(lookUpOutcomes);

const bulkLookUpSchema = z.object({
  id: z.uuid(),
  phase: z.enum(['running', 'paused', 'over']),
  total: z.int(),
  done: z.int(),
  outcomes: z.record(lookUpOutcomeSchema, z.int()),
  failures: z.array(z.object({ code: errorCodeSchema, count: z.int() })),
  problem: appErrorSchema.nullable(),
}) satisfies z.ZodType<BulkLookUp>;

/** Requests about look-ups of many payments. */
export const lookUpRequests = {
  'lookUps.inquiries': defineRequest(
    'The latest look-ups that found no payment, newest first.',
    { right: 'everyone', effect: 'none' },
    z.object({ profileId }),
    z.object({
      inquiries: z.array(
        z.object({
          id: z.string(),
          at: z.int(),
          agent: z.string(),
          asked: lookUpKeySchema,
          /** Why there was no answer; null if an answer arrived that named no payment. */
          problem: z.object({ code: errorCodeSchema, message: z.string() }).nullable(),
          statuses: z.array(z.string()),
        }),
      ),
    }),
  ),
  'lookUps.start': defineRequest(
    'Look up many payments, a few at a time, and store each answer as evidence; refused while a job is running.',
    { right: 'look-up', effect: 'job', recorded: 'no' },
    z.object({ payments: z.array(z.object({ profileId, orderNumber })).min(1).max(maxPerJob) }),
    z.object({ job: bulkLookUpSchema }),
  ),
  'lookUps.control': defineRequest(
    'Pause, resume or stop the bulk look-up job, or dismiss it after its end.',
    { right: 'look-up', effect: 'none' },
    z.object({ to: z.enum(['pause', 'go-on', 'stop', 'forget']) }),
    z.object({ job: bulkLookUpSchema.nullable() }),
  ),
  'lookUps.read': defineRequest(
    'The bulk look-up job that is running or has just ended.',
    { right: 'everyone', effect: 'none' },
    emptySchema,
    z.object({ job: bulkLookUpSchema.nullable() }),
  ),
  'lookUps.payments': defineRequest(
    'The payments of the job with one outcome, in their current state.',
    { right: 'everyone', effect: 'none' },
    z.object({ outcome: lookUpOutcomeSchema }),
    z.object({ rows: z.array(paymentRowSchema) }),
  ),
} as const;

/** Events of this area. */
export const lookUpEvents = {
  'lookUps.changed': z.object({ job: bulkLookUpSchema.nullable() }),
} as const;
