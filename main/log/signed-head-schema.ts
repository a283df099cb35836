import * as z from 'zod';

const chainEndSchema = z.object({
  writer: z.string(),
  /** The number of the writer's last event. */
  seq: z.int(),
  /** Its link of the chain, lower-case hex. */
  hash: z.string(),
});
export type ChainEnd = z.infer<typeof chainEndSchema>;

/**
 * The end of every chain at one instant, signed: whoever holds one can tell later whether the log was cut off
 * or rebuilt before it.
 */
export const signedHeadSchema = z.object({
  format: z.literal('counterfoil-head-1'),
  /** Milliseconds since 1970. */
  at: z.int(),
  chains: z.array(chainEndSchema),
  /** The file it was written out with, and the SHA-256 of its bytes in hex; null when it stands alone. */
  export: z.object({ file: z.string(), sha256: z.string() }).nullable(),
  /** Ed25519, SPKI, base64. */
  publicKey: z.string(),
  /** Base64. */
  signature: z.string(),
});
export type SignedHead = z.infer<typeof signedHeadSchema>;
