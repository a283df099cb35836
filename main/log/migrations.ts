/**
 * The log's tables, step by step. A step that was released is never changed: its hash stands in a test.
 * `event` and `personal` are the evidence; `writer` holds each chain's head; the rest is the reducer's
 * cached answer and can be rebuilt.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE writer (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    last_seq INTEGER NOT NULL,
    last_hash TEXT NOT NULL
  ) STRICT;

  CREATE TABLE event (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    writer INTEGER NOT NULL,
    writer_seq INTEGER NOT NULL,
    -- The seq of the order's first event; null when no order is named.
    payment INTEGER,
    profile_id TEXT NOT NULL,
    order_number TEXT,
    payment_id TEXT,
    happened_at INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    agent TEXT NOT NULL,
    kind TEXT NOT NULL,
    dedupe_key TEXT,
    -- JSON as it was hashed; a personal value stands in it as null.
    body TEXT NOT NULL,
    -- Salted SHA-256 of the personal values taken out of the body; null when it had none.
    personal BLOB,
    hash BLOB NOT NULL
  ) STRICT;
  CREATE INDEX event_payment ON event (payment) WHERE payment IS NOT NULL;
  CREATE INDEX event_dedupe ON event (dedupe_key) WHERE dedupe_key IS NOT NULL;
  CREATE INDEX event_callback ON event (seq) WHERE kind = 'callback.received';
  CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'evidence is never edited'); END;
  CREATE TRIGGER event_remains BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'evidence is never deleted'); END;

  CREATE TABLE personal (
    event INTEGER PRIMARY KEY,
    salt BLOB NOT NULL,
    -- JSON array, in the order in which the body names them.
    "values" TEXT NOT NULL
  ) STRICT;

  -- What payments have in common, and how many: lists by filter and running counts come from here.
  CREATE TABLE facet (
    id INTEGER PRIMARY KEY,
    profile_id TEXT NOT NULL,
    state TEXT NOT NULL,
    currency TEXT NOT NULL,
    flagged INTEGER NOT NULL,
    -- Whether the state ends by the clock alone.
    timed INTEGER NOT NULL,
    n INTEGER NOT NULL,
    UNIQUE (profile_id, state, currency, flagged, timed)
  ) STRICT;

  CREATE TABLE payment (
    -- The seq of its first event, so that newest first is the table's own order.
    id INTEGER PRIMARY KEY,
    profile_id TEXT NOT NULL,
    order_number TEXT NOT NULL,
    facet INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    -- When the state ends by the clock alone; null when it does not.
    runs_out_at INTEGER,
    -- The row of a list, as JSON.
    "row" TEXT NOT NULL,
    words TEXT NOT NULL,
    UNIQUE (profile_id, order_number)
  ) STRICT;
  CREATE INDEX payment_facet ON payment (facet);
  CREATE INDEX payment_open ON payment (runs_out_at, facet) WHERE runs_out_at IS NOT NULL;

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

  -- Between which payments those of one UTC day lie; may be wider than needed, never narrower.
  CREATE TABLE day (
    day INTEGER PRIMARY KEY,
    low INTEGER NOT NULL,
    high INTEGER NOT NULL
  ) STRICT;

  CREATE VIRTUAL TABLE search USING fts5 (
    words, content='payment', content_rowid='id', tokenize='trigram case_sensitive 1', detail='none', columnsize=0
  );
  `,
];
