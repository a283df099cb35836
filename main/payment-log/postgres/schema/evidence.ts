/** The chains of all installations, and what erases personal values in them. See `schema.ts`. */
export const evidenceSchema = `
-- One row: the identity of the log, the version of its tables, and the oldest programs that may use them.
CREATE TABLE log (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  schema_version integer NOT NULL,
  -- The schema version that a program must know at least.
  oldest_program integer NOT NULL
);

-- Which database role belongs to which installation; an administrator writes it.
CREATE TABLE installation (
  role name PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('console', 'intake')),
  label text NOT NULL,
  -- Granted again when the account is renewed, or the log was moved to another server.
  rights text[] NOT NULL DEFAULT '{}' CHECK (rights <@ ARRAY['admin', 'eraser', 'keeper']),
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
  -- The transaction that moved the end last: a reader asks for those that were not finished when it read before.
  moved xid8 NOT NULL DEFAULT pg_current_xact_id(),
  seen_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 20);

-- What bodies have in common. The key is the first half of the text's SHA-256, or 'shape_key' of it.
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

-- What an account has added to an order. A limit, no evidence: not in the write-ahead log, and empty after a crash.
CREATE UNLOGGED TABLE order_use (
  key uuid PRIMARY KEY,
  events integer NOT NULL,
  bytes bigint NOT NULL
) WITH (fillfactor = 50);

-- Creates the missing partitions of the months from one instant to another (milliseconds), up to three months ahead;
-- without them, those to come. A month with rows in the default partition stays there. It waits for no reader, and is
-- for keepers and administrators only: a new month locks the tables of events until its transaction ends.
CREATE FUNCTION months_1(first bigint DEFAULT extract(epoch FROM now())::bigint * 1000, last bigint DEFAULT 8e15::bigint)
  RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp SET lock_timeout = '100ms' AS $$
DECLARE
  month timestamp := date_trunc('month', greatest(to_timestamp(first / 1000.0), '2015-01-01') AT TIME ZONE 'UTC');
  until timestamp := least(to_timestamp(last / 1000.0), now() + interval '3 months') AT TIME ZONE 'UTC';
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
      EXCEPTION
        WHEN check_violation OR duplicate_table THEN NULL;
        WHEN lock_not_available THEN RETURN made;
      END;
    END IF;
    month := month + interval '1 month';
  END LOOP;
  RETURN made;
END $$;

-- Takes up a chain of the role that is connected, new or known, and returns its end. It writes, so that its commit
-- follows every earlier commit of the chain: an end that it returned is as durable as the commit of this call.
-- Returns no row for a chain of another role, and none for a fourth one.
CREATE FUNCTION join_1(chain text) RETURNS TABLE (id integer, seq bigint, hash bytea)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
BEGIN
  RETURN QUERY UPDATE writer w SET seen_at = clock_timestamp()
    WHERE w.name = chain AND w.role = session_user RETURNING w.id, w.last_seq, w.last_hash;
  IF FOUND THEN RETURN; END IF;
  RETURN QUERY INSERT INTO writer AS w (name, kind, label, role)
    SELECT chain, i.kind, i.label, i.role FROM installation i
    WHERE i.role = session_user AND i.revoked_at IS NULL
      AND (SELECT count(*) FROM writer o WHERE o.role = session_user) < 3
    ON CONFLICT DO NOTHING RETURNING w.id, w.last_seq, w.last_hash;
END $$;

-- The key of a shape of the account that is connected. Under the text's own key an account would wait for another one
-- that has stored the same text and not committed. No text contains a zero byte, so that no text has such a key.
CREATE FUNCTION shape_key(id uuid) RETURNS uuid LANGUAGE sql STABLE SET search_path = :schema, pg_temp AS $$
  SELECT encode(substr(sha256(convert_to(session_user::text, 'UTF8') || decode('00', 'hex') || uuid_send(id)), 1, 16),
    'hex')::uuid
$$;

-- Whether this is a plain list with so many entries, counted from 1.
CREATE FUNCTION is_list(list anyarray, entries integer) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(cardinality(list) = entries AND (entries = 0
    OR (array_ndims(list) = 1 AND array_lower(list, 1) = 1)), false)
$$;

-- The only way to extend a chain: moves its end and stores the events after it, or does nothing and returns false.
-- Each array has one entry for an event; those of personal values name the event by its number. If an event says that
-- personal values were erased, they are deleted in the same transaction: those of this chain, and with the right
-- 'eraser' or 'keeper' those of others. It waits for no other account, and refuses what no installation writes: texts
-- above the sizes of 'event-limits.ts', 5,000 events or 32 MB of an account in one order, times that are none.
CREATE FUNCTION append_1(chain integer, before bigint, before_hash bytea,
  ids uuid[], profiles text[], orders text[], payment_ids text[], happened bigint[], recorded bigint[], agents text[],
  kinds text[], keys text[], shapes uuid[], vals text[], digests bytea[], hashes bytea[],
  salted bigint[], salts bytea[], secrets text[], new_shapes text[])
  RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
DECLARE
  n integer := cardinality(ids);
  p integer := cardinality(salted);
BEGIN
  IF n = 0 THEN RETURN false; END IF;
  IF NOT (n <= 512 AND is_list(ids, n) AND is_list(profiles, n) AND is_list(orders, n) AND is_list(payment_ids, n)
    AND is_list(happened, n) AND is_list(recorded, n) AND is_list(agents, n) AND is_list(kinds, n) AND is_list(keys, n)
    AND is_list(shapes, n) AND is_list(vals, n) AND is_list(digests, n) AND is_list(hashes, n) AND p <= n
    AND is_list(salted, p) AND is_list(salts, p) AND is_list(secrets, p) AND cardinality(new_shapes) <= n)
  OR EXISTS (SELECT FROM unnest(profiles, orders, payment_ids, agents, kinds, keys) AS t(a, b, c, d, e, f)
    WHERE greatest(octet_length(a), octet_length(b), octet_length(c), octet_length(d), octet_length(e), octet_length(f))
      > :maxNameBytes)
  OR EXISTS (SELECT FROM unnest(vals || secrets || new_shapes) AS t(a) WHERE octet_length(a) > :maxTextBytes)
  OR EXISTS (SELECT FROM unnest(digests || salts) AS t(a) WHERE octet_length(a) > 64)
  OR EXISTS (SELECT FROM unnest(hashes) AS t(a) WHERE octet_length(a) IS DISTINCT FROM 32)
  OR EXISTS (SELECT FROM unnest(happened || recorded) AS t(a) WHERE a NOT BETWEEN 0 AND 253402300799999)
  THEN
    RAISE EXCEPTION 'no installation writes such events' USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE writer SET last_seq = before + n, last_hash = hashes[n], moved = pg_current_xact_id(),
    seen_at = clock_timestamp()
    WHERE id = chain AND role = session_user AND last_seq = before AND last_hash = before_hash;
  IF NOT FOUND THEN RETURN false; END IF;
  WITH used AS (
    INSERT INTO order_use AS u
      SELECT md5(session_user || chr(1) || e.b || chr(1) || e.c)::uuid, count(*), sum(octet_length(e.k))
        FROM unnest(profiles, orders, vals) AS e(b, c, k) WHERE e.c IS NOT NULL GROUP BY 1
      ON CONFLICT (key) DO UPDATE SET events = u.events + EXCLUDED.events, bytes = u.bytes + EXCLUDED.bytes
      RETURNING u.events, u.bytes)
  SELECT count(*) INTO p FROM used WHERE events > 5000 OR bytes > 33554432;
  IF p > 0 THEN
    RAISE EXCEPTION 'too many events of one order' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF cardinality(new_shapes) > 0 THEN
    INSERT INTO shape SELECT shape_key(d.id), d.s
      FROM (SELECT DISTINCT encode(substr(sha256(convert_to(s, 'UTF8')), 1, 16), 'hex')::uuid AS id, s
              FROM unnest(new_shapes) s ORDER BY s) d
     WHERE NOT EXISTS (SELECT FROM shape t WHERE t.id = d.id) ON CONFLICT DO NOTHING;
  END IF;
  INSERT INTO event
    SELECT chain, before + e.n, e.a, e.b, e.c, e.d, e.e, e.f, e.g, e.h, e.i,
      CASE WHEN EXISTS (SELECT FROM shape t WHERE t.id = e.j) THEN e.j ELSE shape_key(e.j) END, e.k, e.l, e.m
    FROM unnest(ids, profiles, orders, payment_ids, happened, recorded, agents, kinds, keys, shapes, vals, digests, hashes)
      WITH ORDINALITY AS e(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  INSERT INTO personal SELECT chain, p.seq, recorded[p.seq - before], p.salt, p.vals
    FROM unnest(salted, salts, secrets) AS p(seq, salt, vals);
  IF 'amended' = ANY (kinds) THEN
    PERFORM erase(chain, before, profiles, orders, happened, kinds, shapes, vals);
  END IF;
  RETURN true;
END $$;

-- Personal values that an amendment of another chain erased, and that the journal of their chain has yet to erase.
CREATE TABLE erased (
  writer integer NOT NULL,
  writer_seq bigint NOT NULL,
  id uuid NOT NULL,
  by_writer integer NOT NULL,
  by_seq bigint NOT NULL,
  PRIMARY KEY (writer, writer_seq)
);

-- Orders whose personal values a person had erased, and when: older values that arrive later are erased as well.
CREATE TABLE erasure_request (
  order_number text NOT NULL,
  profile_id text NOT NULL,
  requested_at bigint NOT NULL,
  PRIMARY KEY (order_number, profile_id)
);

-- Carries out the amendments that were appended. Not to be called from outside.
CREATE FUNCTION erase(chain integer, before bigint, profiles text[], orders text[], happened bigint[], kinds text[],
  shapes uuid[], vals text[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
DECLARE
  may boolean := pg_has_role(session_user, ':schema_eraser', 'MEMBER') OR pg_has_role(session_user, ':schema_keeper', 'MEMBER');
BEGIN
  WITH amended AS MATERIALIZED (
    SELECT k.n, k.profile, k.ord, v::uuid AS id
      FROM (SELECT a.n, a.profile, a.ord, nullif(a.vals, '')::json AS listed
              FROM unnest(kinds, vals, profiles, orders) WITH ORDINALITY AS a(kind, vals, profile, ord, n)
             WHERE a.kind = 'amended') k,
        json_array_elements_text(k.listed) AS v
     WHERE v ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
  ), named AS MATERIALIZED (
    SELECT e.writer, e.writer_seq, e.recorded_at, e.id, a.n FROM amended a
      JOIN event e ON e.order_number = a.ord AND e.profile_id = a.profile AND e.id = a.id WHERE may OR e.writer = chain
    UNION ALL
    SELECT e.writer, e.writer_seq, e.recorded_at, e.id, a.n FROM amended a
      JOIN event e ON e.order_number IS NULL AND e.profile_id = a.profile AND e.id = a.id
     WHERE a.ord IS NULL AND (may OR e.writer = chain)
  ), gone AS (
    DELETE FROM personal p USING named
     WHERE p.writer = named.writer AND p.writer_seq = named.writer_seq AND p.recorded_at = named.recorded_at
    RETURNING p.writer, p.writer_seq
  )
  INSERT INTO erased SELECT named.writer, named.writer_seq, named.id, chain, before + named.n
    FROM gone JOIN named USING (writer, writer_seq) WHERE named.writer <> chain ON CONFLICT DO NOTHING;
  IF NOT may THEN RETURN; END IF;
  INSERT INTO erasure_request AS r
    SELECT k.ord, k.profile, max(k.at) FROM unnest(kinds, orders, profiles, happened, shapes) AS k(kind, ord, profile, at, shape)
      JOIN shape s ON s.id IN (k.shape, shape_key(k.shape))
     WHERE k.kind = 'amended' AND k.ord IS NOT NULL AND s.text LIKE '%"reason":"request"%' GROUP BY k.ord, k.profile
    ON CONFLICT (order_number, profile_id) DO UPDATE SET requested_at = greatest(r.requested_at, EXCLUDED.requested_at);
END $$;

-- A journal has erased these values.
CREATE FUNCTION erased_1(chain text, numbers bigint[]) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
DECLARE
  n integer;
BEGIN
  DELETE FROM erased e USING writer w
   WHERE w.name = chain AND w.role = session_user AND e.writer = w.id AND e.writer_seq = ANY (numbers);
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN n;
END $$;

-- Up to when the list of a chain's console has carried out the erasures of this log, by the server's clock.
CREATE TABLE list (writer text PRIMARY KEY, confirmed_at timestamptz NOT NULL);

-- The list has everything erased that was erased until 'ago' milliseconds before now; null: there is none any more.
CREATE FUNCTION list_1(chain text, ago integer) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
BEGIN
  PERFORM FROM writer w WHERE w.name = chain AND w.role = session_user;
  IF NOT FOUND THEN RETURN false; END IF;
  IF ago IS NULL THEN
    DELETE FROM list r WHERE r.writer = chain;
  ELSE
    INSERT INTO list AS r VALUES (chain, clock_timestamp() - greatest(ago, 0) * interval '1 millisecond')
      ON CONFLICT (writer) DO UPDATE SET confirmed_at = greatest(r.confirmed_at, EXCLUDED.confirmed_at);
  END IF;
  RETURN true;
END $$;

-- The lists of consoles whose account is not withdrawn: since when they have confirmed nothing, milliseconds, and how
-- long that is.
CREATE FUNCTION lists_1() RETURNS TABLE (writer text, label text, since float8, away float8)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
  SELECT w.name, w.label, floor(extract(epoch FROM r.confirmed_at) * 1000)::float8,
    floor(extract(epoch FROM clock_timestamp() - r.confirmed_at) * 1000)::float8
  FROM list r JOIN writer w ON w.name = r.writer JOIN installation i ON i.role = w.role
  WHERE i.revoked_at IS NULL ORDER BY r.confirmed_at, w.label
$$;
`;
