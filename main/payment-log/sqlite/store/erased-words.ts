import { busyTimeoutMs, type LogDatabase } from './database.ts';

/** Batch size of an index merge, pages: about ten milliseconds. */
const mergedPages = 200;

/** `more`: a further step is needed. `later`: a reader still needs the write-ahead log, which holds erased words. */
export type ErasureStep = 'done' | 'more' | 'later';

/**
 * Words that were erased. They stay in the write-ahead log until it is cut; in a search index FTS5 only marks them as
 * deleted, and they stay in its older parts until all parts are merged. Every method throws SQLite errors. `areLeft`:
 * whether an earlier run may have left some; `isIndexed`: whether the file has a search index.
 */
export const erasedWords = (database: LogDatabase, areLeft: boolean, isIndexed: boolean) => {
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck();
  let left = areLeft;
  let merge: 'to begin' | 'begun' | 'finished' = areLeft && isIndexed ? 'to begin' : 'finished';
  const mergeSome = database.transaction((): boolean => {
    const before = changes.get() ?? 0;
    const sign = merge === 'begun' ? '' : '-';
    database.exec(`INSERT INTO search (search, rank) VALUES ('merge', ${sign}${mergedPages})`);
    return (changes.get() ?? 0) - before < 2;
  });
  /** Appends must not wait for a reader, which may be a long verification. */
  const cutWriteAheadLog = (): boolean => {
    database.pragma('busy_timeout = 0');
    try {
      return database.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0;
    } finally {
      database.pragma(`busy_timeout = ${busyTimeoutMs}`);
    }
  };
  return {
    /** Words were deleted that must not stay in the files. */
    added: (): void => {
      left = true;
      if (isIndexed) merge = 'to begin';
    },
    areLeft: (): boolean => left,
    /** Removes part of what is left, in one short transaction. */
    remove: (): ErasureStep => {
      if (merge !== 'finished') {
        merge = mergeSome.immediate() ? 'finished' : 'begun';
        if (merge === 'begun') return 'more';
      }
      left = !cutWriteAheadLog();
      return left ? 'later' : 'done';
    },
  };
};
