import { chainedEvents } from '../sqlite/query/chained-events.ts';
import type { LogDatabase } from '../sqlite/store/database.ts';
import type { ChainSource } from './copy-chains.ts';

/** The chain of this installation, in its journal, opened for reading. */
export const journalSource = (journal: LogDatabase, own: string): ChainSource => {
  const end = journal.prepare<[string], number>('SELECT last_seq FROM writer WHERE name = ?').pluck();
  const read = chainedEvents(journal);
  const firstSince = journal
    .prepare<[string, number], number>(
      `SELECT event.writer_seq FROM event JOIN writer ON writer.id = event.writer
       WHERE writer.name = ? AND event.recorded_at >= ? ORDER BY event.seq LIMIT 1`,
    )
    .pluck();
  return {
    ends: () => {
      const seq = end.get(own) ?? 0;
      return Promise.resolve(seq === 0 ? [] : [{ writer: own, seq }]);
    },
    firstSince: (writer, since) => Promise.resolve(firstSince.get(writer, since) ?? null),
    read: (writer, from, to) => Promise.resolve(read(writer, from - 1, to - from + 1)),
  };
};
