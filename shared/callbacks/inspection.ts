import * as z from 'zod';
import { callbackFormSchema, verificationSchema } from '../payments/evidence.ts';

/** What the inspector says of a pasted text: callbacks found in it, each parsed, verified and explained. */

/** Three bands, never one tick over a whole callback (§5.3 covers five fields alone). */
export const fieldBandSchema = z.enum([
  'signed-equal',
  'signed-different',
  'signed-no-record',
  'not-signed',
  // Nothing is signed by a signature that does not verify.
  'not-proven',
]);

export const inspectedFieldSchema = z.object({
  name: z.string(),
  /** As received; masked when the field is a token or the hash. */
  value: z.string(),
  masked: z.boolean(),
  band: fieldBandSchema,
  /** What the payment log holds for it, when it differs or equals; null = nothing to compare. */
  recorded: z.string().nullable(),
  /** The interface's word on this parameter, with its section; null for a parameter it does not list. */
  description: z.string().nullable(),
  /** What is wrong with it by the interface's word; null = holds. */
  problem: z.string().nullable(),
});
export type InspectedField = z.infer<typeof inspectedFieldSchema>;

/** Why a signature fails, as far as can be known: named rewritings that would make it verify. A diagnosis, never an acceptance. */
export const nearMissSchema = z.object({
  causes: z.array(z.string()),
  /** "It verifies if the amount is `100.00` instead of `100`: …" */
  sentence: z.string(),
});
export type NearMiss = z.infer<typeof nearMissSchema>;

export const meaningSchema = z.object({
  /** One headline: "Paid, says the callback", "Not a payment yet". */
  title: z.string(),
  /** What type and status together mean by §3.2, in one or two sentences. */
  text: z.string(),
  /** What follows for the payment; `none` for a callback that is not proven. */
  effect: z.enum([
    'paid',
    'not-paid',
    'in-progress',
    'refunded',
    'voided',
    'reversed',
    'chargeback',
    'unknown',
    'none',
  ]),
  /** Whether §3.2 allows this pair. */
  allowed: z.boolean(),
});
export type Meaning = z.infer<typeof meaningSchema>;

export const inspectedCallbackSchema = z.object({
  fields: z.array(inspectedFieldSchema),
  verification: verificationSchema,
  /** The profile whose password verified it (or that was tried first); null = none at hand. */
  profileId: z.string().nullable(),
  nearMiss: nearMissSchema.nullable(),
  /** One paragraph: what the signature check found and what it does and does not prove. */
  explanation: z.string(),
  meaning: meaningSchema,
  problems: z.array(z.object({ field: z.string().nullable(), message: z.string() })),
  orderNumber: z.string().nullable(),
  paymentId: z.string().nullable(),
  /** Whether the log already holds this very callback. */
  known: z.boolean(),
});
export type InspectedCallback = z.infer<typeof inspectedCallbackSchema>;

export const inspectionSchema = z.object({
  form: callbackFormSchema.nullable(),
  callbacks: z.array(inspectedCallbackSchema),
  /** Callbacks found in all; more than are shown when the file is large. */
  found: z.int(),
  problems: z.array(z.string()),
});
export type Inspection = z.infer<typeof inspectionSchema>;
