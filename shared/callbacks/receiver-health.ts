import * as z from 'zod';
import { appErrorSchema } from '../errors.schema.ts';

/** The state of the callback listener, and the certificate it uses. */

export const certificateSchema = z.object({
  /** Common names. */
  name: z.string(),
  issuer: z.string(),
  /** The certificate's names and addresses. */
  names: z.string(),
  validTo: z.int(),
});
export type CertificateFacts = z.infer<typeof certificateSchema>;

/** Why a delivery was refused: what is wrong with it as a request, before anything of it counts as evidence. */
export const refusalReasons = ['path', 'method', 'coding', 'too-large', 'no-callback', 'not-kept'] as const;
export type RefusalReason = (typeof refusalReasons)[number];

const refusalSchema = z.object({ reason: z.enum(refusalReasons), count: z.int(), lastAt: z.int() });
/** Refused deliveries of one reason in this run. */
export type Refusal = z.infer<typeof refusalSchema>;

export const receiverHealthSchema = z.object({
  listening: z.boolean(),
  /**
   * Addresses to enter in the gateway's dashboard, by profile; each contains a long random path. None for a person who
   * may not change the settings.
   */
  addresses: z.array(z.object({ profileId: z.string(), url: z.string() })),
  lastAt: z.int().nullable(),
  received: z.int(),
  unverified: z.int(),
  /** The latest first. */
  refused: z.array(refusalSchema),
  /** Recent response times: median and 99th percentile. */
  answerMs: z.object({ median: z.number(), p99: z.number() }).nullable(),
  problem: appErrorSchema.nullable(),
  /** The certificate of the listener; null without TLS. */
  certificate: certificateSchema.nullable(),
  /** Unverified callbacks accepted since the last clearance (null: since ever), and the number refused in this run. */
  quarantine: z.object({
    callbacks: z.int(),
    maxCallbacks: z.int(),
    bytes: z.int(),
    maxBytes: z.int(),
    full: z.boolean(),
    refused: z.int(),
    since: z.int(),
    by: z.string().nullable(),
  }),
});
export type ReceiverHealth = z.infer<typeof receiverHealthSchema>;
