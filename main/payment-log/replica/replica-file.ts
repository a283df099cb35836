import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { ok, type Result } from '../../../shared/errors.ts';
import { toLogFailure } from '../log-failures.ts';
import { projectionVersion } from '../projection/project.ts';
import { chainedEvents } from '../sqlite/query/chained-events.ts';
import { busyTimeoutMs, type LogDatabase } from '../sqlite/store/database.ts';
import { migrations } from '../sqlite/store/migrations.ts';

/** The application id that marks the file as a replica: "CfRp". */
const applicationId = 0x43665270;
/** Raised with the tables below; a file with others is replaced. */
const tablesVersion = 2;
const version = tablesVersion * 1_000 + projectionVersion;

/**
 * The tables of a payment log, without the triggers that keep evidence from being changed, and three more. Positions of
 * events (`event.seq`) and ids of payments are times: see positions.ts.
 */
const tables = `
  DROP TRIGGER event_stays;
  DROP TRIGGER event_remains;
  -- The part of each chain that is here, from number low to high. The first link is checked when the event before it
  -- arrives: low_content is the hash of its content.
  CREATE TABLE held (
    writer INTEGER PRIMARY KEY,
    low INTEGER NOT NULL,
    low_content TEXT NOT NULL,
    low_hash TEXT NOT NULL
  ) STRICT;
  -- Events that are not in the list, because something is wrong with them; the event as JSON.
  CREATE TABLE left_out (
    writer INTEGER NOT NULL,
    writer_seq INTEGER NOT NULL,
    problem TEXT NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (writer, writer_seq)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX event_place ON event (writer, writer_seq);
  CREATE INDEX event_amended ON event (seq) WHERE kind = 'amended';
  -- Payments of which the shared log may have events that are older than the months which are copied.
  CREATE TABLE unfinished (payment INTEGER PRIMARY KEY) STRICT;
  -- Up to when everything that the shared log had erased is erased here, milliseconds; whether the search index may still
  -- have words that were erased; up to when everything in the shared log is here; how many months are copied (null: all);
  -- and from when on payments were kept when older ones were removed last.
  CREATE TABLE state (
    current_at INTEGER NOT NULL,
    words_left INTEGER NOT NULL,
    level_at INTEGER,
    months INTEGER,
    pruned_to INTEGER NOT NULL
  ) STRICT;
`;

/** Cache of the only writer, KiB. */
const cacheKib = 64 * 1024;
/** Cache of the reader, KiB. */
const readerCacheKib = 32 * 1024;
/** Checkpoint interval, pages of the write-ahead log. */
const checkpointPages = 4_000;

/** Deletes a replica: everything in it is fetched again. Throws file system errors. */
export const deleteReplica = (file: string): void => {
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

/** Whether it may have customers whose erasure is not known here for too long. */
const isForgotten = (database: LogDatabase, { now, maxAwayMs }: ReplicaAge): boolean => {
  const currentAt = database.prepare<[], number>('SELECT current_at FROM state').pluck().get() ?? 0;
  return now - currentAt > maxAwayMs;
};

/**
 * `now`: milliseconds; `maxAwayMs`: how long a replica may be without the erasures of the shared log; `months`: how many
 * months before the present one it has, null for all.
 */
export type ReplicaAge = { now: number; maxAwayMs: number; months: number | null };

type Copied = { months: number | null; levelAt: number | null };

/** Whether it has the wanted months. One that has more is pruned later, unless its first copy is not finished. */
const hasMonths = (database: LogDatabase, { months }: ReplicaAge): boolean => {
  const copied = database.prepare<[], Copied>('SELECT months, level_at AS levelAt FROM state').get();
  if (!copied || copied.months === months) return true;
  if (months === null || copied.levelAt === null) return false;
  return copied.months === null || copied.months > months;
};

const open = (file: string, age: ReplicaAge): LogDatabase | null => {
  let database: LogDatabase | null = null;
  try {
    database = new Database(file, { timeout: busyTimeoutMs });
    restrict(database);
    if (database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined) {
      database.pragma('journal_mode = WAL');
      const made = database;
      made
        .transaction(() => {
          for (const sql of migrations) made.exec(sql);
          made.exec(tables);
          made.prepare('INSERT INTO state VALUES (?, 0, NULL, ?, 0)').run(age.now, age.months);
          made.pragma(`application_id = ${applicationId}`);
          made.pragma(`user_version = ${version}`);
        })
        .immediate();
    }
    if (isOfThisVersion(database) && !isForgotten(database, age) && hasMonths(database, age)) {
      database.prepare('UPDATE state SET months = ?').run(age.months);
      // Without a flush for each commit: what a power cut takes away is fetched again.
      database.pragma('synchronous = NORMAL');
      database.pragma('secure_delete = ON');
      database.pragma(`cache_size = -${cacheKib}`);
      database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
      return database;
    }
  } catch {
    // A damaged file is no loss.
  }
  database?.close();
  return null;
};

/**
 * Opens a replica for its only writer. One that cannot be used (of another version, damaged, too long
 * without the erasures of the shared log, with fewer months) is deleted, and an empty one is made. Errors: `log.*`, if
 * that fails too.
 */
export const openReplicaFile = (file: string, age: ReplicaAge): Result<LogDatabase> => {
  try {
    const found = open(file, age);
    if (found) return ok(found);
    deleteReplica(file);
    const made = open(file, age);
    if (made) return ok(made);
    throw new Error('A new replica cannot be opened.');
  } catch (thrown) {
    return toLogFailure(thrown);
  }
};

/** Opens a replica that its writer has opened before, to read it. Errors: `log.*`. */
export const openReplicaForReading = (file: string): Result<LogDatabase> => {
  let database: LogDatabase | null = null;
  try {
    database = new Database(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
    restrict(database);
    if (!isOfThisVersion(database)) throw new Error('The replica is of another version.');
    database.pragma(`cache_size = -${readerCacheKib}`);
    return ok(database);
  } catch (thrown) {
    database?.close();
    return toLogFailure(thrown);
  }
};

/**
 * Whether what a replica has of this installation's chain is in its journal. It is not after a backup of the journal was
 * restored.
 */
export const continuesJournal = (replica: LogDatabase, journal: LogDatabase, own: string): boolean => {
  const held = replica
    .prepare<[string], { seq: number; hash: string }>(
      `SELECT w.last_seq AS seq, w.last_hash AS hash FROM writer w JOIN held h ON h.writer = w.id WHERE w.name = ?`,
    )
    .get(own);
  if (!held) return true;
  const [found] = chainedEvents(journal)(own, held.seq - 1, 1);
  return found?.hash === held.hash;
};
