import {
  closeSync,
  copyFileSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
  type BigIntStats,
} from 'node:fs';
import {
  flushFileSync,
  replaceFileSync,
  temporaryName,
  writeFileAtomicSync,
} from '../../../files/replace-file.ts';
import type { ChainEnd } from '../../answers.ts';
import { attempt } from '../../log-failures.ts';
import { emptyLog, openForReading, type LogDatabase } from '../store/database.ts';

/**
 * The end of the own chain, in a file beside the log. A write-ahead log ends for SQLite at its first damaged page, and
 * what follows is gone without a trace; only something outside of it shows that more had been confirmed. The file is
 * written after each flushed batch and not flushed itself, so it is never ahead of the log.
 */
export const chainEndFile = (logFile: string): string => `${logFile}.end`;

/**
 * An end that was confirmed and is missing: with how many events, recorded after `from` (0 if unknown) and before
 * `until`, milliseconds.
 */
export type Cut = ChainEnd & { missing: number; from: number; until: number };

/**
 * The recorded end, and the ends that were found to be missing: they stay reported until they are back, a person has
 * settled the loss, or the log is replaced. `clean`:
 * the identity of the log's file if its search index holds no erased words; null if it may hold some. `madeAt`: when this
 * run made the file of a used log again, because it was missing, milliseconds; null: it was there.
 */
export type RecordedEnd = {
  end: ChainEnd;
  cuts: readonly Cut[];
  clean: string | null;
  madeAt: number | null;
};

/** Differs between a file, its copies and the file that it replaced; null if there is none. */
export const fileIdentity = (file: string): string | null => {
  const found: BigIntStats | undefined = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
};

const isCut = (value: unknown): value is Cut =>
  isEnd(value) && ['missing', 'from', 'until'].every(name => name in value);

const isEnd = (value: unknown): value is ChainEnd =>
  typeof value === 'object' &&
  value !== null &&
  'writer' in value &&
  typeof value.writer === 'string' &&
  'seq' in value &&
  Number.isSafeInteger(value.seq) &&
  'hash' in value &&
  typeof value.hash === 'string';

/** What the file says; null if there is none, or if it cannot be read: then nothing can be compared. */
export const readChainEnd = (logFile: string): RecordedEnd | null => {
  try {
    const read = JSON.parse(readFileSync(chainEndFile(logFile), 'utf8')) as Record<string, unknown>;
    const { end, cuts, clean, madeAt } = read;
    if (!isEnd(end) || !Array.isArray(cuts) || !cuts.every(isCut)) return null;
    return {
      end,
      cuts,
      clean: typeof clean === 'string' ? clean : null,
      madeAt: typeof madeAt === 'number' ? madeAt : null,
    };
  } catch {
    return null;
  }
};

/** What is reported as missing from a log, in all; null if nothing is. */
export const lossOf = (logFile: string): Pick<Cut, 'missing' | 'from' | 'until'> | null => {
  const cuts = readChainEnd(logFile)?.cuts ?? [];
  return cuts.length === 0
    ? null
    : {
        missing: cuts.reduce((sum, { missing }) => sum + missing, 0),
        from: Math.min(...cuts.map(({ from }) => from)),
        until: Math.max(...cuts.map(({ until }) => until)),
      };
};

/** A reader of the hash of one event of a chain; undefined if it is missing. Throws SQLite errors. */
export const linkReader = (
  database: LogDatabase,
): ((of: Pick<ChainEnd, 'writer' | 'seq'>) => string | undefined) => {
  // A writer's number is never above the log's own, so the search begins at the event or just before it.
  const select = database
    .prepare<[number, number, string], Buffer>(
      `SELECT e.hash FROM event e JOIN writer w ON w.id = e.writer
       WHERE e.seq >= ? AND e.writer_seq = ? AND w.name = ? ORDER BY e.seq LIMIT 1`,
    )
    .pluck();
  return ({ writer, seq }) => select.get(seq, seq, writer)?.toString('hex');
};

/** The cuts that are missing still: a journal fetches back what a shared log has. Throws SQLite errors. */
export const stillMissing = (database: LogDatabase, cuts: readonly Cut[]): readonly Cut[] => {
  const linkOf = linkReader(database);
  return cuts.filter(cut => linkOf(cut) !== cut.hash);
};

/** The content of the file while the log is another one than before, until the next start. */
const forgotten = '{}';

/** Forgets the end: the log is another one from here on. Throws file system errors. */
export const forgetChainEnd = (logFile: string): void =>
  writeFileAtomicSync(chainEndFile(logFile), forgotten);

/** Whether the end of a used log was not forgotten, and is missing all the same. */
export const isEndMissing = (logFile: string): boolean => {
  if (readChainEnd(logFile) !== null) return false;
  try {
    return readFileSync(chainEndFile(logFile), 'utf8') !== forgotten;
  } catch {
    return true;
  }
};

const textOf = (recorded: RecordedEnd): string => `${JSON.stringify(recorded)}\n`;

/**
 * Records this durably and opens the file for further ends. Neither the end of the process nor a power cut leaves the
 * file empty, which would forget what was found to be missing. Throws file system errors.
 */
export const openChainEnd = (logFile: string, recorded: RecordedEnd) => {
  const { madeAt } = recorded;
  let { end, clean, cuts } = recorded;
  const first = textOf(recorded);
  writeFileAtomicSync(chainEndFile(logFile), first);
  const handle = openSync(chainEndFile(logFile), 'r+');
  let { length } = first;
  const write = (): void => {
    const text = textOf({ end, cuts, clean, madeAt });
    writeSync(handle, text, 0);
    if (text.length < length) ftruncateSync(handle, text.length);
    ({ length } = text);
  };
  return {
    /** Records what was just flushed. Throws file system errors. */
    record: (later: ChainEnd): void => {
      end = later;
      write();
    },
    /** Records, durably if it may hold some, whether the search index holds erased words. Throws file system errors. */
    setClean: (isClean: boolean): void => {
      if (isClean === (clean !== null)) return;
      clean = isClean ? fileIdentity(logFile) : null;
      write();
      // The erasure that follows must not reach the disk before this.
      if (!isClean) fsyncSync(handle);
    },
    /** Records durably which ends are missing. Throws file system errors. */
    setCuts: (left: readonly Cut[]): void => {
      if (left.length === cuts.length) return;
      cuts = left;
      write();
      fsyncSync(handle);
    },
    close: (): void => closeSync(handle),
  };
};

/** The first unused name for a damaged write-ahead log that is kept. */
const keptName = (logFile: string, now: number): string => {
  const name = `${logFile}.damaged-wal-${new Date(now).toISOString().replaceAll(':', '-').slice(0, 19)}`;
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${String(number)}`;
    if (statSync(free, { throwIfNoEntry: false }) === undefined) return free;
  }
};

/** Copies a file durably: whole or not at all. Throws file system errors. */
const keepFile = (from: string, to: string): void => {
  const part = temporaryName(to);
  try {
    copyFileSync(from, part);
    flushFileSync(part);
    replaceFileSync(part, to);
  } catch (thrown) {
    rmSync(part, { force: true });
    throw thrown;
  }
};

/**
 * The number of the chain's last event, the hash of the event that the recorded end names, and when the log's last event
 * was recorded; null if the log cannot be opened. Throws SQLite errors.
 */
const readEnd = (
  logFile: string,
  end: ChainEnd,
): { last: number; link: string | undefined; lastAt: number } | null => {
  const opened = openForReading(logFile);
  // All of a young log may have been in its write-ahead log.
  if (!opened.ok)
    return opened.error.details?.['cause'] === emptyLog ? { last: 0, link: undefined, lastAt: 0 } : null;
  const database = opened.value;
  try {
    const lastOf = database.prepare<[string], number>('SELECT last_seq FROM writer WHERE name = ?').pluck();
    const lastRecorded = database
      .prepare<[], number>('SELECT recorded_at FROM event ORDER BY seq DESC LIMIT 1')
      .pluck();
    return {
      last: lastOf.get(end.writer) ?? 0,
      link: linkReader(database)(end),
      lastAt: lastRecorded.get() ?? 0,
    };
  } finally {
    database.close();
  }
};

/**
 * Compares the recorded end with the log, before anything writes to it. `cut`: the end that is missing; the write-ahead
 * log, which SQLite would overwrite, is kept as `keptAs` then. Null if everything is there or nothing can be compared.
 * Throws file system errors if the write-ahead log could not be kept: then the log must not be opened for writing.
 */
export const findCut = (
  logFile: string,
  writer: string,
  now: number,
): { cut: Cut; keptAs: string | null } | null => {
  const recorded = readChainEnd(logFile)?.end;
  if (recorded?.writer !== writer || statSync(logFile, { throwIfNoEntry: false }) === undefined) return null;
  const found = attempt(() => readEnd(logFile, recorded));
  // A log that cannot be read is not opened for writing either.
  if (!found.ok || found.value === null || recorded.seq === 0 || found.value.link === recorded.hash)
    return null;
  const wal = `${logFile}-wal`;
  const hasWal = (statSync(wal, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const keptAs = hasWal ? keptName(logFile, now) : null;
  if (keptAs !== null) keepFile(wal, keptAs);
  const { last, lastAt } = found.value;
  return {
    cut: { ...recorded, missing: Math.max(1, recorded.seq - last), from: lastAt, until: now },
    keptAs,
  };
};
