import type { LogDatabase } from './database.ts';

/** Batch size when pending payments are read from the log, events. */
const chunkEvents = 4_096;
/** Default limit of payments in memory that were written since; beyond it they are read from the log like older ones. */
const defaultMaxWritten = 50_000;

/** `own`: created on this PC, or a user waits for it. `listed`: it has a row already. `new`: reported by others. */
export type Priority = 'own' | 'listed' | 'new';

/**
 * Payments whose row in the list is older than their evidence, in projection order: own ones, listed ones, then by
 * age. After a start it is read from the log in chunks, so that opening the log does not wait for it.
 */
export type Backlog = {
  /** The priority of this payment if it is known to be behind. */
  priorityOf(payment: number): Priority | undefined;
  /** Adds a payment whose events from `seq` on are not in the list; the priority of a known one may rise. */
  add(payment: number, seq: number, priority: Priority): void;
  /** The payments to project next, at most one chunk. They remain until `delete`. */
  next(): Iterable<number>;
  delete(payment: number): void;
  /** The number of payments behind; for the unread part, the number of events. */
  size(): number;
  /** The event up to which the list is complete; `last`: the last event of the log. */
  through(last: number): number;
  /** The events that the list lacked when the state was last read from the file: above `after`, up to `until`. */
  missed(): { after: number; until: number };
  /** Reloads the state from the file. */
  reset(): void;
};

/** `database`: opened for writing. Every method throws SQLite errors. */
export const backlog = (database: LogDatabase, maxWritten = defaultMaxWritten): Backlog => {
  const readThrough = database.prepare<[], number>('SELECT through FROM projection').pluck();
  const readLast = database.prepare<[], number | null>('SELECT max(seq) FROM event').pluck();
  // In the order of the events: the index of payments would read every event of the log.
  const readChunk = database
    .prepare<[number, number], [payment: number, seq: number, order: string | null]>(
      `SELECT e.payment, min(e.seq), p.order_number FROM event e NOT INDEXED CROSS JOIN payment p ON p.id = e.payment
       WHERE e.seq > ? AND e.seq <= ? GROUP BY e.payment ORDER BY min(e.seq)`,
    )
    .raw();

  const own = new Set<number>();
  const listed = new Set<number>();
  /** Payments behind, each with its first event that the list lacks: read from the log, and written since. */
  const read = new Map<number, number>();
  const written = new Map<number, number>();
  /** Events up to this number were scanned or written since; those up to `end` are still to be read. */
  let scanned = 0;
  let end = 0;
  let missed = { after: 0, until: 0 };

  const readMore = (): void => {
    while (read.size === 0 && scanned < end) {
      const until = Math.min(end, scanned + chunkEvents);
      for (const [payment, seq, order] of readChunk.all(scanned, until))
        if (order !== null) read.set(payment, seq);
      scanned = until;
    }
  };
  const reset = (): void => {
    for (const one of [own, listed, read, written]) one.clear();
    scanned = readThrough.get() ?? 0;
    end = readLast.get() ?? 0;
    missed = { after: scanned, until: end };
  };
  const firstOf = (payments: ReadonlyMap<number, number>): number | undefined => {
    for (const seq of payments.values()) return seq;
    return undefined;
  };
  reset();

  return {
    priorityOf: payment => {
      if (own.has(payment)) return 'own';
      if (listed.has(payment)) return 'listed';
      return written.has(payment) || read.has(payment) ? 'new' : undefined;
    },
    add: (payment, seq, priority) => {
      if (written.size >= maxWritten) {
        if (scanned === end) scanned = (firstOf(written) ?? seq) - 1;
        end = seq;
        for (const one of [own, listed, written]) one.clear();
        return;
      }
      if (!read.has(payment) && !written.has(payment)) written.set(payment, seq);
      if (priority === 'own') own.add(payment);
      else if (priority === 'listed') listed.add(payment);
    },
    next: function* () {
      yield* own;
      for (const payment of listed) if (!own.has(payment)) yield payment;
      readMore();
      const isWaiting = (payment: number): boolean => !own.has(payment) && !listed.has(payment);
      for (const payment of read.keys()) if (isWaiting(payment)) yield payment;
      for (const payment of written.keys()) if (isWaiting(payment) && !read.has(payment)) yield payment;
    },
    delete: payment => {
      for (const one of [own, listed, read, written]) one.delete(payment);
    },
    size: () => read.size + written.size + (end - scanned),
    through: last => {
      const first = firstOf(read);
      if (first !== undefined) return first - 1;
      if (scanned < end) return scanned;
      return (firstOf(written) ?? last + 1) - 1;
    },
    missed: () => missed,
    reset,
  };
};
