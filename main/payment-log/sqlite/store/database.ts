import { closeSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { ok, type Result } from '../../../../shared/errors.ts';
import { openRegularFileSync } from '../../../files/read-regular-file.ts';
import { schemaDifferences } from './schema-differences.ts';
import { logFailure, toLogFailure } from '../../log-failures.ts';
import { schema, logVersion } from './journal-tables.ts';

export type LogDatabase = Database.Database;

/** The application id that marks the file as a payment log: "CfLg". */
const applicationId = 0x43664c67;

/**
 * Checkpoint interval, pages of the write-ahead log (4 KiB each). Appends wait for a checkpoint, so each one is
 * small. The second value is the size limit, in bytes, to which the next checkpoint truncates a write-ahead log that
 * a long read let grow.
 */
const checkpointPages = 1_000;
const maxWalBytes = 64 * 1024 * 1024;
/** Time that a connection waits for a lock. */
export const busyTimeoutMs = 5_000;
/** Cache of the writer, KiB: the upper pages of its indexes, and the pages of recent transactions. */
const writerCacheKib = 16 * 1024;

const pragma = (database: LogDatabase, name: string): number =>
  Number(database.pragma(name, { simple: true }));

/** Throws for a pipe or a device, which SQLite would wait for, and file system errors. */
const refuseSpecialFile = (file: string): void => closeSync(openRegularFileSync(file));

/** Errors: `log.newer`, `log.corrupt` (another program's database). 0: it is empty. */
const checkVersion = (database: LogDatabase): Result<number> => {
  const version = pragma(database, 'user_version');
  const owner = pragma(database, 'application_id');
  const tables = database.prepare<[], { n: number }>('SELECT count(*) AS n FROM sqlite_schema').get()?.n ?? 0;
  if (owner !== applicationId && (version !== 0 || tables > 0))
    return logFailure('log.corrupt', 'another database');
  return version > logVersion ? logFailure('log.newer', `version ${version}`) : ok(version);
};

/** Restricts the schema's functions before any of the file is used. */
const disableTrustedSchema = (database: LogDatabase): void => {
  database.pragma('trusted_schema = OFF');
  database.pragma('cell_size_check = ON');
};

/**
 * Refuses a log with foreign tables, triggers or views, and recreates missing indexes and triggers. Errors:
 * `log.altered`. Throws SQLite errors.
 */
const applySchema = (database: LogDatabase): Result<undefined> => {
  const { foreign, missing } = schemaDifferences(database);
  const [first] = foreign;
  if (first) return logFailure('log.altered', `${first.type} ${first.name}: ${first.difference}`);
  for (const { sql } of missing) database.exec(sql);
  return ok(undefined);
};

const createSchema = (database: LogDatabase): void => {
  database
    .transaction(() => {
      database.exec(schema);
      database.pragma(`application_id = ${applicationId}`);
      database.pragma(`user_version = ${logVersion}`);
    })
    .immediate();
};

/**
 * Opens the log for its only writer: durable (WAL, synchronous FULL). `file` is created if missing. Errors: every `log.*` code.
 */
export const openForWriting = (file: string): Result<LogDatabase> => {
  let database: LogDatabase | null = null;
  try {
    if (existsSync(file)) refuseSpecialFile(file);
    database = new Database(file, { timeout: busyTimeoutMs });
    disableTrustedSchema(database);
    const version = checkVersion(database);
    const settled = version.ok && version.value > 0 ? applySchema(database) : ok(undefined);
    if (!settled.ok) {
      database.close();
      return settled;
    }
    if (version.ok) {
      // macOS: without this a flush stops at the drive's cache. Other systems ignore it.
      database.pragma('fullfsync = ON');
      database.pragma('checkpoint_fullfsync = ON');
      database.pragma('journal_mode = WAL');
      database.pragma('synchronous = FULL');
      database.pragma('secure_delete = ON');
      database.pragma(`cache_size = -${writerCacheKib}`);
      database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
      database.pragma(`journal_size_limit = ${maxWalBytes}`);
      if (version.value === 0) createSchema(database);
      return ok(database);
    }
    database.close();
    return version;
  } catch (thrown) {
    database?.close();
    return toLogFailure(thrown);
  }
};

/** The cause by which `openForReading` refuses a database without the tables of a log. */
export const emptyLog = 'an empty log';

/** Opens the log read-only; it never waits for the writer (WAL). Errors: every `log.*` code. */
export const openForReading = (file: string): Result<LogDatabase> => {
  let database: LogDatabase | null = null;
  try {
    refuseSpecialFile(file);
    database = new Database(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
    disableTrustedSchema(database);
    const version = checkVersion(database);
    if (version.ok && version.value > 0) {
      database.pragma('cache_size = -32768');
      return ok(database);
    }
    database.close();
    return version.ok ? logFailure('log.corrupt', emptyLog) : version;
  } catch (thrown) {
    database?.close();
    return toLogFailure(thrown);
  }
};

/** The lock of a log, while it is held. */
export type LockedLog = {
  /** Whether a log with evidence was opened under this lock before. */
  wasUsed: boolean;
  /** Records durably that the log holds evidence. Throws SQLite errors. */
  markUsed: () => void;
  release: () => void;
};

/**
 * Holds the log for this console only: an exclusive lock on a file next to it. The operating system releases the lock
 * when the process ends for any reason. Readers of the log itself are not blocked. Errors: `log.busy`,
 * `log.read-only`, `log.full`.
 */
export const lockLog = (file: string): Result<LockedLog> => {
  let lock: LogDatabase | null = null;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    lock = new Database(`${file}.lock`, { timeout: 250 });
    lock.pragma('locking_mode = EXCLUSIVE');
    lock.exec('BEGIN EXCLUSIVE');
    const held = lock;
    const wasUsed = pragma(held, 'user_version') > 0;
    return ok({
      wasUsed,
      markUsed: () => {
        if (wasUsed) return;
        held.pragma('user_version = 1');
        // The exclusive locking mode keeps the lock between the two transactions.
        held.exec('COMMIT; BEGIN EXCLUSIVE');
      },
      release: () => held.close(),
    });
  } catch (thrown) {
    lock?.close();
    return toLogFailure(thrown);
  }
};
