import * as z from 'zod';
import { callbackFormSchema } from '../payments/evidence.ts';
import { appErrorSchema } from '../errors.ts';

/** What the inspector says of a file of many callbacks, while it is read and after. */

/** Which of the callbacks a list shows. */
export const fileShowSchema = z.enum(['all', 'verified', 'failed', 'unsigned']);
export type FileShow = z.infer<typeof fileShowSchema>;

export const fileInspectionSchema = z.object({
  name: z.string(),
  bytes: z.int(),
  phase: z.enum(['reading', 'searching', 'done', 'storing', 'stored', 'failed']),
  /** Of the text's characters while reading, of callbacks while keeping. */
  done: z.int(),
  total: z.int(),
  durationMs: z.number(),
  /** The form most of them stand in. */
  form: callbackFormSchema.nullable(),
  found: z.int(),
  /** Beyond so many callbacks none is listed or kept; all are counted. */
  listed: z.int(),
  /** By the profile whose password verified them, most first. */
  verified: z.array(z.object({ profileId: z.string(), count: z.int() })),
  /** The signature verifies with no password at hand. */
  failed: z.int(),
  /** No hash, or no password to try. */
  unsigned: z.int(),
  /** Deliveries of a callback that stands in the file before. */
  repeated: z.int(),
  /** By type and status, most first. */
  kinds: z.array(z.object({ type: z.string(), status: z.string(), count: z.int() })),
  /** Why signatures fail, of those that were searched, most frequent first; `example` is a callback's number in the file. */
  causes: z.array(z.object({ sentence: z.string().nullable(), count: z.int(), example: z.int() })),
  searched: z.int(),
  problems: z.array(z.string()),
  stored: z.int(),
  duplicates: z.int(),
  problem: appErrorSchema.nullable(),
});
export type FileInspection = z.infer<typeof fileInspectionSchema>;

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
  profileId: z.string().nullable(),
  repeated: z.boolean(),
});
export type FileRow = z.infer<typeof fileRowSchema>;
