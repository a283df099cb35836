/**
 * Schema version 1: the chains of all installations. `:schema` is the schema's name, which also begins the names of
 * the roles. Run once by an administrator, as one transaction, with the owner's role set. Never changed after a
 * release: a later version is a further file.
 */
export const chainsSchema = `
CREATE SCHEMA :schema AUTHORIZATION :schema_owner;
SET LOCAL ROLE :schema_owner;
SET LOCAL search_path = :schema, pg_temp;

-- One row: the version of the tables, and the oldest programs that may use them.
CREATE TABLE log (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  schema_version integer NOT NULL,
  -- The schema version that a program must know at least.
  oldest_program integer NOT NULL
);
INSERT INTO log (schema_version, oldest_program) VALUES (1, 1);

-- Which database role belongs to which installation; an administrator writes it.
CREATE TABLE installation (
  role name PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('desk', 'intake', 'keeper')),
  label text NOT NULL,
  added_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);

-- The end of every chain. Small, and updated with every append.
CREATE TABLE writer (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The installation's UUID: it is part of every hash.
  name text NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 100),
  kind text NOT NULL,
  label text NOT NULL,
  -- The only role that may extend this chain.
  role name NOT NULL REFERENCES installation (role),
  last_seq bigint NOT NULL DEFAULT 0,
  last_hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex'),
  seen_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 20);

-- What bodies have in common. The key is the first half of the text's SHA-256: no writer requests a number.
CREATE TABLE shape (id uuid PRIMARY KEY, text text NOT NULL);

CREATE TABLE event (
  writer integer NOT NULL,
  writer_seq bigint NOT NULL,
  id uuid NOT NULL,
  profile_id text NOT NULL,
  order_number text,
  payment_id text,
  happened_at bigint NOT NULL,
  recorded_at bigint NOT NULL,
  agent text NOT NULL,
  kind text NOT NULL,
  dedupe_key text,
  shape uuid NOT NULL,
  "values" text NOT NULL,
  personal bytea,
  hash bytea NOT NULL,
  PRIMARY KEY (writer, writer_seq, recorded_at)
) PARTITION BY RANGE (recorded_at);
CREATE INDEX event_order ON event (order_number, profile_id);
CREATE INDEX event_callback ON event (recorded_at) WHERE kind = 'callback.received';

-- What can be erased, in separate rows.
CREATE TABLE personal (
  writer integer NOT NULL,
  writer_seq bigint NOT NULL,
  recorded_at bigint NOT NULL,
  salt bytea NOT NULL,
  "values" text NOT NULL,
  PRIMARY KEY (writer, writer_seq, recorded_at)
) PARTITION BY RANGE (recorded_at);

-- For every month without a partition.
CREATE TABLE event_rest PARTITION OF event DEFAULT;
CREATE TABLE personal_rest PARTITION OF personal DEFAULT;

-- Creates the missing partitions of the months from one instant to another (milliseconds). A month with rows in the
-- default partition stays there.
CREATE FUNCTION months_1(first bigint, last bigint) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
DECLARE
  month timestamp := date_trunc('month', greatest(to_timestamp(first / 1000.0), '2015-01-01') AT TIME ZONE 'UTC');
  until timestamp := least(to_timestamp(last / 1000.0), now() + interval '1 year') AT TIME ZONE 'UTC';
  made integer := 0;
  part text;
BEGIN
  WHILE month <= until LOOP
    part := to_char(month, 'YYYYMM');
    IF to_regclass('event_' || part) IS NULL THEN
      BEGIN
        EXECUTE format('CREATE TABLE %I PARTITION OF event FOR VALUES FROM (%s) TO (%s)', 'event_' || part,
          extract(epoch FROM month)::bigint * 1000, extract(epoch FROM month + interval '1 month')::bigint * 1000);
        EXECUTE format('CREATE TABLE %I PARTITION OF personal FOR VALUES FROM (%s) TO (%s)', 'personal_' || part,
          extract(epoch FROM month)::bigint * 1000, extract(epoch FROM month + interval '1 month')::bigint * 1000);
        made := made + 1;
      EXCEPTION WHEN check_violation OR duplicate_table THEN NULL;
      END;
    END IF;
    month := month + interval '1 month';
  END LOOP;
  RETURN made;
END $$;

-- Takes up a chain of the role that is connected, new or known, and returns its end. It writes, so that its commit
-- follows every earlier commit of the chain: an end that it returned is as durable as the commit of this call.
-- Returns no row for a chain of another role.
CREATE FUNCTION join_1(chain text) RETURNS TABLE (id integer, seq bigint, hash bytea)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
BEGIN
  RETURN QUERY UPDATE writer w SET seen_at = clock_timestamp()
    WHERE w.name = chain AND w.role = session_user RETURNING w.id, w.last_seq, w.last_hash;
  IF FOUND THEN RETURN; END IF;
  RETURN QUERY INSERT INTO writer AS w (name, kind, label, role)
    SELECT chain, i.kind, i.label, i.role FROM installation i
    WHERE i.role = session_user AND i.revoked_at IS NULL
      AND (SELECT count(*) FROM writer o WHERE o.role = session_user) < 100
    ON CONFLICT DO NOTHING RETURNING w.id, w.last_seq, w.last_hash;
END $$;

-- The only way to extend a chain: moves its end and stores the events after it, or does nothing and returns false.
-- Each array has one entry for an event; those of personal values name the event by its number. If an event says that
-- personal values of this chain were erased, they are deleted in the same transaction.
CREATE FUNCTION append_1(chain integer, before bigint, before_hash bytea,
  ids uuid[], profiles text[], orders text[], payment_ids text[], happened bigint[], recorded bigint[], agents text[],
  kinds text[], keys text[], shapes uuid[], vals text[], digests bytea[], hashes bytea[],
  salted bigint[], salts bytea[], secrets text[], new_shapes text[])
  RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
DECLARE
  n integer := cardinality(ids);
  erased uuid[];
BEGIN
  IF n = 0 THEN RETURN false; END IF;
  UPDATE writer SET last_seq = before + n, last_hash = hashes[n], seen_at = clock_timestamp()
   WHERE id = chain AND role = session_user AND last_seq = before AND last_hash = before_hash;
  IF NOT FOUND THEN RETURN false; END IF;
  IF cardinality(new_shapes) > 0 THEN
    INSERT INTO shape SELECT encode(substr(sha256(convert_to(s, 'UTF8')), 1, 16), 'hex')::uuid, s
      FROM (SELECT DISTINCT s FROM unnest(new_shapes) s ORDER BY s) d ON CONFLICT DO NOTHING;
  END IF;
  INSERT INTO event
    SELECT chain, before + e.n, e.a, e.b, e.c, e.d, e.e, e.f, e.g, e.h, e.i, e.j, e.k, e.l, e.m
    FROM unnest(ids, profiles, orders, payment_ids, happened, recorded, agents, kinds, keys, shapes, vals, digests, hashes)
      WITH ORDINALITY AS e(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  INSERT INTO personal SELECT chain, p.seq, recorded[p.seq - before], p.salt, p.vals
    FROM unnest(salted, salts, secrets) AS p(seq, salt, vals);
  IF 'amended' = ANY (kinds) THEN
    erased := ARRAY(SELECT v::uuid
      FROM (SELECT nullif(k.vals, '')::json AS listed FROM unnest(kinds, vals) AS k(kind, vals) WHERE k.kind = 'amended') a,
        json_array_elements_text(a.listed) AS v
      WHERE v ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$');
    DELETE FROM personal p USING event e
     WHERE e.writer = chain AND e.id = ANY (erased)
       AND (e.order_number = ANY (orders) OR (e.order_number IS NULL AND array_position(orders, NULL) IS NOT NULL))
       AND p.writer = e.writer AND p.writer_seq = e.writer_seq AND p.recorded_at = e.recorded_at;
  END IF;
  RETURN true;
END $$;

REVOKE ALL ON FUNCTION months_1, join_1, append_1 FROM PUBLIC;
GRANT USAGE ON SCHEMA :schema TO :schema_desk, :schema_intake, :schema_keeper, :schema_auditor;
GRANT SELECT ON log, writer, shape, event TO :schema_desk, :schema_intake, :schema_keeper, :schema_auditor;
GRANT SELECT ON personal TO :schema_desk, :schema_intake, :schema_keeper;
GRANT EXECUTE ON FUNCTION join_1, append_1, months_1 TO :schema_desk, :schema_intake, :schema_keeper;
`;

/** The roles whose names follow the schema's. Nothing signs in with them: installations are members. */
export const roleKinds = ['owner', 'desk', 'intake', 'keeper', 'auditor', 'admin', 'eraser'] as const;
