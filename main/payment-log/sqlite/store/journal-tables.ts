/** The version of the tables below; a log of another one is refused. */
export const logVersion = 1;

/** The table of shapes, in the journal and in the list. */
export const shapeTable = `-- What many bodies have in common: see body-codec.ts.
  CREATE TABLE shape (
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
  ) STRICT;`;

/** The columns of an event, in the journal and in the list: so that both store the same bytes. */
export const eventColumns = `seq INTEGER PRIMARY KEY,
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
    hash BLOB NOT NULL`;

/** The tables of a payment log: evidence, and nothing that follows from it. */
export const schema = `
  -- Who wrote, and the end of each one's chain.
  CREATE TABLE writer (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    last_seq INTEGER NOT NULL,
    last_hash TEXT NOT NULL
  ) STRICT;

  -- One order of one profile; without a number it gathers what names no order.
  CREATE TABLE payment (
    -- The seq of its first event.
    id INTEGER PRIMARY KEY,
    profile_id TEXT NOT NULL,
    order_number TEXT
  ) STRICT;
  CREATE UNIQUE INDEX payment_order ON payment (order_number, profile_id);

  ${shapeTable}
  CREATE TABLE event (
    ${eventColumns}
  ) STRICT;
  CREATE INDEX event_payment ON event (payment);
  CREATE INDEX event_dedupe ON event (payment, substr(dedupe_key, 10, 16)) WHERE dedupe_key IS NOT NULL;
  CREATE INDEX event_callback ON event (seq) WHERE kind = 'callback.received';
  CREATE INDEX event_note ON event (seq) WHERE kind = 'note.added';
  CREATE INDEX event_operation ON event (seq) WHERE kind IN ('operation.requested', 'operation.refused');
  CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'evidence is never edited'); END;
  CREATE TRIGGER event_remains BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'evidence is never deleted'); END;

  -- What can be erased: an event's personal values, a JSON array in the order in which the body has them.
  CREATE TABLE personal (
    event INTEGER PRIMARY KEY,
    salt BLOB NOT NULL,
    "values" TEXT NOT NULL
  ) STRICT;

  -- Events whose personal values were erased because another installation's amendment names them: where that amendment
  -- is in its chain.
  CREATE TABLE amended_elsewhere (
    id INTEGER PRIMARY KEY,
    event INTEGER NOT NULL UNIQUE,
    writer TEXT NOT NULL,
    writer_seq INTEGER NOT NULL
  ) STRICT;
`;
