
RESET ROLE;
CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;
SET LOCAL ROLE :schema_owner;
SET LOCAL search_path = :schema, pg_temp;

-- One row. Only programs whose projection has this version write the list. Rows of the list that an earlier generation
-- wrote are written again.
CREATE TABLE list (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version integer NOT NULL,
  generation integer NOT NULL
);
INSERT INTO list (version, generation) VALUES (0, 0);

-- Up to which event of each chain payments are projected. Its lock is held while some of them are projected.
CREATE TABLE projected (
  writer integer PRIMARY KEY,
  through bigint NOT NULL DEFAULT 0,
  moved_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 20);

-- One order of one profile. Its lock is held while this payment is projected.
CREATE TABLE payment (
  -- Of its first event: milliseconds since 2020 times 4096, plus the lowest bits of its number. Newest first is the
  -- order of the key.
  id bigint PRIMARY KEY,
  profile_id text NOT NULL,
  order_number text NOT NULL,
  UNIQUE (order_number, profile_id)
);

-- What payments have in common. The number of payments is the sum of several slots, so that installations seldom wait
-- for each other.
CREATE TABLE facet (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  profile_id text NOT NULL,
  state text NOT NULL,
  currency text NOT NULL,
  flagged integer NOT NULL,
  -- Whether the state ends by the clock alone.
  timed integer NOT NULL,
  -- Whether a person resolved its review.
  resolved integer NOT NULL,
  UNIQUE (profile_id, state, currency, flagged, timed, resolved)
);
CREATE TABLE facet_count (
  facet integer NOT NULL,
  slot integer NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (facet, slot)
) WITH (fillfactor = 20);

CREATE TABLE listed (
  payment bigint PRIMARY KEY,
  facet integer NOT NULL,
  first_at bigint NOT NULL,
  -- When the state ends by the clock alone; null if it does not.
  runs_out_at bigint,
  agent text,
  -- Minor units.
  amount bigint,
  paid_after bigint,
  paid bigint,
  returned bigint,
  uncounted bigint,
  checked_days bigint,
  -- The row of a list, as a JSON array.
  "row" text NOT NULL,
  -- The generation of the list that wrote it.
  made_in integer NOT NULL
) WITH (fillfactor = 90);
CREATE INDEX listed_facet ON listed (facet, payment);
CREATE INDEX listed_open ON listed (runs_out_at, facet) WHERE runs_out_at IS NOT NULL;
-- Names differ in case only, as in a journal: ASCII letters.
CREATE INDEX listed_agent ON listed (lower(agent COLLATE "C"), payment);
CREATE INDEX listed_counted ON listed (first_at)
  INCLUDE (facet, agent, amount, paid, returned, uncounted, paid_after, runs_out_at);
CREATE INDEX listed_recheck ON listed (facet, checked_days, (first_at + paid_after)) WHERE checked_days IS NOT NULL;

-- Separate, because a change of state must not write 120 trigrams.
CREATE TABLE searched (payment bigint PRIMARY KEY, words text NOT NULL) WITH (fillfactor = 90);
-- A short list of pending entries: every search reads it.
CREATE INDEX searched_words ON searched USING gin (words public.gin_trgm_ops) WITH (gin_pending_list_limit = 512);

CREATE TABLE payment_flag (flag text NOT NULL, payment bigint NOT NULL, PRIMARY KEY (flag, payment));
CREATE TABLE payment_id (payment_id text NOT NULL, payment bigint NOT NULL, PRIMARY KEY (payment_id, payment));
CREATE TABLE movement (at bigint NOT NULL, payment bigint NOT NULL, PRIMARY KEY (at, payment));

-- Only payments that were assigned, snoozed or resolved have a row.
CREATE TABLE review (
  payment bigint PRIMARY KEY,
  profile_id text NOT NULL,
  assignee text,
  snoozed_until bigint,
  resolved_at bigint
);
CREATE INDEX review_assigned ON review (lower(assignee COLLATE "C"), payment)
  WHERE assignee IS NOT NULL AND resolved_at IS NULL;
CREATE INDEX review_snoozed ON review (snoozed_until) WHERE snoozed_until IS NOT NULL AND resolved_at IS NULL;
CREATE INDEX review_resolved ON review (resolved_at, payment) WHERE resolved_at IS NOT NULL;

-- Between which payments those of one UTC day are; may be wider than needed, never narrower.
CREATE TABLE day (day integer PRIMARY KEY, low bigint NOT NULL, high bigint NOT NULL) WITH (fillfactor = 50);

CREATE INDEX event_note ON event (recorded_at) WHERE kind = 'note.added';
CREATE INDEX event_activity ON event (recorded_at) WHERE kind = 'activity.recorded';
CREATE INDEX event_request ON event (profile_id, recorded_at)
  WHERE kind IN ('session.accepted', 'session.refused', 'session.unanswered', 'status.observed');
CREATE INDEX event_without_order ON event (profile_id, substr(dedupe_key, 10, 16))
  WHERE order_number IS NULL AND dedupe_key IS NOT NULL;

UPDATE log SET schema_version = 2;
GRANT SELECT, INSERT, UPDATE, DELETE ON list, projected, payment, facet, facet_count, listed, searched, payment_flag,
  payment_id, movement, review, day TO :schema_desk, :schema_intake, :schema_keeper;
