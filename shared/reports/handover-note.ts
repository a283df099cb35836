import * as z from 'zod';
import { paymentStateSchema } from '../payments/payment.ts';
import { findingSchema, needsReviewSchema } from './reconcile-schemas.ts';

/** All that the note for the next shift may say of a payment: no link, no customer, no description. */
const paymentSummarySchema = z.object({
  orderNumber: z.string(),
  amount: z.string().nullable(),
  currency: z.string().nullable(),
  state: paymentStateSchema,
});

/** What the next shift has to know. */
export const handoverNoteSchema = z.object({
  createdAt: z.int(),
  createdBy: z.string(),
  /** Links that still run, the first to run out first. */
  running: z.array(paymentSummarySchema.extend({ expiresAt: z.int() })),
  /** Whether more links run than are listed. */
  hasMoreRunning: z.boolean(),
  /** Payments under way that no clock ends. */
  inFlight: z.array(paymentSummarySchema.extend({ since: z.int() })),
  /** Open payments in all, listed here or not. */
  open: z.int(),
  /** How many payments need review in all, listed here or not. */
  needsReview: needsReviewSchema,
  /** What needs review, gravest first. */
  attention: z.array(paymentSummarySchema.extend(findingSchema.shape)),
  /** Notes since the day began, oldest first; what would name a person or lead to a link is covered. */
  notes: z.array(paymentSummarySchema.extend({ at: z.int(), agent: z.string(), text: z.string() })),
  /** Whether older notes of the day are left out. */
  hasMoreNotes: z.boolean(),
});
export type HandoverNote = z.infer<typeof handoverNoteSchema>;
