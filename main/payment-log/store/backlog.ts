import type { LogDatabase } from './database.ts';

/** Events of one chunk when payments that are behind are read from the log. */
const chunkEvents = 4_096;

/** `own`: raised on this PC, or a person waits for it. `listed`: it has a row already. `new`: reported by others. */
export type Priority = 'own' | 'listed' | 'new';

/**
 * Payments whose row in the list is older than their evidence, in the order in which they are projected: own ones,
 * listed ones, then by age. After a start it is read from the log in chunks, so that opening never waits for all of it.
 */
export type Backlog = {
  /** Whether this payment is known to be behind, and as what. */
  priorityOf(payment: number): Priority | undefined;
  /** Adds a payment that the list lacks evidence of from `seq` on; one that is behind already may become more urgent. */
  add(payment: number, seq: number, priority: Priority): void;
  /** The payments to project next. They stay until `delete`; payments of one chunk at most. */
  next(): Iterable<number>;
  delete(payment: number): void;
  /** How many payments are behind; of what was not read yet, the events. */
  size(): number;
  /** The event up to which the list shows everything; `last`: the log's last one. */
  through(last: number): number;
  /** Begins again from what the file says. */
  reset(): void;
};

/** `database`: opened for writing. All of it throws SQLite's errors. */
export const backlog = (database: LogDatabase): Backlog => {
  const readThrough = database.prepare<[], number>('SELECT through FROM projection').pluck();
  const readLast = database.prepare<[], number | null>('SELECT max(seq) FROM event').pluck();
  // By the events' own order: by the index of payments every event of the log would be read.
  const readChunk = database
    .prepare<[number, number], [payment: number, seq: number, order: string | null]>(
      `SELECT e.payment, min(e.seq), p.order_number FROM event e NOT INDEXED CROSS JOIN payment p ON p.id = e.payment
       WHERE e.seq > ? AND e.seq <= ? GROUP BY e.payment ORDER BY min(e.seq)`,
    )
    .raw();

  const own = new Set<number>();
  const listed = new Set<number>();
  /** Payments behind and the first event that the list lacks: what was read from the log, and what was written since. */
  const read = new Map<number, number>();
  const written = new Map<number, number>();
  /** Events up to here were read or written since; those up to `end` are still to be read. */
  let scanned = 0;
  let end = 0;

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
    reset,
  };
};
