import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { ok, type Result } from '../../shared/result.ts';
import { logFailure, toLogFailure } from './failures.ts';
import { migrations } from './migrations.ts';

export type LogDatabase = Database.Database;

/** Marks the file as a payment log: "CfLg". */
const applicationId = 0x43664c67;

const pragma = (database: LogDatabase, name: string): number =>
  Number(database.pragma(name, { simple: true }));

/** `log.newer`, `log.corrupt` (another program's database), or fine. */
const checkVersion = (database: LogDatabase): Result<number> => {
  const version = pragma(database, 'user_version');
  const owner = pragma(database, 'application_id');
  const tables = database.prepare<[], { n: number }>('SELECT count(*) AS n FROM sqlite_schema').get()?.n ?? 0;
  if (owner !== applicationId && (version !== 0 || tables > 0))
    return logFailure('log.corrupt', 'another database');
  return version > migrations.length ? logFailure('log.newer', `version ${version}`) : ok(version);
};

/** Each step in a transaction of its own; a step that fails leaves the one before it. */
const migrate = (database: LogDatabase, from: number): void => {
  for (const [index, sql] of migrations.entries()) {
    if (index < from) continue;
    database
      .transaction(() => {
        database.exec(sql);
        database.pragma(`application_id = ${applicationId}`);
        database.pragma(`user_version = ${index + 1}`);
      })
      .immediate();
  }
};

/**
 * Opens the log for its one writer: durable (WAL, synchronous FULL), brought to this version's tables.
 * `file` is made when missing. Errors: every `log.*` code.
 */
export const openForWriting = (file: string): Result<LogDatabase> => {
  let database: LogDatabase | null = null;
  try {
    database = new Database(file, { timeout: 5_000 });
    const version = checkVersion(database);
    if (version.ok) {
      database.pragma('journal_mode = WAL');
      database.pragma('synchronous = FULL');
      database.pragma('secure_delete = ON');
      database.pragma('cache_size = -65536');
      migrate(database, version.value);
      return ok(database);
    }
    database.close();
    return version;
  } catch (thrown) {
    database?.close();
    return toLogFailure(thrown);
  }
};

/** Whether the list of payments is still to be made anew, since its tables changed with a later version. */
export const isOlder = (database: LogDatabase): boolean =>
  pragma(database, 'user_version') < migrations.length;

/**
 * Opens the log for reading alone; it never waits for the writer (WAL). `older`: also one, such as a copy, that
 * was not yet brought to this version's tables. Errors: every `log.*` code.
 */
export const openForReading = (file: string, { older = false } = {}): Result<LogDatabase> => {
  let database: LogDatabase | null = null;
  try {
    database = new Database(file, { readonly: true, fileMustExist: true, timeout: 5_000 });
    const version = checkVersion(database);
    if (version.ok && version.value > 0 && (older || version.value === migrations.length)) {
      database.pragma('cache_size = -65536');
      return ok(database);
    }
    database.close();
    return version.ok ? logFailure('log.corrupt', 'an older or empty log') : version;
  } catch (thrown) {
    database?.close();
    return toLogFailure(thrown);
  }
};

/**
 * Holds the log for this console alone: an exclusive lock on a file beside it, which the operating
 * system lets go of when the process ends, however it ends. Readers of the log itself are not kept out.
 * Returns the release. Errors: `log.busy`, `log.read-only`, `log.full`.
 */
export const holdLog = (file: string): Result<() => void> => {
  let lock: LogDatabase | null = null;
  try {
    mkdirSync(dirname(file), { recursive: true });
    lock = new Database(`${file}.lock`, { timeout: 250 });
    lock.pragma('locking_mode = EXCLUSIVE');
    lock.exec('BEGIN EXCLUSIVE');
    const held = lock;
    return ok(() => held.close());
  } catch (thrown) {
    lock?.close();
    return toLogFailure(thrown);
  }
};
