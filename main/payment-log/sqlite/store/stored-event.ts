import type { Event } from '../../../../shared/payments/evidence.ts';
import type { LogDatabase } from './database.ts';
import { createDeliveryCounter, eventOf, uuidText } from '../../evidence/chain.ts';
import { readShape, decodeBody, type Shape } from '../../evidence/body-codec.ts';
import type { EventHeader } from '../../answers.ts';

/** An event's columns, in this order. SQLite returns raw rows and bytes as hex digits fastest. */
const columns = `event.seq, lower(hex(event.id)), writer.name, event.writer_seq, event.payment, payment.profile_id,
  payment.order_number, event.payment_id, event.happened_at, event.recorded_at, event.agent, event.kind,
  event.dedupe_key, event.shape, event."values", lower(hex(event.personal)), lower(hex(event.hash)),
  lower(hex(personal.salt)), personal."values"`;

const joined = `FROM event
  JOIN writer ON writer.id = event.writer JOIN payment ON payment.id = event.payment
  LEFT JOIN personal ON personal.event = event.seq`;

/** Selects events of the journal with all related columns; append a WHERE, an ORDER BY or a LIMIT. */
export const selectEvents = `SELECT ${columns}, event.recorded_at ${joined}`;
/** The same for those of a list: what other installations wrote. */
export const selectForeignEvents = `SELECT ${columns}, event.placed_at ${joined}`;

export type StoredEvent = [
  seq: number,
  id: string,
  writer: string,
  writerSeq: number,
  payment: number,
  profileId: string,
  orderNumber: string | null,
  paymentId: string | null,
  happenedAt: number,
  recordedAt: number,
  agent: string,
  kind: string,
  dedupeKey: string | null,
  shape: number,
  values: string,
  /** Empty if the event has no personal values. */
  personal: string,
  hash: string,
  /** Empty, and the values null, if there are none or they were erased. */
  salt: string,
  personalValues: string | null,
  /** The time of its place; see place.ts. */
  placedAt: number,
];

/**
 * Whether a payment has an event with a dedupe key (given twice). The index holds only a part of the key; the full
 * key is compared afterwards. A key contains its order: one index of all keys would touch another page for every
 * event.
 */
export const selectKnown = `SELECT 1 FROM event WHERE payment = ? AND dedupe_key IS NOT NULL
  AND substr(dedupe_key, 10, 16) = substr(?, 10, 16) AND dedupe_key = ? LIMIT 1`;

/** The header that an event's own hash covers. */
export const eventHeaderOf = (row: StoredEvent): EventHeader => ({
  writer: row[2],
  writerSeq: row[3],
  id: uuidText(row[1]),
  profileId: row[5],
  orderNumber: row[6],
  paymentId: row[7],
  happenedAt: row[8],
  recordedAt: row[9],
  agent: row[10],
  kind: row[11],
  dedupeKey: row[12],
});
/** The digest of its personal values, hex; null if it has none. */
export const digestOf = (row: StoredEvent): string | null => row[15] || null;

/** Its personal values; null if there are none or they were erased. */
export const personalOf = (row: StoredEvent): { salt: string; values: string } | null =>
  row[18] === null ? null : { salt: row[17], values: row[18] };

/**
 * A decoder for one connection, with a cache of shapes. Both functions throw a SyntaxError if the row's values were
 * damaged.
 */
export const eventReading = (database: LogDatabase) => {
  const shapeOf = database.prepare<[number], string>('SELECT text FROM shape WHERE id = ?').pluck();
  const shapes = new Map<number, Shape>();
  const shape = (id: number): Shape => {
    const known = shapes.get(id);
    if (known) return known;
    const read = readShape(shapeOf.get(id) ?? '');
    if (shapes.size < 10_000) shapes.set(id, read);
    return read;
  };
  const body = (row: StoredEvent): string =>
    decodeBody(shape(row[13]), row[14], { orderNumber: row[6], paymentId: row[7] });
  return {
    /** The body's text, as it was hashed. */
    body,
    /** The event; personal values that were erased read as ''. `text`: the body's text, if already decoded. */
    event: (row: StoredEvent, text: string = body(row)): Event => eventOf(eventHeaderOf(row), text, row[18]),
  };
};

/** An order's events, in the order of their places, and the total length of their texts. */
type ReadRows = { rows: StoredEvent[]; textLength: number };

/** Memory limit of one read of several payments, characters; the payment that exceeds it is the last one read. */
const maxTextAtOnce = 4 * 1024 * 1024;

/** `unreadFrom`: payments from this number on were not read, since the memory limit was reached. */
export type ReadPayments = { read: Map<number, ReadRows>; unreadFrom: number };

/**
 * A prepared reader of several payments' events in one query, by payment, in the order of their places. `payments`: their
 * numbers in this file, the journal or a list.
 */
export const rowsOfPayments = (
  database: LogDatabase,
  isJournal: boolean,
): ((payments: readonly number[]) => ReadPayments) => {
  const select = database
    .prepare<[string], StoredEvent>(
      `${isJournal ? selectEvents : selectForeignEvents} WHERE event.payment IN (SELECT value FROM json_each(?))
       ORDER BY event.payment, ${isJournal ? 'event.seq' : 'event.placed_at, event.writer, event.writer_seq'}`,
    )
    .raw();
  return payments => {
    const read = new Map<number, ReadRows>();
    let textLength = 0;
    if (payments.length === 0) return { read, unreadFrom: Number.POSITIVE_INFINITY };
    for (const row of select.iterate(JSON.stringify(payments))) {
      const known = read.get(row[4]);
      if (!known && textLength > maxTextAtOnce) return { read, unreadFrom: row[4] };
      const one = known ?? { rows: [], textLength: 0 };
      if (!known) read.set(row[4], one);
      one.rows.push(row);
      const length = row[14].length + (row[18]?.length ?? 0);
      one.textLength += length;
      textLength += length;
    }
    return { read, unreadFrom: Number.POSITIVE_INFINITY };
  };
};

/** A prepared reader of one payment's events that count, oldest written first. `payment`: its number in the journal. */
export const eventsOfPayment = (journal: LogDatabase): ((payment: number) => Event[]) => {
  const read = rowsOfPayments(journal, true);
  const reading = eventReading(journal);
  return payment => {
    const counts = createDeliveryCounter();
    const rows = read([payment]).read.get(payment)?.rows ?? [];
    return rows.filter(row => counts(row[12])).map(row => reading.event(row));
  };
};
