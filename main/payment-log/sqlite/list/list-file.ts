import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { ok, type Result } from '../../../../shared/errors.ts';
import { attempt, toLogFailure } from '../../log-failures.ts';
import { anyLog } from '../../payment-log.ts';
import { projectionVersion } from '../../projection/project.ts';
import { busyTimeoutMs, type LogDatabase } from '../store/database.ts';
import { isOfJournal } from './follow-journal.ts';
import { listTables } from './list-tables.ts';

/** The list of payments of an installation, beside its payment log. */
export const listFileOf = (logFile: string): string => `${logFile}.list`;

/** The application id that marks the file as a list: "CfLs". */
const applicationId = 0x43664c73;
/** Raised with the tables; a file with others, or of another version of the results, is made again. */
const tablesVersion = 1;
const version = tablesVersion * 1_000 + projectionVersion;

/** Cache of the only writer, KiB. */
const cacheKib = 64 * 1024;
/** Cache of each reader, KiB. */
const readerCacheKib = 32 * 1024;
/** Checkpoint interval, pages of the write-ahead log. */
const checkpointPages = 4_000;

/** Deletes a list: everything in it is made again. Throws file system errors. */
export const deleteList = (file: string): void => {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${ending}`, { force: true });
};

/** Restricts the schema's functions before any of the file is used. */
const restrict = (database: LogDatabase): void => {
  database.pragma('trusted_schema = OFF');
  database.pragma('cell_size_check = ON');
};

const isOfThisVersion = (database: LogDatabase): boolean =>
  database.pragma('application_id', { simple: true }) === applicationId &&
  database.pragma('user_version', { simple: true }) === version;

/**
 * What a list has to be. `logId`: the shared log whose chains it has, null for none; `now`: milliseconds; `maxAwayMs`: how
 * long it may be without the erasures of the shared log.
 */
export type WantedList = { logId: string | null; now: number; maxAwayMs: number };

/** Whether it may have customers whose erasure is not known here for too long. */
const isForgotten = (database: LogDatabase, { logId, now, maxAwayMs }: WantedList): boolean => {
  const currentAt = database.prepare<[], number>('SELECT current_at FROM state').pluck().get() ?? 0;
  return logId !== null && now - currentAt > maxAwayMs;
};

/** Whether its chains are those of the shared log; one without any takes those of the first one. */
const isOfLog = (database: LogDatabase, { logId, now }: WantedList): boolean => {
  if (logId === anyLog) return true;
  const known = database.prepare<[], string | null>('SELECT log_id FROM state').pluck().get() ?? null;
  if (known === null && logId !== null)
    database.prepare('UPDATE state SET log_id = ?, current_at = ?').run(logId, now);
  return known === null || known === logId;
};

const make = (database: LogDatabase, { logId, now }: WantedList): void => {
  database
    .transaction(() => {
      database.exec(listTables);
      const known = logId === anyLog ? null : logId;
      database.prepare("INSERT INTO state VALUES (?, 0, '', 0, 0, ?, NULL, 0)").run(known, now);
      database.pragma(`application_id = ${applicationId}`);
      database.pragma(`user_version = ${version}`);
    })
    .immediate();
};

/** Null if it is not as wanted. Throws SQLite errors. */
const open = (file: string, journal: LogDatabase, wanted: WantedList): LogDatabase | null => {
  const database = new Database(file, { timeout: busyTimeoutMs });
  try {
    restrict(database);
    database.pragma('journal_mode = WAL');
    // Without a flush for each commit: what a power cut takes away is made again.
    database.pragma('synchronous = NORMAL');
    if (database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined) make(database, wanted);
    if (
      isOfThisVersion(database) &&
      isOfJournal(database, journal) &&
      isOfLog(database, wanted) &&
      !isForgotten(database, wanted)
    ) {
      database.pragma('secure_delete = ON');
      database.pragma(`cache_size = -${cacheKib}`);
      database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
      return database;
    }
  } catch (thrown) {
    database.close();
    throw thrown;
  }
  database.close();
  return null;
};

/**
 * Opens a list for its only writer. One that cannot be used (of another version, journal or shared log, damaged, too long
 * without the erasures of the shared log) is deleted, and an empty one is made. Errors: `log.*`, if that fails too.
 */
export const openListFile = (file: string, journal: LogDatabase, wanted: WantedList): Result<LogDatabase> => {
  try {
    // A damaged file is no loss.
    const found = attempt(() => open(file, journal, wanted));
    if (found.ok && found.value) return ok(found.value);
    deleteList(file);
    const made = open(file, journal, wanted);
    if (made) return ok(made);
    throw new Error('A new list cannot be opened.');
  } catch (thrown) {
    return toLogFailure(thrown);
  }
};

/** Opens a list that its writer has opened before, to read it. Errors: `log.*`. */
export const openListForReading = (file: string): Result<LogDatabase> => {
  let database: LogDatabase | null = null;
  try {
    database = new Database(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
    restrict(database);
    if (!isOfThisVersion(database)) throw new Error('The list is of another version.');
    database.pragma(`cache_size = -${readerCacheKib}`);
    return ok(database);
  } catch (thrown) {
    database?.close();
    return toLogFailure(thrown);
  }
};
