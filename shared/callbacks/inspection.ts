import * as z from 'zod';
import { messageSchema } from '../messages/message.schema.ts';
import { callbackFormSchema, verificationSchema } from '../payments/evidence.ts';

/** The inspector's result for a pasted text: the callbacks in it, each parsed, verified and explained. */

/** Three bands, never one tick for a whole callback (§5.3 covers only five fields). */
export const fieldBandSchema = z.enum([
  'signed-equal',
  'signed-different',
  'signed-no-record',
  'not-signed',
  // A signature that does not verify proves no field.
  'not-proven',
]);

export const inspectedFieldSchema = z.object({
  name: z.string(),
  /** As received; masked if the field is a token or the hash. */
  value: z.string(),
  masked: z.boolean(),
  band: fieldBandSchema,
  /** The payment log's value, equal or different; null = nothing to compare. */
  recorded: z.string().nullable(),
  /** The interface's description of this parameter, with its section; null for an unlisted parameter. */
  description: messageSchema.nullable(),
  /** The problem by the interface; null = valid. */
  problem: messageSchema.nullable(),
});
export type InspectedField = z.infer<typeof inspectedFieldSchema>;

/**
 * The likely cause of a failed signature: known changes that would make it verify. A diagnosis, never an acceptance.
 */
export const nearMissSchema = z.object({
  causes: z.array(z.string()),
  /** "It verifies if the amount is `100.00` instead of `100`: …" */
  sentence: messageSchema,
});
export type NearMiss = z.infer<typeof nearMissSchema>;

export const meaningSchema = z.object({
  /** One headline: "Callback: paid", "Callback: processing". */
  title: messageSchema,
  /** The combined meaning of type and status by §3.2, in one or two sentences. */
  text: messageSchema,
  /** The effect on the payment; `none` for an unproven callback. */
  effect: z.enum([
    'paid',
    'not-paid',
    'in-progress',
    'refunded',
    'voided',
    'reversed',
    'chargeback',
    'unknown',
    // The record here says paid; only the status denies it, which is not signed.
    'against-record',
    'none',
  ]),
  /** Whether §3.2 allows this pair. */
  allowed: z.boolean(),
});
export type Meaning = z.infer<typeof meaningSchema>;

/**
 * Why a callback that does not verify is not called forged: the text was cut, was not read with certainty, is of
 * another protocol, or is a copy from here, whose hash is masked.
 */
export const doubtSchema = z.enum(['cut', 'uncertain', 'other-protocol', 'hash-hidden']);
export type Doubt = z.infer<typeof doubtSchema>;

export const inspectedCallbackSchema = z.object({
  fields: z.array(inspectedFieldSchema),
  verification: verificationSchema,
  /** Null = the verdict holds. */
  doubt: doubtSchema.nullable(),
  /** The profile whose password verified it (or was tried first); null = no password available. */
  profileId: z.string().nullable(),
  nearMiss: nearMissSchema.nullable(),
  /** One paragraph: the result of the signature check and what it proves. */
  explanation: messageSchema,
  meaning: meaningSchema,
  problems: z.array(z.object({ field: z.string().nullable(), message: messageSchema })),
  orderNumber: z.string().nullable(),
  paymentId: z.string().nullable(),
  /** Whether the payment log already contains this callback. */
  known: z.boolean(),
});
export type InspectedCallback = z.infer<typeof inspectedCallbackSchema>;

export const inspectionSchema = z.object({
  form: callbackFormSchema.nullable(),
  callbacks: z.array(inspectedCallbackSchema),
  /** Total of callbacks found; more than are shown if the file is large. */
  found: z.int(),
  problems: z.array(messageSchema),
});
export type Inspection = z.infer<typeof inspectionSchema>;
