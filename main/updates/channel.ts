import * as z from 'zod';
import type { RefusalReason } from '../../shared/updates/refusal-reasons.ts';
import { verifiedContent } from './channel-signature.ts';

/** The channel file: the newest version, its packages with their hashes, and what it needs. JSON, and so YAML. */

const versionPattern = /^\d{1,6}\.\d{1,6}\.\d{1,6}$/;

/** The part that the packer writes. */
export const packedSchema = z.object({
  version: z.string().regex(versionPattern),
  files: z
    .array(
      z.object({
        /** A file beside the channel file. */
        url: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
        /** Base64. */
        sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
        /** Bytes. */
        size: z.int().positive(),
        /** Windows: installed for all users. */
        isAdminRightsRequired: z.boolean().optional(),
      }),
    )
    .min(1)
    .max(20),
  releaseDate: z.string().max(40),
});

export const channelSchema = z.object({
  ...packedSchema.shape,
  /** Percentage of installations that are offered this version; all if left out. */
  stagingPercentage: z.int().min(0).max(100).optional(),
  /** When it was signed: an installation refuses a file that is older than one it has seen. */
  signedAt: z.iso.datetime(),
  /** After this instant the file is refused: an old file cannot hide newer versions for ever. */
  expires: z.iso.datetime(),
  /** Formats of the payment log: the oldest that this version reads, and the one that it writes. */
  paymentLog: z.object({ reads: z.int(), writes: z.int() }),
  /** Versions of the shared payment log: the oldest that this version can use, and the newest that it knows. */
  sharedLog: z.object({ needs: z.int(), knows: z.int() }),
});
export type Channel = z.infer<typeof channelSchema>;

/** What decides whether an offer fits this installation. */
export type Installed = {
  version: string;
  /** Format of the payment log that this version writes. */
  paymentLog: number;
  /** Schema version of the joined shared payment log, and the lowest that a program must know; null: none is joined. */
  sharedLog: { version: number; oldest: number } | null;
  /** When the newest channel file that was accepted here was signed, milliseconds since 1970; null: none was. */
  newestSignedAt: number | null;
  /** Milliseconds since 1970. */
  now: number;
};

/**
 * `newer`: to be installed. `same`: the installed version. `signedAt` of a refused offer: no older file is accepted
 * afterwards.
 */
export type Offer =
  | { offer: 'newer' | 'same'; channel: Channel }
  | { refused: RefusalReason; version: string; signedAt?: number };

/** How far clocks may differ, milliseconds: a file that is signed later than that in the future is refused. */
export const maxClockDifferenceMs = 24 * 60 * 60_000;

/** Negative: `one` is below `other`. Both are `1.2.3`; what follows, such as `-beta`, is ignored. */
const compareVersions = (one: string, other: string): number => {
  const others = other.split('.').map(part => Number.parseInt(part, 10));
  const differences = one.split('.').map((part, at) => Number.parseInt(part, 10) - (others[at] ?? 0));
  return differences.find(difference => difference !== 0) ?? 0;
};

const parse = (content: string): Channel | null => {
  try {
    const read = channelSchema.safeParse(JSON.parse(content));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
};

/** Reads a channel file. Its signature is verified before anything else of it is used. */
export const readChannel = (
  text: string,
  fileName: string,
  keys: readonly string[],
  installed: Installed,
): Offer => {
  const content = verifiedContent(text, fileName, keys);
  if (content === null) return { refused: 'unsigned', version: '' };
  const channel = parse(content);
  if (channel === null) return { refused: 'unreadable', version: '' };
  const { version, paymentLog, sharedLog } = channel;
  const signedAt = Date.parse(channel.signedAt);
  // It would forbid every file that a clock without the fault signs.
  if (signedAt > installed.now + maxClockDifferenceMs) return { refused: 'future', version };
  if (Date.parse(channel.expires) <= installed.now) return { refused: 'expired', version, signedAt };
  if (installed.newestSignedAt !== null && signedAt < installed.newestSignedAt)
    return { refused: 'replaced', version };
  const order = compareVersions(version, installed.version);
  if (order < 0) return { refused: 'older', version, signedAt };
  if (order === 0) return { offer: 'same', channel };
  if (installed.paymentLog < paymentLog.reads || installed.paymentLog > paymentLog.writes)
    return { refused: 'payment-log', version, signedAt };
  const joined = installed.sharedLog;
  const isSharedLogUsable =
    joined === null || (joined.version >= sharedLog.needs && joined.oldest <= sharedLog.knows);
  return isSharedLogUsable ? { offer: 'newer', channel } : { refused: 'shared-log', version, signedAt };
};
