import { randomFillSync, randomUUID } from 'node:crypto';
import { fail, ok, type Result } from '../../../../shared/errors.ts';
import type { Event, EventDraft } from '../../../../shared/payments/evidence.ts';
import { msg } from '../../../../shared/messages/message.ts';
import { chainStart, contentHash, linkHash, personalDigest, uuidBytes } from '../../evidence/chain.ts';
import type { LogDatabase } from './database.ts';
import { amendment, eraser } from './erase.ts';
import { erasedWords, type ErasureStep } from './erased-words.ts';
import { toLogFailure } from '../../log-failures.ts';
import { maxTextBytes } from '../../evidence/event-limits.ts';
import { hidePersonal } from '../../evidence/pii.ts';
import { orderLimits } from './order-limits.ts';
import { encodeBody } from '../../evidence/body-codec.ts';
import { selectKnown } from './stored-event.ts';
import { wellFormed } from '../../evidence/well-formed.ts';
import type { ChainedEvent, ChainEnd, Erasure } from '../../answers.ts';
import { restoredEvent, type StoredContent } from './restored-event.ts';

/** Salt size, bytes, and how many are generated in one system call: each costs more than a hash. */
const saltBytes = 16;
const atOnce = 256;

/** Random salts for personal values. */
const salts = (): (() => Buffer) => {
  const pool = Buffer.alloc(saltBytes * atOnce);
  let at = pool.length;
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    at += saltBytes;
    return Buffer.from(pool.subarray(at - saltBytes, at));
  };
};

/** The position of an append in its writer's chain; its events are consecutive. */
export type AppendedPlace = {
  recordedAt: number;
  /** The writer's number of its first event. */
  writerSeq: number;
  /** The log's number of its last event. */
  seq: number;
  duplicates: boolean[];
  /** Nothing was written: the same callback is in the log often enough. */
  isOmitted: boolean;
};

/** The amendments that were written, and their position; none if only traces were removed. */
export type Erased = { drafts: readonly EventDraft[]; appended: AppendedPlace | null };

/** The only writer of the log. Evidence is durable when `write` returns. */
export type LogWriter = ReturnType<typeof logWriter>;

type Head = { id: number; seq: number; hash: string };

/** Finds a shape's number, or assigns one. */
const shapeNumbers = (database: LogDatabase): { of(shape: string): number; clear(): void } => {
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
    clear: () => known.clear(),
  };
};

/**
 * Starts writing as `name` (one chain per installation). `database`: opened for writing.
 * `mayHoldErasedWords`: an earlier run may have left some. Throws SQLite errors while it reads the
 * end of the log.
 */
export const logWriter = (
  database: LogDatabase,
  name: string,
  computerClock: () => number,
  mayHoldErasedWords = false,
) => {
  let correction = 0;
  const clock = (): number => computerClock() + correction;
  database
    .prepare<[string, string]>('INSERT OR IGNORE INTO writer (name, last_seq, last_hash) VALUES (?, 0, ?)')
    .run(name, chainStart);
  const readHead = database.prepare<[string], Head>(
    'SELECT id, last_seq AS seq, last_hash AS hash FROM writer WHERE name = ?',
  );
  const updateHead = database.prepare<[number, string, number]>(
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
  const dropNamed = database.prepare<[number, Buffer | null]>(
    'DELETE FROM personal WHERE event IN (SELECT seq FROM event WHERE payment = ? AND id = ?)',
  );
  const insertPayment = database.prepare<[number, string, string | null]>(
    'INSERT INTO payment VALUES (?, ?, ?)',
  );
  const findPayment = database
    .prepare<[string | null, string], number>(
      'SELECT id FROM payment WHERE order_number IS ? AND profile_id = ?',
    )
    .pluck();
  const known = database.prepare<[number, string, string], number>(selectKnown).pluck();
  const limits = orderLimits(database);
  const shapes = shapeNumbers(database);
  const newSalt = salts();
  const erasing = eraser(database);
  const words = erasedWords(database, mayHoldErasedWords && lastWritten.get() !== undefined, false);

  let head: Head = { id: 0, seq: 0, hash: chainStart };
  let last = { seq: 0, recordedAt: 0 };
  /** Reloads the state in memory: at the start, and after a transaction was rolled back. */
  const resetFromDisk = (): void => {
    shapes.clear();
    limits.reset();
    head = readHead.get(name) ?? head;
    last = lastWritten.get() ?? { seq: 0, recordedAt: 0 };
  };
  resetFromDisk();

  /** `before`: the order's id; undefined if the log does not contain it yet. Returns the order's id. */
  const insertEvent = (
    event: Event,
    before: number | undefined,
    id: Buffer,
    { shape, values, digest, hash, salt, personal }: StoredContent,
  ): number => {
    const seq = last.seq + 1;
    const payment = before ?? seq;
    if (before === undefined) insertPayment.run(seq, event.profileId, event.orderNumber);
    insert.run(
      seq,
      id,
      head.id,
      event.writerSeq,
      payment,
      event.paymentId,
      event.happenedAt,
      event.recordedAt,
      event.agent,
      event.kind,
      event.dedupeKey,
      shapes.of(shape),
      values,
      digest === null ? null : Buffer.from(digest, 'hex'),
      Buffer.from(hash, 'hex'),
    );
    if (salt) insertPersonal.run(seq, salt, personal);
    limits.count(payment, event, before === undefined);
    head = { id: head.id, seq: event.writerSeq, hash };
    last = { seq, recordedAt: Math.max(last.recordedAt, event.recordedAt) };
    return payment;
  };

  const writeEvent = (
    draft: EventDraft,
    before: number | undefined,
    id: Buffer,
    recordedAt: number,
  ): void => {
    const event: Event = { ...draft, recordedAt, writer: name, writerSeq: head.seq + 1 };
    const { body, text, values: personalValues } = hidePersonal(draft);
    const { shape, values } = encodeBody(body, draft);
    const salt = personalValues.length > 0 ? newSalt() : null;
    const personal = JSON.stringify(personalValues);
    const digest = salt && personalDigest(salt.toString('hex'), personal);
    const hash = linkHash(head.hash, contentHash(event, text, digest));
    insertEvent(event, before, id, { shape, values, digest, hash, salt, personal });
  };

  const restoreAll = database.transaction((events: readonly ChainedEvent[]): number => {
    for (const one of events) {
      const { event, id, content } = restoredEvent(one, name, head);
      const before = findPayment.get(one.orderNumber, one.profileId);
      const payment = insertEvent(event, before, id, content);
      // What was erased after this copy was made must not come back.
      if (event.kind === 'amended') {
        for (const named of event.body.events) dropNamed.run(payment, uuidBytes(named));
        words.added();
      }
    }
    updateHead.run(head.seq, head.hash, head.id);
    return last.seq;
  });

  const writeAppend = (drafts: readonly EventDraft[]): Result<AppendedPlace> => {
    const ids: Buffer[] = [];
    for (const { id } of drafts) {
      const bytes = uuidBytes(id);
      if (!bytes) return fail('input.invalid', msg('payment-log.event-id'));
      ids.push(bytes);
    }
    if (drafts.some(({ body }) => Buffer.byteLength(JSON.stringify(body)) > maxTextBytes))
      return fail('input.invalid', msg('payment-log.event-size'));
    // A clock that was set back must not change the order of recording times.
    const recordedAt = Math.max(clock(), last.recordedAt);
    const writerSeq = head.seq + 1;
    const duplicates: boolean[] = [];
    const paymentOf = ({ orderNumber, profileId }: EventDraft): number | undefined =>
      findPayment.get(orderNumber, profileId);
    const [only] = drafts.length === 1 ? drafts : [];
    const onlyPayment = only && paymentOf(only);
    if (only) {
      const admission = limits.admit(onlyPayment, only);
      if (admission === 'repeat')
        return ok({ recordedAt, writerSeq, seq: last.seq, duplicates: [true], isOmitted: true });
      if (admission !== 'admitted') return admission;
    }
    for (const [index, draft] of drafts.entries()) {
      const { dedupeKey } = draft;
      const payment = draft === only ? onlyPayment : paymentOf(draft);
      duplicates.push(
        dedupeKey !== null && payment !== undefined && known.get(payment, dedupeKey, dedupeKey) !== undefined,
      );
      writeEvent(draft, payment, ids[index] ?? Buffer.alloc(16), recordedAt);
    }
    return ok({ recordedAt, writerSeq, seq: last.seq, duplicates, isOmitted: false });
  };

  const writeAll = database.transaction(
    (appends: readonly (readonly EventDraft[])[]): Result<AppendedPlace>[] => {
      const places = appends.map(writeAppend);
      updateHead.run(head.seq, head.hash, head.id);
      return places;
    },
  );

  const write = (appends: readonly (readonly EventDraft[])[]): Result<AppendedPlace>[] => {
    try {
      return writeAll.immediate(appends);
    } catch (thrown) {
      resetFromDisk();
      // One append that cannot be written must not fail the others.
      if (appends.length > 1) return appends.flatMap(append => write([append]));
      return [toLogFailure(thrown)];
    }
  };

  const eraseSome = database.transaction((erasure: Erasure): Erased | null => {
    if (erasure.reason === 'elsewhere') {
      if (!erasing.eraseAmended(erasure.events)) return null;
      words.added();
      return { drafts: [], appended: null };
    }
    const found = erasing.find(erasure, clock());
    if (found.length === 0) return null;
    const drafts = found.map(one => wellFormed(amendment(one, erasure, randomUUID(), clock())));
    const appended = writeAppend(drafts);
    if (!appended.ok) throw new Error(`The erasure could not be recorded: ${appended.error.code}`);
    for (const { seqs } of found) erasing.erase(seqs);
    updateHead.run(head.seq, head.hash, head.id);
    words.added();
    return { drafts, appended: appended.value };
  });
  return {
    /** Writes several appends of well-formed text in one transaction; each gets its own result, in order. */
    write,
    /**
     * Runs the next step of an erasure, in one transaction. It deletes personal data and records amendments, or removes
     * traces from the write-ahead log. Returns null when neither contains any. Throws SQLite errors.
     */
    erase: (erasure: Erasure): Erased | null => {
      try {
        const erased = eraseSome.immediate(erasure);
        if (erased !== null) return erased;
        return words.remove() === 'more' ? { drafts: [], appended: null } : null;
      } catch (thrown) {
        resetFromDisk();
        throw thrown;
      }
    },
    /** Whether the write-ahead log may still hold erased words, for example since an erasure was interrupted. */
    hasErasedWords: (): boolean => words.areLeft(),
    /** Removes them. Throws SQLite errors. */
    removeErasedWords: (): ErasureStep => words.remove(),
    /**
     * Stores the events that continue this writer's chain, byte for byte, as another log holds them; all or none. Returns
     * the log's number of the last event. Throws SQLite errors, and a LogFailure (`log.fork`) if they do not continue it.
     */
    restore: (events: readonly ChainedEvent[]): number => {
      try {
        return restoreAll.immediate(events);
      } catch (thrown) {
        resetFromDisk();
        throw thrown;
      }
    },
    /** From now on `milliseconds` are added to the clock. */
    correctClock: (milliseconds: number): void => {
      correction = milliseconds;
    },
    /** The end of the own chain, as it was last committed. */
    end: (): ChainEnd => ({ writer: name, seq: head.seq, hash: head.hash }),
    /** Whether the log holds evidence. */
    isUsed: (): boolean => last.seq > 0,
  };
};
