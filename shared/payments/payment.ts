import * as z from 'zod';
import { customerSchema } from './evidence.ts';
import { linkUses, withdrawalReasons } from './order-link.ts';
import { operationSchema } from '../operations/operation.ts';
import { operationStates } from '../operations/operation-kinds.ts';
import { disputeSchema, entrySchema, movementSchema } from './movement.ts';
import { reviewSchema } from '../review/review.schema.ts';
import { flagKinds, paymentStates } from './payment-kinds.ts';

export { paymentStates, flagKinds, type PaymentState, type FlagKind } from './payment-kinds.ts';

export const paymentStateSchema = z.enum(paymentStates);

export const flagSchema = z.object({
  kind: z.enum(flagKinds),
  /** Both values: the field, ours, and the reported one. */
  values: z.record(z.string(), z.string()),
  /** The events that are its evidence. */
  events: z.array(z.string()),
});
export type Flag = z.infer<typeof flagSchema>;

/** One attempt of the payer, by the gateway's payment id. */
export const attemptSchema = z.object({
  paymentId: z.string(),
  firstAt: z.int(),
  lastAt: z.int(),
  outcome: z.enum([
    'in-progress',
    /** The money is held, and not taken yet. */
    'held',
    'paid',
    'declined',
    'refund-seen',
    'part-refunded',
    'refunded',
    'voided',
    'reversed',
    'chargeback',
    'unknown',
  ]),
  /** A look-up says that nothing is left of it, even where the sizes of its parts are not known. */
  nothingLeft: z.boolean(),
  /** A later payment of a series, not the payer's own attempt. */
  instalment: z.boolean(),
  reason: z.string().nullable(),
  cardLast4: z.string().nullable(),
  rrn: z.string().nullable(),
  approvalCode: z.string().nullable(),
});
export type Attempt = z.infer<typeof attemptSchema>;

/** The event that proves the verdict, with a name that can be read aloud. */
export const restsOnSchema = z.object({
  event: z.string(),
  kind: z.enum(['request', 'acceptance', 'callback', 'look-up', 'record', 'silence']),
  at: z.int(),
  verified: z.boolean(),
});

export const linkSchema = z.object({ url: z.string(), issuedAt: z.int(), expiresAt: z.int() });

/** One link of an order; its address is only in `link`. */
export const orderLinkSchema = z.object({
  idempotencyKey: z.string(),
  amount: z.string(),
  issuedAt: z.int(),
  expiresAt: z.int(),
  agent: z.string(),
  used: z.enum(linkUses),
  withdrawn: z
    .object({ at: z.int(), agent: z.string(), reason: z.enum(withdrawalReasons), text: z.string() })
    .nullable(),
});
export type OrderLink = z.infer<typeof orderLinkSchema>;

/** The money after the payment that a caller asks about: without a result, an unknown one first, otherwise the last one. */
export const concernSchema = z.object({
  kind: z.enum(['refund', 'void', 'capture', 'retry', 'chargeback']),
  state: z.enum(operationStates),
  /** Wire form, of all that are in the same situation; null if it is not known. */
  amount: z.string().nullable(),
  currency: z.string().nullable(),
  /** Since when it is so, milliseconds. */
  since: z.int(),
  /** It was requested here. */
  isHere: z.boolean(),
});
export type Concern = z.infer<typeof concernSchema>;

export const paymentSchema = z.object({
  profileId: z.string(),
  orderNumber: z.string(),
  raisedHere: z.boolean(),
  state: paymentStateSchema,
  /** When this state began. */
  since: z.int(),
  /** What was asked for, in wire form: as requested here, otherwise as first reported. */
  amount: z.string().nullable(),
  currency: z.string().nullable(),
  description: z.string().nullable(),
  customer: customerSchema.nullable(),
  /** The source of the customer's details; the signature of a callback does not cover them (§5.3). */
  customerFrom: z.enum(['request', 'look-up', 'callback']).nullable(),
  /** The latest link. */
  link: linkSchema.nullable(),
  /** Every link of the order, oldest first. */
  links: z.array(orderLinkSchema),
  reason: z.string().nullable(),
  /** What came in, in wire form and its currency; null if nothing did, or the amount is not known. */
  paidAmount: z.string().nullable(),
  paidCurrency: z.string().nullable(),
  /**
   * When the first paid report arrived; null unless money came in, even if it was refunded since, and while sources
   * contradict each other.
   */
  paidAt: z.int().nullable(),
  /** When the provider last answered a look-up of it, milliseconds; null: never. */
  checkedAt: z.int().nullable(),
  /** Whether the latest link may be shared, apart from its expiry: neither used (§3.3) nor withdrawn. */
  linkUsable: z.boolean(),
  paymentIds: z.array(z.string()),
  /** Its series, by the payment id that began it; null if it belongs to none (§2.6). */
  series: z.object({ firstPaymentId: z.string() }).nullable(),
  attempts: z.array(attemptSchema),
  /** Money that came in or goes back, oldest first, with its fate. */
  movements: z.array(movementSchema),
  /** The books: what moved on which day, oldest first. Later evidence only appends to them. */
  entries: z.array(entrySchema),
  /** What was requested after the payment, oldest first; of a recurring charge the charge itself. */
  operations: z.array(operationSchema),
  /** Since when the oldest request or report without a result has had none, milliseconds; null if all have one. */
  pendingSince: z.int().nullable(),
  /** Null: nothing was requested or reported after the payment. */
  concern: concernSchema.nullable(),
  flags: z.array(flagSchema),
  basis: restsOnSchema.nullable(),
  cardLast4: z.string().nullable(),
  firstAt: z.int(),
  lastAt: z.int(),
  /** The agent who created it; null if it was not created here. */
  agent: z.string().nullable(),
  events: z.int(),
  /** Resolution, assignment and snooze; null without any. */
  review: reviewSchema.nullable(),
  /** The case of its chargeback; null: none was noted, or it ended. */
  dispute: disputeSchema.nullable(),
});
export type Payment = z.infer<typeof paymentSchema>;

/** The data that a callback is compared with. */
export type OrderRecord = Pick<
  Payment,
  'amount' | 'currency' | 'description' | 'customer' | 'paymentIds' | 'state'
>;

/** A row of a list: without the link, which is a bearer credential, attempts, movements and operations. */
export const paymentRowSchema = paymentSchema
  .omit({ link: true, links: true, attempts: true, movements: true, operations: true })
  .extend({ expiresAt: z.int().nullable() });
export type PaymentRow = z.infer<typeof paymentRowSchema>;
