import * as z from 'zod';
import { messageSchema } from '../messages/message.schema.ts';
import { callbackFormSchema } from '../payments/evidence.ts';
import { doubtSchema } from './inspection.ts';
import { appErrorSchema } from '../errors.schema.ts';

/** The inspector's result for a file of many callbacks, during reading and after. */

/** The callbacks that a list shows. */
export const fileShowSchema = z.enum(['all', 'verified', 'failed', 'unsigned']);
export type FileShow = z.infer<typeof fileShowSchema>;

export const fileRowSchema = z.object({
  /** Its number in the file, from 0. */
  index: z.int(),
  /** Line on which it begins, from 1. */
  line: z.int(),
  type: z.string(),
  status: z.string(),
  orderNumber: z.string().nullable(),
  amount: z.string(),
  currency: z.string(),
  verdict: z.enum(['verified', 'invalid', 'no-hash', 'no-password']),
  /** Null = the verdict holds. */
  doubt: doubtSchema.nullable(),
  profileId: z.string().nullable(),
  repeated: z.boolean(),
});
export type FileRow = z.infer<typeof fileRowSchema>;

export const fileInspectionSchema = z.object({
  name: z.string(),
  bytes: z.int(),
  phase: z.enum(['reading', 'searching', 'done', 'storing', 'stored', 'failed']),
  /** While reading: characters of the text; while storing: callbacks. */
  done: z.int(),
  total: z.int(),
  durationMs: z.number(),
  /** The most frequent form. */
  form: callbackFormSchema.nullable(),
  found: z.int(),
  /** By the profile whose password verified them, most first. */
  verified: z.array(z.object({ profileId: z.string(), count: z.int() })),
  /** The signature verifies with no available password. */
  failed: z.int(),
  /** No hash, or no password to try. */
  unsigned: z.int(),
  /** Repeated deliveries of a callback within the file. */
  repeated: z.int(),
  /** All callbacks, each in one part: repeated deliveries apart from first ones. */
  parts: z.object({ valid: z.int(), repeated: z.int(), invalid: z.int(), unchecked: z.int() }),
  /** By type and status, most first. */
  kinds: z.array(z.object({ type: z.string(), status: z.string(), count: z.int() })),
  /**
   * Causes of failed signatures among those that were searched, most frequent first, with their callbacks; `sentence`
   * is null if no known cause fits.
   */
  causes: z.array(
    z.object({ sentence: messageSchema.nullable(), count: z.int(), rows: z.array(fileRowSchema) }),
  ),
  searched: z.int(),
  /** The number of known causes that a search tries. */
  tried: z.int(),
  problems: z.array(messageSchema),
  stored: z.int(),
  duplicates: z.int(),
  problem: appErrorSchema.nullable(),
});
export type FileInspection = z.infer<typeof fileInspectionSchema>;
