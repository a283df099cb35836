import { randomFillSync, randomUUID } from 'node:crypto';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { Event, EventDraft } from '../../shared/evidence.ts';
import { chainStart, contentHash, linkHash, personalDigest } from './chain.ts';
import type { LogDatabase } from './database.ts';
import { amendment, eraser, type Erasure } from './erase.ts';
import { toLogFailure } from './failures.ts';
import { hidePersonal } from './personal.ts';
import { project, projector } from './projection.ts';
import { pack } from './shapes.ts';
import { eventsOfPayment, selectKnown, uuidBytes } from './stored-event.ts';

/** Pages of the index merged in one go: some ten milliseconds. */
const mergedPages = 200;
/** How many payments' events are kept in memory, so that a payment under way is not read again for every event. */
const payments = 2_000;
/** A payment with more events than this is read from disk each time. */
const eventsRemembered = 50;

/** Milliseconds of reading one payment's evidence that are long, and how many times as long it rests after it. */
const longReading = 20;
const restFactor = 20;

/** Where an append stands in its writer's chain; its events follow one another. */
export type Place = {
  recordedAt: number;
  /** The writer's number of its first event. */
  writerSeq: number;
  /** The log's number of its last event. */
  seq: number;
  duplicates: boolean[];
};

/** The amendments that were written, and where they stand; none when only traces were removed. */
export type Erased = { drafts: readonly EventDraft[]; place: Place | null };

/**
 * The one hand that writes the log. Evidence is written first and is durable when `write` returns; the
 * payments' list, which is only a cached answer, follows when there is time.
 */
export type LogWriter = {
  /** Writes several appends in one transaction; each gets its own answer, in order. */
  write(appends: readonly (readonly EventDraft[])[]): Result<Place>[];
  /**
   * Does the next piece of an erasure: takes personal details away and says so in amendments, in one transaction,
   * or their traces from the index; null when neither the file nor its index holds any. Throws SQLite's errors.
   */
  erase(erasure: Erasure): Erased | null;
  /** Payments whose place in the list is behind their evidence. */
  behind(): number;
  /** Brings up to `most` of them up to date; returns the event up to which the list is. Throws SQLite's errors. */
  catchUp(most: number): number;
};

type Head = { id: number; seq: number; hash: string };

/** Random salts, drawn many at a time: each draw from the system costs more than a hash. */
const salts = (): (() => Buffer) => {
  const pool = Buffer.alloc(16 * 256);
  let at = pool.length;
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    at += 16;
    return Buffer.from(pool.subarray(at - 16, at));
  };
};

/** Finds a shape's number, or gives it one. */
const shapeNumbers = (database: LogDatabase): { of(shape: string): number; forget(): void } => {
  const find = database.prepare<[string], number>('SELECT id FROM shape WHERE text = ?').pluck();
  const insert = database
    .prepare<[string], number>('INSERT INTO shape (text) VALUES (?) RETURNING id')
    .pluck();
  const known = new Map<string, number>();
  return {
    of: shape => {
      const before = known.get(shape);
      if (before !== undefined) return before;
      const id = find.get(shape) ?? insert.get(shape) ?? 0;
      if (known.size < 10_000) known.set(shape, id);
      return id;
    },
    forget: () => known.clear(),
  };
};

/**
 * Starts writing as `name` (one chain per installation).
 * `database`: opened for writing. Throws SQLite's errors while it reads where the log stands.
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
      id: Buffer,
      writer: number,
      writerSeq: number,
      payment: number,
      paymentId: string | null,
      happenedAt: number,
      recordedAt: number,
      agent: string,
      kind: string,
      dedupeKey: string | null,
      shape: number,
      values: string,
      personal: Buffer | null,
      hash: Buffer,
    ]
  >('INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const insertPersonal = database.prepare<[number, Buffer, string]>('INSERT INTO personal VALUES (?, ?, ?)');
  const insertPayment = database.prepare<[number, string, string | null]>(
    'INSERT INTO payment VALUES (?, ?, ?)',
  );
  const findPayment = database
    .prepare<[string | null, string], number>(
      'SELECT id FROM payment WHERE order_number IS ? AND profile_id = ?',
    )
    .pluck();
  const known = database.prepare<[string, string], number>(selectKnown).pluck();
  const readThrough = database.prepare<[], number>('SELECT through FROM projection').pluck();
  const keepThrough = database.prepare<[number]>('UPDATE projection SET through = ?');
  // From the first event that the list lacks on: by the index of payments every event of the log would be read.
  const readBehind = database
    .prepare<[number], [payment: number, seq: number]>(
      `SELECT e.payment, min(e.seq) FROM event e NOT INDEXED CROSS JOIN payment p ON p.id = e.payment
       WHERE e.seq > ? AND p.order_number IS NOT NULL GROUP BY e.payment ORDER BY min(e.seq)`,
    )
    .raw();
  const readEvents = eventsOfPayment(database);
  const keep = projector(database);
  const shapes = shapeNumbers(database);
  const newSalt = salts();
  const erasing = eraser(database);
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck();
  /** Erased words still stand in the index's older parts; true until these were merged away. */
  let leftovers = false;
  const mergeIndex = database.transaction((): boolean => {
    const before = changes.get() ?? 0;
    database.exec(`INSERT INTO search (search, rank) VALUES ('merge', ${merging ? '' : '-'}${mergedPages})`);
    merging = true;
    return (changes.get() ?? 0) - before < 2;
  });
  let merging = false;

  /** All events of the payments written last; the oldest entry is the first to go. */
  const remembered = new Map<number, Event[]>();
  /** Payments behind their evidence, and the first event they lack, in that order. */
  const behind = new Map<number, number>();
  let head: Head = { id: 0, seq: 0, hash: chainStart };
  let last = { seq: 0, recordedAt: 0 };
  /** What is in memory is read again: at the start, and when a transaction was rolled back. */
  const recall = (): void => {
    remembered.clear();
    shapes.forget();
    behind.clear();
    for (const [payment, seq] of readBehind.all(readThrough.get() ?? 0)) behind.set(payment, seq);
    head = readHead.get(name) ?? head;
    last = lastWritten.get() ?? { seq: 0, recordedAt: 0 };
  };
  recall();

  const keepInMind = (payment: number, events: Event[]): void => {
    remembered.delete(payment);
    if (events.length <= eventsRemembered) remembered.set(payment, events);
    if (remembered.size > payments) {
      for (const oldest of remembered.keys()) {
        remembered.delete(oldest);
        break;
      }
    }
  };
  const remember = (payment: number, event: Event, first: boolean): void => {
    const events = first ? [] : remembered.get(payment);
    if (events) keepInMind(payment, [...events, event]);
  };

  const writeEvent = (draft: EventDraft, id: Buffer, recordedAt: number): void => {
    const seq = last.seq + 1;
    const writerSeq = head.seq + 1;
    const before = findPayment.get(draft.orderNumber, draft.profileId);
    const payment = before ?? seq;
    if (before === undefined) insertPayment.run(seq, draft.profileId, draft.orderNumber);
    const event: Event = { ...draft, recordedAt, writer: name, writerSeq };
    const { body, text, values: personalValues } = hidePersonal(draft);
    const { shape, values } = pack(body, draft);
    const salt = personalValues.length > 0 ? newSalt() : null;
    const personal = JSON.stringify(personalValues);
    const digest = salt && personalDigest(salt.toString('hex'), personal);
    const hash = linkHash(head.hash, contentHash(event, text, digest));
    insert.run(
      seq,
      id,
      head.id,
      writerSeq,
      payment,
      draft.paymentId,
      draft.happenedAt,
      recordedAt,
      draft.agent,
      draft.kind,
      draft.dedupeKey,
      shapes.of(shape),
      values,
      digest === null ? null : Buffer.from(digest, 'hex'),
      Buffer.from(hash, 'hex'),
    );
    if (salt) insertPersonal.run(seq, salt, personal);
    if (draft.orderNumber !== null) {
      remember(payment, event, before === undefined);
      if (!behind.has(payment)) behind.set(payment, seq);
    }
    head = { id: head.id, seq: writerSeq, hash };
    last = { seq, recordedAt };
  };

  const writeAppend = (drafts: readonly EventDraft[]): Result<Place> => {
    const ids: Buffer[] = [];
    for (const { id } of drafts) {
      const bytes = uuidBytes(id);
      if (!bytes) return fail('input.invalid', 'An event must have a UUID, in lower case, as its id.');
      ids.push(bytes);
    }
    // A clock that was set back must not turn the order of writing around.
    const recordedAt = Math.max(clock(), last.recordedAt);
    const writerSeq = head.seq + 1;
    const duplicates: boolean[] = [];
    for (const [index, draft] of drafts.entries()) {
      const { dedupeKey } = draft;
      duplicates.push(dedupeKey !== null && known.get(dedupeKey, dedupeKey) !== undefined);
      writeEvent(draft, ids[index] ?? Buffer.alloc(16), recordedAt);
    }
    return ok({ recordedAt, writerSeq, seq: last.seq, duplicates });
  };

  const writeAll = database.transaction((appends: readonly (readonly EventDraft[])[]): Result<Place>[] => {
    const places = appends.map(writeAppend);
    keepHead.run(head.seq, head.hash, head.id);
    return places;
  });

  const write = (appends: readonly (readonly EventDraft[])[]): Result<Place>[] => {
    try {
      return writeAll.immediate(appends);
    } catch (thrown) {
      recall();
      // One append that cannot be written must not take the others with it.
      if (appends.length > 1) return appends.flatMap(append => write([append]));
      return [toLogFailure(thrown)];
    }
  };

  /** Until when a payment whose evidence takes long to read is left alone: a flood on one must not stop the others. */
  const restUntil = new Map<number, number>();
  const rest = (payment: number, took: number): void => {
    restUntil.delete(payment);
    if (took < longReading) return;
    restUntil.set(payment, performance.now() + took * restFactor);
    for (const [other, until] of restUntil) if (until < performance.now()) restUntil.delete(other);
  };

  const projectSome = database.transaction((most: number): number => {
    let done = 0;
    for (const payment of behind.keys()) {
      if (done === most) break;
      const rested = restUntil.get(payment) ?? 0;
      if (most !== Number.POSITIVE_INFINITY && performance.now() < rested) continue;
      done += 1;
      const began = performance.now();
      const events = remembered.get(payment) ?? readEvents(payment);
      keepInMind(payment, events);
      rest(payment, performance.now() - began);
      keep(payment, project(events));
      behind.delete(payment);
    }
    let through = last.seq;
    for (const seq of behind.values()) {
      through = seq - 1;
      break;
    }
    keepThrough.run(through);
    return through;
  });

  const eraseSome = database.transaction((erasure: Erasure): Erased | null => {
    const found = erasing.find(erasure);
    if (found.length === 0) return null;
    const drafts = found.map(one => amendment(one, erasure, randomUUID(), clock()));
    // What is in memory still holds what is erased.
    for (const { payment } of found) remembered.delete(payment);
    const place = writeAppend(drafts);
    if (!place.ok) throw new Error(place.error.message);
    for (const { seqs } of found) erasing.erase(seqs);
    keepHead.run(head.seq, head.hash, head.id);
    projectSome(Number.POSITIVE_INFINITY);
    leftovers = true;
    return { drafts, place: place.value };
  });
  /** Merges some of the index; what was erased is gone from it, and from the write-ahead log, when none is left. */
  const eraseLeftovers = (): Erased | null => {
    if (leftovers) {
      const done = mergeIndex.immediate();
      if (!done) return { drafts: [], place: null };
      leftovers = false;
      merging = false;
    }
    database.pragma('wal_checkpoint(TRUNCATE)');
    return null;
  };

  return {
    write,
    erase: erasure => {
      try {
        return eraseSome.immediate(erasure) ?? eraseLeftovers();
      } catch (thrown) {
        recall();
        throw thrown;
      }
    },
    behind: () => behind.size,
    catchUp: most => {
      // What can be rebuilt need not wait for the disk; the next evidence takes it along.
      database.pragma('synchronous = NORMAL');
      try {
        return projectSome.immediate(most);
      } catch (thrown) {
        recall();
        throw thrown;
      } finally {
        database.pragma('synchronous = FULL');
      }
    },
  };
};
