import { randomBytes } from 'node:crypto';
import type { Event, EventDraft } from '../../shared/evidence.ts';
import { ok, type Result } from '../../shared/errors.ts';
import { chainStart, contentHash, linkHash, personalDigest } from './chain.ts';
import type { LogDatabase } from './database.ts';
import { toLogFailure } from './failures.ts';
import type { Appended } from './payment-log.ts';
import { hidePersonal } from './personal.ts';
import { project, projector } from './projection.ts';
import { eventsOfPayment } from './stored-event.ts';

/** How many payments' events are kept in memory, so that a payment under way is not read again for every event. */
const payments = 1_000;
/** A payment with more events than this is read from disk each time. */
const eventsRemembered = 50;

type Head = { id: number; seq: number; hash: string };

/** The one hand that writes the log. Everything in a batch is durable, or none of it is. */
export type LogWriter = {
  /** Writes several appends in one transaction; each gets its own answer, in order. */
  write(appends: readonly (readonly EventDraft[])[]): Result<Appended>[];
};

/**
 * Starts writing as `name` (one chain per installation).
 * `database`: opened for writing. Throws SQLite's errors while it reads the chain's head.
 */
export const logWriter = (database: LogDatabase, name: string, clock: () => number = Date.now): LogWriter => {
  database
    .prepare<[string, string]>('INSERT OR IGNORE INTO writer (name, last_seq, last_hash) VALUES (?, 0, ?)')
    .run(name, chainStart);
  const readHead = database.prepare<[string], Head>(
    'SELECT id, last_seq AS seq, last_hash AS hash FROM writer WHERE name = ?',
  );
  const keepHead = database.prepare<[number, string, number]>(
    'UPDATE writer SET last_seq = ?, last_hash = ? WHERE id = ?',
  );
  const lastWritten = database.prepare<[], { seq: number; recordedAt: number }>(
    'SELECT seq, recorded_at AS recordedAt FROM event ORDER BY seq DESC LIMIT 1',
  );
  const insert = database.prepare<
    [
      seq: number,
      id: string,
      writer: number,
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
    ]
  >('INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const insertPersonal = database.prepare<[number, Buffer, string]>('INSERT INTO personal VALUES (?, ?, ?)');
  const known = database
    .prepare<[string], number>('SELECT 1 FROM event WHERE dedupe_key = ? LIMIT 1')
    .pluck();
  const paymentOf = database
    .prepare<[string, string], number>('SELECT id FROM payment WHERE profile_id = ? AND order_number = ?')
    .pluck();
  const readEvents = eventsOfPayment(database);
  const keep = projector(database);

  /** Events of the payments written last, by payment; the oldest entry is the first to go. */
  const remembered = new Map<number, Event[]>();
  let head: Head = readHead.get(name) ?? { id: 0, seq: 0, hash: chainStart };
  let last = lastWritten.get() ?? { seq: 0, recordedAt: 0 };

  const writeBatch = (appends: readonly (readonly EventDraft[])[]): Appended[] => {
    const touched = new Map<number, Event[]>();
    const opened = new Map<string, number>();
    const written = appends.map((drafts): Appended => {
      const events: Event[] = [];
      const duplicates: boolean[] = [];
      for (const draft of drafts) {
        duplicates.push(draft.dedupeKey !== null && known.get(draft.dedupeKey) !== undefined);
        // A clock that was set back must not turn the order of writing around.
        last = { seq: last.seq + 1, recordedAt: Math.max(clock(), last.recordedAt) };
        const writerSeq = head.seq + 1;
        const event: Event = { ...draft, recordedAt: last.recordedAt, writer: name, writerSeq };
        const { body, values } = hidePersonal(draft);
        const salt = values.length > 0 ? randomBytes(16) : null;
        const personal = JSON.stringify(values);
        const digest = salt && personalDigest(salt, personal);
        const hash = linkHash(head.hash, contentHash(event, body, digest));
        let payment: number | null = null;
        if (draft.orderNumber !== null) {
          const key = `${draft.profileId} ${draft.orderNumber}`;
          const before = opened.get(key) ?? paymentOf.get(draft.profileId, draft.orderNumber);
          payment = before ?? last.seq;
          opened.set(key, payment);
          const already =
            touched.get(payment) ??
            (before === undefined ? [] : (remembered.get(payment) ?? readEvents(payment)));
          touched.set(payment, [...already, event]);
        }
        insert.run(
          last.seq,
          draft.id,
          head.id,
          writerSeq,
          payment,
          draft.profileId,
          draft.orderNumber,
          draft.paymentId,
          draft.happenedAt,
          last.recordedAt,
          draft.agent,
          draft.kind,
          draft.dedupeKey,
          body,
          digest === null ? null : Buffer.from(digest, 'hex'),
          Buffer.from(hash, 'hex'),
        );
        if (salt) insertPersonal.run(last.seq, salt, personal);
        head = { id: head.id, seq: writerSeq, hash };
        events.push(event);
      }
      return { events, duplicates };
    });
    for (const [payment, events] of touched) keep(payment, project(events));
    keepHead.run(head.seq, head.hash, head.id);
    for (const [payment, events] of touched) {
      remembered.delete(payment);
      if (events.length <= eventsRemembered) remembered.set(payment, events);
    }
    for (const oldest of remembered.keys()) {
      if (remembered.size <= payments) break;
      remembered.delete(oldest);
    }
    return written;
  };
  const transaction = database.transaction(writeBatch);

  /** After a rollback nothing in memory may be believed. */
  const attempt = (appends: readonly (readonly EventDraft[])[]): Result<Appended>[] => {
    try {
      return transaction.immediate(appends).map(ok);
    } catch (thrown) {
      remembered.clear();
      head = readHead.get(name) ?? head;
      last = lastWritten.get() ?? { seq: 0, recordedAt: 0 };
      if (appends.length > 1) return appends.flatMap(append => attempt([append]));
      return [toLogFailure(thrown)];
    }
  };
  return { write: attempt };
};
