import { chainedEvents } from '../sqlite/query/chained-events.ts';
import type { LogDatabase } from '../sqlite/store/database.ts';
import type { ChainSource } from './copy-chains.ts';

/** The chain of this installation, in its journal, opened for reading. */
export const journalSource = (journal: LogDatabase, own: string): ChainSource => {
  const end = journal.prepare<[string], number>('SELECT last_seq FROM writer WHERE name = ?').pluck();
  const read = chainedEvents(journal);
  return {
    ends: () => {
      const seq = end.get(own) ?? 0;
      return Promise.resolve(seq === 0 ? [] : [{ writer: own, seq }]);
    },
    read: (writer, from, to) => Promise.resolve(read(writer, from - 1, to - from + 1)),
  };
};
