import { hash } from 'node:crypto';

/** Where every writer's chain begins. */
export const chainStart = '0'.repeat(64);

/** What an event's link covers beside its body, in the order in which it is hashed. */
export type EventHeader = {
  writer: string;
  writerSeq: number;
  id: string;
  profileId: string;
  orderNumber: string | null;
  paymentId: string | null;
  happenedAt: number;
  recordedAt: number;
  agent: string;
  kind: string;
  dedupeKey: string | null;
};

/**
 * An event's own hash: SHA-256, lower-case hex, of a JSON array of its frame, the SHA-256 of its body's
 * text and the digest of its personal values (hex, or null). Two of them tell nothing about each other.
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

/** A link of the chain: SHA-256 of the link before it and the event's own hash, both as lower-case hex. */
export const linkHash = (previous: string, content: string): string => hash('sha256', previous + content);

/** The digest under which personal values enter an event: SHA-256 of the salt (hex) and their JSON array. */
export const personalDigest = (salt: string, values: string): string => hash('sha256', salt + values);
