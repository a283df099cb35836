/**
 * The log's tables, step by step. A released step never changes: a test holds its hash. `writer`, `payment`, `shape`,
 * `event` and `personal` are the evidence. The tables from `projection` on are a cache of the reducer's results and
 * can be rebuilt.
 */
export const migrations: readonly string[] = [
  `
  -- Who wrote, and the end of each one's chain.
  CREATE TABLE writer (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    last_seq INTEGER NOT NULL,
    last_hash TEXT NOT NULL
  ) STRICT;

  -- One order of one profile; without a number it gathers what names no order.
  CREATE TABLE payment (
    -- The seq of its first event, so that newest first is the tables' own order.
    id INTEGER PRIMARY KEY,
    profile_id TEXT NOT NULL,
    order_number TEXT
  ) STRICT;
  CREATE UNIQUE INDEX payment_order ON payment (order_number, profile_id);

  -- What many bodies have in common: see shapes.ts.
  CREATE TABLE shape (
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
  ) STRICT;

  CREATE TABLE event (
    seq INTEGER PRIMARY KEY,
    id BLOB NOT NULL,
    writer INTEGER NOT NULL,
    writer_seq INTEGER NOT NULL,
    payment INTEGER NOT NULL,
    payment_id TEXT,
    happened_at INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    agent TEXT NOT NULL,
    kind TEXT NOT NULL,
    dedupe_key TEXT,
    shape INTEGER NOT NULL,
    -- The body's values, as a JSON array; personal ones are left empty.
    "values" TEXT NOT NULL,
    -- Salted SHA-256 of the personal values; null when there are none.
    personal BLOB,
    hash BLOB NOT NULL
  ) STRICT;
  CREATE INDEX event_payment ON event (payment);
  CREATE INDEX event_dedupe ON event (payment, substr(dedupe_key, 10, 16)) WHERE dedupe_key IS NOT NULL;
  CREATE INDEX event_callback ON event (seq) WHERE kind = 'callback.received';
  CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'evidence is never edited'); END;
  CREATE TRIGGER event_remains BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'evidence is never deleted'); END;

  -- What can be erased: an event's personal values, a JSON array in the order in which the body has them.
  CREATE TABLE personal (
    event INTEGER PRIMARY KEY,
    salt BLOB NOT NULL,
    "values" TEXT NOT NULL
  ) STRICT;

  -- Up to which event payments are projected.
  CREATE TABLE projection (through INTEGER NOT NULL) STRICT;
  INSERT INTO projection VALUES (0);

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

  CREATE TABLE listed (
    payment INTEGER PRIMARY KEY,
    facet INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    -- When the state ends by the clock alone; null when it does not.
    runs_out_at INTEGER,
    -- The row of a list, as a JSON array.
    "row" TEXT NOT NULL,
    words TEXT NOT NULL
  ) STRICT;
  CREATE INDEX listed_facet ON listed (facet);
  CREATE INDEX listed_open ON listed (runs_out_at, facet) WHERE runs_out_at IS NOT NULL;

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
    words, content='listed', content_rowid='payment', tokenize='trigram case_sensitive 1', detail='none', columnsize=0
  );
  `,
  `
  -- What an overview counts. Everything here comes from the row: see projection.ts.
  ALTER TABLE listed ADD COLUMN agent TEXT COLLATE NOCASE;
  ALTER TABLE listed ADD COLUMN amount INTEGER;
  ALTER TABLE listed ADD COLUMN paid_after INTEGER;
  CREATE INDEX listed_counted ON listed (first_at, facet, agent, amount, paid_after, runs_out_at);
  CREATE INDEX listed_agent ON listed (agent);
  CREATE INDEX event_note ON event (seq) WHERE kind = 'note.added';
  -- Every payment is projected again, while evidence goes on being written.
  UPDATE projection SET through = 0;
  `,
  `
  -- Every payment is projected again: states are told more finely, and look-ups that found nothing are no payments.
  INSERT INTO search (search) VALUES ('delete-all');
  DELETE FROM listed;
  DELETE FROM payment_flag;
  DELETE FROM payment_id;
  DELETE FROM facet;
  DELETE FROM day;
  UPDATE projection SET through = 0;
  `,
  `
  -- When money moved, for a month's books. A payment has no row until it was paid.
  CREATE TABLE movement (
    at INTEGER NOT NULL,
    payment INTEGER NOT NULL,
    PRIMARY KEY (at, payment)
  ) STRICT, WITHOUT ROWID;
  -- Every payment is projected again, while evidence goes on being written.
  UPDATE projection SET through = 0;
  `,
  `
  -- The money of a payment, for the overview's sums: minor units that came in and that went back, and the number of
  -- movements in neither, because their amount is unknown. Null without one.
  ALTER TABLE listed ADD COLUMN paid INTEGER;
  ALTER TABLE listed ADD COLUMN returned INTEGER;
  ALTER TABLE listed ADD COLUMN uncounted INTEGER;
  DROP INDEX listed_counted;
  CREATE INDEX listed_counted ON listed (
    first_at, facet, agent, amount, paid, returned, uncounted, paid_after, runs_out_at
  );
  UPDATE projection SET through = 0;
  `,
  `
  -- Days from the payment to the gateway's last answer about it, 0 = none later; null unless it may be refunded still.
  ALTER TABLE listed ADD COLUMN checked_days INTEGER;
  CREATE INDEX listed_recheck ON listed (facet, checked_days, first_at + paid_after)
    WHERE checked_days IS NOT NULL;
  UPDATE projection SET through = 0;
  `,
  `
  -- What people did about payments that need review. Resolved payments have separate facets, so that the queue
  -- passes over any number of them.
  INSERT INTO search (search) VALUES ('delete-all');
  DELETE FROM listed;
  DELETE FROM payment_flag;
  DELETE FROM payment_id;
  DELETE FROM movement;
  DELETE FROM day;
  DROP TABLE facet;
  CREATE TABLE facet (
    id INTEGER PRIMARY KEY,
    profile_id TEXT NOT NULL,
    state TEXT NOT NULL,
    currency TEXT NOT NULL,
    flagged INTEGER NOT NULL,
    -- Whether the state ends by the clock alone.
    timed INTEGER NOT NULL,
    -- Whether a person resolved its review.
    resolved INTEGER NOT NULL,
    n INTEGER NOT NULL,
    UNIQUE (profile_id, state, currency, flagged, timed, resolved)
  ) STRICT;
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
  UPDATE projection SET through = 0;
  `,
  `
  -- Events whose personal values were erased because another installation's amendment names them: where that amendment
  -- is in its chain. Part of the evidence.
  CREATE TABLE amended_elsewhere (
    event INTEGER PRIMARY KEY,
    writer TEXT NOT NULL,
    writer_seq INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- A prepared page is no opened link, one uncertain word hides no result, and a payment that is cancelled stays in the
  -- books. Everything is projected from the start, so that no row of an earlier version is taken for right.
  INSERT INTO search (search) VALUES ('delete-all');
  DELETE FROM listed;
  DELETE FROM facet;
  DELETE FROM payment_flag;
  DELETE FROM payment_id;
  DELETE FROM movement;
  DELETE FROM review;
  DELETE FROM day;
  UPDATE projection SET through = 0;
  `,
  `
  -- Refunds and other operations: a payment keeps the references of its sale, a token that did not come is flagged, and
  -- what moved at each instant is there for the overview: minor units by kind, and the movements in none of them.
  -- Everything is projected from the start, so that no row of an earlier version is taken for right.
  CREATE INDEX event_operation ON event (seq) WHERE kind IN ('operation.requested', 'operation.refused');
  DROP TABLE movement;
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
  INSERT INTO search (search) VALUES ('delete-all');
  DELETE FROM listed;
  DELETE FROM facet;
  DELETE FROM payment_flag;
  DELETE FROM payment_id;
  DELETE FROM review;
  DELETE FROM day;
  UPDATE projection SET through = 0;
  `,
  `
  -- Customers: by what the merchant typed each payment is found, as digests; the surest of them begins with an exclamation
  -- mark. Which customers people joined. Everything is projected from the start, so that every payment has its keys.
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
  -- Search words are folded further (ß, ł, ø, æ), without punctuation, and links are found by a fingerprint. Each word
  -- that may be misspelt is there once, with a payment that has it.
  CREATE TABLE word (
    word TEXT PRIMARY KEY,
    payment INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO search (search) VALUES ('delete-all');
  DELETE FROM listed;
  DELETE FROM facet;
  DELETE FROM payment_flag;
  DELETE FROM payment_id;
  DELETE FROM movement;
  DELETE FROM review;
  DELETE FROM day;
  UPDATE projection SET through = 0;
  `,
];
