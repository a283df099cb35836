import {
  closeSync,
  copyFileSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import type { ChainEnd } from '../../answers.ts';
import { openForReading } from '../store/database.ts';
import type { LogKey } from '../key/log-key.ts';

/**
 * The end of the own chain, in a file beside the log. A write-ahead log ends for SQLite at its first damaged page, and
 * what follows is gone without a trace; only something outside of it shows that more had been confirmed. The file is
 * written after each flushed batch and not flushed itself, so it is never ahead of the log.
 */
export const chainEndFile = (logFile: string): string => `${logFile}.end`;

/** The recorded end, and the ends that were found to be missing: they stay reported until the log is replaced. */
export type RecordedEnd = { end: ChainEnd; cuts: readonly ChainEnd[] };

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
    const { end, cuts } = JSON.parse(readFileSync(chainEndFile(logFile), 'utf8')) as Record<string, unknown>;
    return isEnd(end) && Array.isArray(cuts) && cuts.every(isEnd) ? { end, cuts } : null;
  } catch {
    return null;
  }
};

/** Forgets the end: the log is another one from here on. Throws file system errors. */
export const forgetChainEnd = (logFile: string): void => rmSync(chainEndFile(logFile), { force: true });

export type ChainEndRecorder = {
  /** Records what was just flushed. Throws file system errors. */
  record(end: ChainEnd): void;
  close(): void;
};

/** Opens the file for writing. `cuts`: kept in it. Throws file system errors. */
export const openChainEnd = (logFile: string, cuts: readonly ChainEnd[]): ChainEndRecorder => {
  const handle = openSync(chainEndFile(logFile), 'w', 0o600);
  let length = 0;
  return {
    record: end => {
      const text = `${JSON.stringify({ end, cuts })}\n`;
      writeSync(handle, text, 0);
      if (text.length < length) ftruncateSync(handle, text.length);
      ({ length } = text);
    },
    close: () => closeSync(handle),
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

/**
 * Compares the recorded end with the log, before anything writes to it. `missing`: how many confirmed events of the
 * chain are not there; the write-ahead log, which SQLite would overwrite, is kept as `keptAs` then. Null if everything
 * is there or nothing can be compared. Throws file system and SQLite errors.
 */
export const findCut = (
  logFile: string,
  key: LogKey | null,
  writer: string,
  now: number,
): { end: ChainEnd; missing: number; keptAs: string | null } | null => {
  const recorded = readChainEnd(logFile)?.end;
  if (recorded?.writer !== writer || statSync(logFile, { throwIfNoEntry: false }) === undefined) return null;
  const opened = openForReading(logFile, { older: true, key });
  if (!opened.ok) return null;
  const database = opened.value;
  let last: number;
  let link: string | undefined;
  try {
    last =
      database.prepare<[string], number>('SELECT last_seq FROM writer WHERE name = ?').pluck().get(writer) ??
      0;
    link = database
      .prepare<[number, number, string], Buffer>(
        `SELECT e.hash FROM event e JOIN writer w ON w.id = e.writer
         WHERE e.seq >= ? AND e.writer_seq = ? AND w.name = ? ORDER BY e.seq LIMIT 1`,
      )
      .pluck()
      .get(recorded.seq, recorded.seq, writer)
      ?.toString('hex');
  } finally {
    database.close();
  }
  if (recorded.seq === 0 || link === recorded.hash) return null;
  const wal = `${logFile}-wal`;
  const hasWal = (statSync(wal, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const keptAs = hasWal ? keptName(logFile, now) : null;
  if (keptAs !== null) copyFileSync(wal, keptAs);
  return { end: recorded, missing: Math.max(1, recorded.seq - last), keptAs };
};
