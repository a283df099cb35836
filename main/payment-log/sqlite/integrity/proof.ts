import { contentHash } from '../../evidence/chain.ts';
import { maxPathEvents, provenEvent } from '../../evidence/proven-event.ts';
import type { LogDatabase } from '../store/database.ts';
import {
  digestOf,
  eventReading,
  eventHeaderOf,
  personalOf,
  selectEvents,
  type StoredEvent,
} from '../store/stored-event.ts';
import type { ProofPath, ProvenEvent } from '../../answers.ts';

/** The proof of an order's events: the events, and on request the path from one of them to a signed head. */
export const logProof = (database: LogDatabase) => {
  const reading = eventReading(database);
  const ofOrder = database
    .prepare<[string, string], StoredEvent>(
      `${selectEvents} WHERE payment.order_number = ? AND payment.profile_id = ? ORDER BY event.seq`,
    )
    .raw();
  const eventsAfter = database
    .prepare<[number, string, number, number], StoredEvent>(
      `${selectEvents} WHERE event.seq >= ? AND writer.name = ? AND event.writer_seq BETWEEN ? AND ?
       ORDER BY event.seq`,
    )
    .raw();
  const linkBefore = database
    .prepare<[number, string, number], Buffer>(
      `SELECT e.hash FROM event e JOIN writer w ON w.id = e.writer
       WHERE e.seq < ? AND w.name = ? AND e.writer_seq = ? ORDER BY e.seq DESC LIMIT 1`,
    )
    .pluck();
  const seqOf = database
    .prepare<[string, string, string, number], number>(
      `SELECT e.seq FROM event e JOIN payment p ON p.id = e.payment JOIN writer w ON w.id = e.writer
       WHERE p.order_number = ? AND p.profile_id = ? AND w.name = ? AND e.writer_seq = ?`,
    )
    .pluck();

  return {
    events: (profileId: string, orderNumber: string): ProvenEvent[] =>
      ofOrder
        .all(orderNumber, profileId)
        .map(row => provenEvent(eventHeaderOf(row), reading.body(row), personalOf(row), digestOf(row))),
    /** The path from an order's event to a head that names number `last`; null if it is too long or missing. */
    path: (
      profileId: string,
      orderNumber: string,
      writer: string,
      first: number,
      last: number,
    ): ProofPath | null => {
      const seq = seqOf.get(orderNumber, profileId, writer, first);
      if (seq === undefined || last < first || last - first >= maxPathEvents) return null;
      const contents: string[] = [];
      for (const row of eventsAfter.iterate(seq, writer, first, last)) {
        // A replica may have only a part of the chain, and in another order after a clock was set.
        if (row[3] !== first + contents.length) return null;
        contents.push(contentHash(eventHeaderOf(row), reading.body(row), digestOf(row)));
        if (row[3] === last) break;
      }
      const from = first === 1 ? '0'.repeat(64) : linkBefore.get(seq, writer, first - 1)?.toString('hex');
      return from !== undefined && contents.length === last - first + 1
        ? { writer, first, last, from, contents }
        : null;
    },
  };
};
