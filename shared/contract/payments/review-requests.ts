import * as z from 'zod';
import { factsSchema, resolutionReasonSchema, resolutionTextSchema } from '../../review/review.schema.ts';
import { maxReviewed } from '../../review/review.ts';
import { defineRequest, orderNumber, profileId } from '../define-request.ts';

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
