import type { Event } from '../../../../shared/payments/evidence.ts';
import { createDeliveryCounter, type CountsDelivery } from '../../evidence/event-content.ts';
import type { ReadEvents } from './stored-event.ts';

/** Memory limits, bytes (estimated): events of payments to project, and of recently projected ones. */
const maxPendingBytes = 8 * 1024 * 1024;
const maxIdleBytes = 4 * 1024 * 1024;
/** Memory limit of one payment's events, bytes; larger ones are read from disk each time. */
const maxPaymentBytes = 1024 * 1024;

/** Memory of events, bytes: bodies as objects take about four times their JSON text. */
const bytesOf = (events: number, textLength: number): number => 500 * events + 4 * textLength;

type Entry = { events: Event[]; bytes: number; counts: CountsDelivery };

/** Cache of all events of some payments, so that a payment in progress is not read from disk for every event. */
export type EventCache = {
  /** All events of a payment that count; undefined if they are not cached. */
  get(payment: number): readonly Event[] | undefined;
  /**
   * Adds an event that was just written. `first`: the payment has no other. Returns false if it is a further repeat,
   * which adds no information.
   */
  append(payment: number, event: Event, textLength: number, first: boolean): boolean;
  /** Caches events that were read from disk and projected; they are evicted first. */
  set(payment: number, read: ReadEvents): void;
  /** The payment was projected: its events are evicted first. */
  projected(payment: number): void;
  delete(payment: number): void;
  clear(): void;
};

export const eventCache = (): EventCache => {
  /** Payments still to be projected. A full cache takes no further ones: the oldest are needed next. */
  const pending = new Map<number, Entry>();
  /** Recently projected payments, least recently used first. */
  const idle = new Map<number, Entry>();
  let pendingBytes = 0;
  let idleBytes = 0;

  const drop = (payment: number): Entry | undefined => {
    const entry = pending.get(payment) ?? idle.get(payment);
    if (pending.delete(payment)) pendingBytes -= entry?.bytes ?? 0;
    else if (idle.delete(payment)) idleBytes -= entry?.bytes ?? 0;
    return entry;
  };
  const putIdle = (payment: number, entry: Entry): void => {
    if (entry.bytes > maxPaymentBytes) return;
    idle.set(payment, entry);
    idleBytes += entry.bytes;
    if (idleBytes <= maxIdleBytes) return;
    // Evicts many at once: each iteration over a map passes all deleted entries.
    for (const [oldest, { bytes }] of idle) {
      if (idleBytes <= maxIdleBytes / 2) break;
      idle.delete(oldest);
      idleBytes -= bytes;
    }
  };

  return {
    get: payment => (pending.get(payment) ?? idle.get(payment))?.events,
    append: (payment, event, textLength, first) => {
      const held = pending.get(payment) ?? idle.get(payment);
      if (held && !held.counts(event.dedupeKey)) return false;
      const entry = first ? { events: [], bytes: 0, counts: createDeliveryCounter() } : drop(payment);
      if (!entry) return true;
      if (first) entry.counts(event.dedupeKey);
      entry.events.push(event);
      entry.bytes += bytesOf(1, textLength);
      if (entry.bytes > maxPaymentBytes || pendingBytes + entry.bytes > maxPendingBytes) return true;
      pending.set(payment, entry);
      pendingBytes += entry.bytes;
      return true;
    },
    set: (payment, { events, textLength, counts }) => {
      drop(payment);
      putIdle(payment, { events, bytes: bytesOf(events.length, textLength), counts });
    },
    projected: payment => {
      if (!pending.has(payment)) return;
      const entry = drop(payment);
      if (entry) putIdle(payment, entry);
    },
    delete: payment => void drop(payment),
    clear: () => {
      pending.clear();
      idle.clear();
      pendingBytes = 0;
      idleBytes = 0;
    },
  };
};
