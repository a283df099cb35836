import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { ok, type Result } from '../../../../shared/errors.ts';
import { attempt, toLogFailure } from '../../log-failures.ts';
import { anyLog } from '../../payment-log.ts';
import { projectionVersion } from '../../projection/project.ts';
import { busyTimeoutMs, type LogDatabase } from '../store/database.ts';
import { isOfJournal } from './follow-journal.ts';
import { eventColumns, shapeTable } from '../store/journal-tables.ts';

/**
 * The tables of a list. Everything in them comes from evidence, so that a list of another version is made again. From
 * `payment` to `left_out`: what other installations wrote, byte for byte; own events are in the journal only. From
 * `facet` on: what the reducer makes of both.
 */
const listTables = `
  -- The chains, and the end of the part that is here. Of the own chain, and alone, only the name.
  CREATE TABLE writer (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    -- The account that writes it.
    account TEXT NOT NULL,
    last_seq INTEGER NOT NULL,
    last_hash TEXT NOT NULL,
    -- The place of the last event, milliseconds: that of a later one is not before it.
    last_at INTEGER NOT NULL
  ) STRICT;
  -- The first number of a chain that is here. Its link is checked when the event before it arrives: low_content is the
  -- hash of its content.
  CREATE TABLE held (
    writer INTEGER PRIMARY KEY,
    low INTEGER NOT NULL,
    low_content TEXT NOT NULL,
    low_hash TEXT NOT NULL
  ) STRICT;

  -- One order of one profile; without a number it gathers what names no order. (at, chain, number): the place at which it
  -- begins; see place.ts.
  CREATE TABLE payment (
    -- Newest first is the tables' own order; negative for what names no order.
    id INTEGER PRIMARY KEY,
    profile_id TEXT NOT NULL,
    order_number TEXT,
    at INTEGER NOT NULL,
    chain INTEGER NOT NULL,
    number INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX payment_order ON payment (order_number, profile_id);

  ${shapeTable}
  CREATE TABLE event (
    ${eventColumns},
    -- Its place, with writer and writer_seq.
    placed_at INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX event_number ON event (writer, writer_seq);
  CREATE INDEX event_place ON event (placed_at, writer, writer_seq);
  CREATE INDEX event_payment ON event (payment);
  CREATE INDEX event_dedupe ON event (payment, substr(dedupe_key, 10, 16)) WHERE dedupe_key IS NOT NULL;
  CREATE INDEX event_callback ON event (placed_at, writer, writer_seq) WHERE kind = 'callback.received';
  CREATE INDEX event_note ON event (placed_at, writer, writer_seq) WHERE kind = 'note.added';
  CREATE INDEX event_amended ON event (seq) WHERE kind = 'amended';
  CREATE TABLE personal (
    event INTEGER PRIMARY KEY,
    salt BLOB NOT NULL,
    "values" TEXT NOT NULL
  ) STRICT;
  -- Events that are not in the list, because something is wrong with them; the event as JSON.
  CREATE TABLE left_out (
    writer INTEGER NOT NULL,
    writer_seq INTEGER NOT NULL,
    problem TEXT NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (writer, writer_seq)
  ) STRICT, WITHOUT ROWID;

  -- What payments have in common, and how many: lists by filter and running counts come from here.
  CREATE TABLE facet (
    id INTEGER PRIMARY KEY,
    profile_id TEXT NOT NULL,
    state TEXT NOT NULL,
    currency TEXT NOT NULL,
    flagged INTEGER NOT NULL,
    -- Whether the state ends by the clock alone.
    timed INTEGER NOT NULL,
    -- Whether a person resolved its review: the queue passes over any number of them.
    resolved INTEGER NOT NULL,
    n INTEGER NOT NULL,
    UNIQUE (profile_id, state, currency, flagged, timed, resolved)
  ) STRICT;

  CREATE TABLE listed (
    payment INTEGER PRIMARY KEY,
    facet INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    -- When the state ends by the clock alone; null when it does not.
    runs_out_at INTEGER,
    -- The row of a list, as a JSON array.
    "row" TEXT NOT NULL,
    words TEXT NOT NULL,
    agent TEXT COLLATE NOCASE,
    amount INTEGER,
    paid_after INTEGER,
    -- Minor units that came in and that went back, and the number of movements in neither, because their amount is
    -- unknown. Null without one.
    paid INTEGER,
    returned INTEGER,
    uncounted INTEGER,
    -- Days from the payment to the gateway's last answer about it, 0 = none later; null unless it may be refunded still.
    checked_days INTEGER
  ) STRICT;
  CREATE INDEX listed_facet ON listed (facet);
  CREATE INDEX listed_open ON listed (runs_out_at, facet) WHERE runs_out_at IS NOT NULL;
  CREATE INDEX listed_agent ON listed (agent);
  CREATE INDEX listed_counted ON listed (
    first_at, facet, agent, amount, paid, returned, uncounted, paid_after, runs_out_at
  );
  CREATE INDEX listed_recheck ON listed (facet, checked_days, first_at + paid_after)
    WHERE checked_days IS NOT NULL;

  CREATE TABLE payment_flag (
    flag TEXT NOT NULL,
    payment INTEGER NOT NULL,
    PRIMARY KEY (flag, payment)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE payment_id (
    payment_id TEXT NOT NULL,
    payment INTEGER NOT NULL,
    PRIMARY KEY (payment_id, payment)
  ) STRICT, WITHOUT ROWID;

  -- What moved at each instant: minor units by kind, and the movements in none of them.
  CREATE TABLE movement (
    at INTEGER NOT NULL,
    payment INTEGER NOT NULL,
    paid INTEGER NOT NULL,
    refunded INTEGER NOT NULL,
    voided INTEGER NOT NULL,
    disputed INTEGER NOT NULL,
    uncounted INTEGER NOT NULL,
    PRIMARY KEY (at, payment)
  ) STRICT, WITHOUT ROWID;

  -- Only payments that were assigned, snoozed or resolved have a row.
  CREATE TABLE review (
    payment INTEGER PRIMARY KEY,
    profile_id TEXT NOT NULL,
    assignee TEXT COLLATE NOCASE,
    snoozed_until INTEGER,
    resolved_at INTEGER
  ) STRICT;
  CREATE INDEX review_assigned ON review (assignee, profile_id) WHERE assignee IS NOT NULL AND resolved_at IS NULL;
  CREATE INDEX review_snoozed ON review (snoozed_until, profile_id)
    WHERE snoozed_until IS NOT NULL AND resolved_at IS NULL;
  CREATE INDEX review_resolved ON review (resolved_at, profile_id) WHERE resolved_at IS NOT NULL;

  -- Customers: by what the merchant typed each payment is found, as digests; the surest of them begins with an
  -- exclamation mark.
  CREATE TABLE customer_key (
    key TEXT NOT NULL,
    payment INTEGER NOT NULL,
    PRIMARY KEY (key, payment)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE customer_join (
    -- The event's id.
    event TEXT NOT NULL,
    payment INTEGER NOT NULL,
    profile_id TEXT NOT NULL,
    other_order TEXT NOT NULL,
    agent TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (payment, event)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX customer_join_order ON customer_join (other_order, profile_id);

  -- Each word that may be misspelt is here once, with a payment that has it.
  CREATE TABLE word (
    word TEXT PRIMARY KEY,
    payment INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- Between which payments those of one UTC day lie; may be wider than needed, never narrower.
  CREATE TABLE day (
    day INTEGER PRIMARY KEY,
    low INTEGER NOT NULL,
    high INTEGER NOT NULL
  ) STRICT;
  CREATE VIRTUAL TABLE search USING fts5 (
    words, content='listed', content_rowid='payment', tokenize='trigram case_sensitive 1', detail='none', columnsize=0
  );

  CREATE TABLE state (
    -- The shared log whose chains are here; null: none.
    log_id TEXT,
    -- Up to which event of the journal all is listed, and its hash; except orders whose number in the journal is below
    -- this one: they follow, newest first.
    through INTEGER NOT NULL,
    through_hash TEXT NOT NULL,
    below INTEGER NOT NULL,
    -- Up to which note of an erasure by another installation.
    elsewhere INTEGER NOT NULL,
    -- Up to when everything that the shared log had erased is erased here, milliseconds.
    current_at INTEGER NOT NULL,
    -- Up to when everything in the shared log was here, milliseconds; null: it never was.
    level_at INTEGER,
    -- Whether the search index may still have words that were erased.
    words_left INTEGER NOT NULL
  ) STRICT;
`;

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
