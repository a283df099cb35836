import * as z from 'zod';
import { movementFates, movementKinds, movementOrigins } from './payment-kinds.ts';

/** Money of one payment id that came in or goes back, with its fate. The books derive from it, see `entrySchema`. */
export const movementSchema = z.object({
  /** Of the evidence that began it, and the kind: equal for equal evidence. */
  id: z.string(),
  kind: z.enum(movementKinds),
  /** Wire form; null if nothing names it. */
  amount: z.string().nullable(),
  currency: z.string().nullable(),
  /** When its first evidence was recorded, milliseconds. */
  at: z.int(),
  fate: z.enum(movementFates),
  /** Since when it has this fate, milliseconds. */
  since: z.int(),
  origin: z.enum(movementOrigins),
  paymentId: z.string(),
  /** The request of ours; null if it was made elsewhere. */
  intent: z.string().nullable(),
  /** The person who recorded its present fate from the provider's dashboard. */
  recordedBy: z.string().nullable(),
  /** The provider's reason for a failure. */
  reason: z.string().nullable(),
  rrn: z.string().nullable(),
  approvalCode: z.string().nullable(),
  /** The provider's own date, as received. */
  statedDate: z.string().nullable(),
  /** The events that it rests on, first its beginning, last what decided its fate. */
  events: z.array(z.string()),
});
export type Movement = z.infer<typeof movementSchema>;

/** An entry of the books. Entries are appended: only a counter-entry changes what an earlier one says. */
export const entrySchema = z.object({
  kind: z.enum(movementKinds),
  /** When the evidence that made it was recorded, milliseconds. */
  at: z.int(),
  /** Wire form, without a sign; null if it is unknown. */
  amount: z.string().nullable(),
  currency: z.string().nullable(),
  /** It takes an earlier entry of the same kind and amount back. */
  isCounter: z.boolean(),
  paymentId: z.string(),
  rrn: z.string().nullable(),
  approvalCode: z.string().nullable(),
  statedDate: z.string().nullable(),
});
export type Entry = z.infer<typeof entrySchema>;

/** The case of a chargeback that is still open. */
export const disputeSchema = z.object({
  /** The movement, by its id. */
  movement: z.string(),
  /** The last day to answer, an ISO date; null: unknown. */
  respondBy: z.string().nullable(),
  /** What was sent to the provider; empty: nothing yet. */
  sent: z.string(),
  agent: z.string(),
  at: z.int(),
});
export type Dispute = z.infer<typeof disputeSchema>;
