import { hash } from 'node:crypto';
import type { EventHeader } from '../answers.ts';

/** The link before the first event of every writer's chain. */
export const chainStart = '0'.repeat(64);

/**
 * An event's own hash: SHA-256, lower-case hex, of a JSON array of its header, the SHA-256 of its body's text and the
 * digest of its personal values (hex, or null). Two such hashes reveal nothing about each other.
 */
export const contentHash = (frame: EventHeader, body: string, personal: string | null): string =>
  hash(
    'sha256',
    JSON.stringify([
      frame.writer,
      frame.writerSeq,
      frame.id,
      frame.profileId,
      frame.orderNumber,
      frame.paymentId,
      frame.happenedAt,
      frame.recordedAt,
      frame.agent,
      frame.kind,
      frame.dedupeKey,
      hash('sha256', body),
      personal,
    ]),
  );

/** A link of the chain: SHA-256 of the previous link and the event's own hash, both as lower-case hex. */
export const linkHash = (previous: string, content: string): string => hash('sha256', previous + content);

/** The digest of personal values that an event's hash covers: SHA-256 of the salt (hex) and their JSON array. */
export const personalDigest = (salt: string, values: string): string => hash('sha256', salt + values);
