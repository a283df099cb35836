import * as z from 'zod';
import { appErrorSchema, errorCodeSchema } from '../../errors.schema.ts';
import { lookUpOutcomes, maxPerJob, type BulkLookUp } from '../../look-ups/bulk-look-up.ts';
import { lookUpKeySchema } from '../../payments/evidence.ts';
import { paymentRowSchema } from '../../payments/payment.ts';
import { defineRequest, emptySchema, orderNumber, profileId } from '../define-request.ts';
import { factsSchema, resolutionReasonSchema, resolutionTextSchema } from '../../review/review.schema.ts';
import { maxReviewed } from '../../review/review.ts';

const keySchema = z.object({ profileId, orderNumber });
/** A payment with the facts that the person saw: what changed meanwhile is not closed unseen. */
const seenSchema = keySchema.extend({ facts: factsSchema });
const some = <T extends z.ZodType>(of: T) => z.array(of).min(1).max(maxReviewed);

/** What was recorded, and which payments were left out because they changed or no longer need review. */
const reviewedSchema = z.object({ recorded: z.array(keySchema), changed: z.array(keySchema) });

/** Requests about payments that need review. Each is recorded as evidence of its payment. */
export const reviewRequests = {
  'review.resolve': defineRequest(
    'Resolve payments with a reason. Each comes back when its facts change.',
    { right: 'review', effect: 'write', recorded: 'no' },
    z.object({
      payments: some(seenSchema),
      reason: resolutionReasonSchema,
      /** Needed for the reason `other`. */
      text: resolutionTextSchema.default(''),
    }),
    reviewedSchema,
  ),
  'review.reopen': defineRequest(
    'Take back every resolution of these payments.',
    { right: 'review', effect: 'write', recorded: 'no' },
    z.object({ payments: some(keySchema) }),
    reviewedSchema,
  ),
  'review.assign': defineRequest(
    'Assign payments to a person, or to no one. Without the right to review, a person may only take payments and release their own.',
    { right: 'review', rightDependsOnInput: true, effect: 'write', recorded: 'no' },
    z.object({ payments: some(keySchema), assignee: z.string().max(80).nullable() }),
    reviewedSchema,
  ),
  'review.snooze': defineRequest(
    'Hide payments from the queue until an instant (milliseconds), or until their facts change; null shows them again.',
    { right: 'review', effect: 'write', recorded: 'no' },
    z.object({ payments: some(seenSchema), until: z.int().nullable() }),
    reviewedSchema,
  ),
} as const;

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
