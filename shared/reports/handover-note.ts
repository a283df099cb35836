import * as z from 'zod';
import { messageSchema } from '../messages/message.schema.ts';
import { headKinds } from './head.ts';
import { findingSchema, needsReviewSchema } from './reconcile.schema.ts';

/** The part of a payment that the handover note may contain: no link, no customer, no description. */
const paymentSummarySchema = z.object({
  orderNumber: z.string(),
  amount: z.string().nullable(),
  currency: z.string().nullable(),
  head: z.object({ kind: z.enum(headKinds), label: messageSchema }),
});

/** The content of the handover note for the next shift. */
export const handoverNoteSchema = z.object({
  createdAt: z.int(),
  createdBy: z.string(),
  /** Active links, the first to expire first. */
  running: z.array(paymentSummarySchema.extend({ expiresAt: z.int() })),
  /** Whether more links are active than listed. */
  hasMoreRunning: z.boolean(),
  /** Payments in flight that no expiry ends. */
  inFlight: z.array(paymentSummarySchema.extend({ since: z.int() })),
  /** Total of open payments, listed or not. */
  open: z.int(),
  /** Total of payments that need review, listed or not. */
  needsReview: needsReviewSchema,
  /** The payments that need review, gravest first. */
  attention: z.array(
    paymentSummarySchema.extend({ ...findingSchema.shape, assignee: z.string().nullable() }),
  ),
  /** Notes of the day, oldest first, with names and links redacted. */
  notes: z.array(paymentSummarySchema.extend({ at: z.int(), agent: z.string(), text: z.string() })),
  /** Whether older notes of the day are left out. */
  hasMoreNotes: z.boolean(),
});
export type HandoverNote = z.infer<typeof handoverNoteSchema>;
