import { hash } from 'node:crypto';
import type { EventHeader } from '../answers.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { showPersonal, type Content } from './pii.ts';

/** A UUID's sixteen bytes; null if the text is not a UUID in lower case. */
export const uuidBytes = (uuid: string): Buffer | null => {
  const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  return bytes.length === 16 && uuidText(bytes.toString('hex')) === uuid ? bytes : null;
};

/** A UUID from its 32 hex digits. */
export const uuidText = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

/**
 * The event that was stored. `body`: its text as it was hashed; `personal`: the JSON array of its personal values,
 * null if there are none or they were erased (they read as '' then). Throws a SyntaxError if either is damaged.
 */
export const eventOf = (header: EventHeader, body: string, personal: string | null): Event => {
  const content = { kind: header.kind, body: JSON.parse(body) } as Content;
  const values: string[] = personal === null ? [] : JSON.parse(personal);
  return {
    id: header.id,
    profileId: header.profileId,
    orderNumber: header.orderNumber,
    paymentId: header.paymentId,
    happenedAt: header.happenedAt,
    agent: header.agent,
    dedupeKey: header.dedupeKey,
    kind: content.kind,
    body: showPersonal(content, values),
    recordedAt: header.recordedAt,
    writer: header.writer,
    writerSeq: header.writerSeq,
  } as Event;
};

/** Limit of counted deliveries of one callback; further ones are stored but add no information. */
export const maxDeliveries = 500;

/** Returns which of a payment's events count, by their dedupe keys in write order: all but repeats beyond the limit. */
export type CountsDelivery = (dedupeKey: string | null) => boolean;

export const createDeliveryCounter = (): CountsDelivery => {
  const deliveries = new Map<string, number>();
  return key => {
    if (key === null) return true;
    const before = deliveries.get(key) ?? 0;
    deliveries.set(key, before + 1);
    return before < maxDeliveries;
  };
};

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
