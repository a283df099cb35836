import type { Event } from '../../shared/evidence.ts';
import type { LogDatabase } from './database.ts';
import { showPersonal, type Content } from './personal.ts';

/** An event's columns, in this order; raw rows are arrays, which SQLite hands over fastest. */
export const eventColumns = `event.seq, event.id, writer.name, event.writer_seq, event.payment, event.profile_id,
  event.order_number, event.payment_id, event.happened_at, event.recorded_at, event.agent, event.kind,
  event.dedupe_key, event.body, event.personal, event.hash, personal.salt, personal."values"`;

export const eventTables = `event JOIN writer ON writer.id = event.writer
  LEFT JOIN personal ON personal.event = event.seq`;

export type StoredEvent = [
  seq: number,
  id: string,
  writer: string,
  writerSeq: number,
  payment: number | null,
  profileId: string,
  orderNumber: string | null,
  paymentId: string | null,
  happenedAt: number,
  recordedAt: number,
  agent: string,
  kind: string,
  dedupeKey: string | null,
  body: string,
  personal: Buffer | null,
  hash: Buffer,
  salt: Buffer | null,
  values: string | null,
];

/** The event that a row holds; erased personal values read as ''. Throws a SyntaxError when the row's JSON was damaged. */
export const toEvent = (row: StoredEvent): Event => {
  const content: Content = { kind: row[11], body: JSON.parse(row[13]) } as Content;
  const body = row[17] === null ? content.body : showPersonal(content, JSON.parse(row[17]) as string[]);
  return {
    id: row[1],
    profileId: row[5],
    orderNumber: row[6],
    paymentId: row[7],
    happenedAt: row[8],
    agent: row[10],
    dedupeKey: row[12],
    kind: content.kind,
    body,
    recordedAt: row[9],
    writer: row[2],
    writerSeq: row[3],
  } as Event;
};

/** A prepared reading of one payment's events, oldest written first. `payment`: the payment's row. */
export const eventsOfPayment = (database: LogDatabase): ((payment: number) => Event[]) => {
  const select = database
    .prepare<[number], StoredEvent>(
      `SELECT ${eventColumns} FROM ${eventTables} WHERE event.payment = ? ORDER BY event.seq`,
    )
    .raw();
  return payment => select.all(payment).map(toEvent);
};
