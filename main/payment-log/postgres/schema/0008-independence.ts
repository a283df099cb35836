/**
 * Schema version 8: an open transaction of one account holds up no append of another, replicas confirm erasures, and
 * events are found by payment id, for consoles that keep some months only. Run as 0001-chains.ts. Never changed after a
 * release.
 */
export const independenceSchema = `
SET LOCAL ROLE :schema_owner;
SET LOCAL search_path = :schema, pg_temp;

-- The key of a shape of the account that is connected. Under the text's own key an account would wait for another one
-- that has stored the same text and not committed. No text contains a zero byte, so that no text has such a key.
CREATE OR REPLACE FUNCTION shape_key(id uuid) RETURNS uuid LANGUAGE sql STABLE SET search_path = :schema, pg_temp AS $$
  SELECT encode(substr(sha256(convert_to(session_user::text, 'UTF8') || decode('00', 'hex') || uuid_send(id)), 1, 16),
    'hex')::uuid
$$;

-- As before, but a shape that is not there yet is stored under the account's key, and the event names that one.
CREATE OR REPLACE FUNCTION append_1(chain integer, before bigint, before_hash bytea,
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

-- As before, with the account's keys of shapes.
CREATE OR REPLACE FUNCTION append_2(chain integer, before bigint, before_hash bytea,
  ids uuid[], profiles text[], orders text[], payment_ids text[], happened bigint[], recorded bigint[], agents text[],
  kinds text[], keys text[], shapes uuid[], vals text[], digests bytea[], hashes bytea[],
  salted bigint[], salts bytea[], secrets text[], new_shapes text[])
  RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
BEGIN
  IF NOT append_1(chain, before, before_hash, ids, profiles, orders, payment_ids, happened, recorded, agents, kinds,
    keys, shapes, vals, digests, hashes, salted, salts, secrets, new_shapes) THEN RETURN false; END IF;
  IF NOT 'amended' = ANY (kinds) OR NOT (pg_has_role(session_user, ':schema_eraser', 'MEMBER')
    OR pg_has_role(session_user, ':schema_keeper', 'MEMBER')) THEN RETURN true; END IF;
  WITH amended AS MATERIALIZED (
    SELECT k.n, k.profile, k.ord, v::uuid AS id
      FROM (SELECT a.n, a.profile, a.ord, nullif(a.vals, '')::json AS listed
              FROM unnest(kinds, vals, profiles, orders) WITH ORDINALITY AS a(kind, vals, profile, ord, n)
             WHERE a.kind = 'amended') k,
        json_array_elements_text(k.listed) AS v
     WHERE v ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
  ), named AS MATERIALIZED (
    SELECT e.writer, e.writer_seq, e.recorded_at, e.id, a.n FROM amended a
      JOIN event e ON e.order_number = a.ord AND e.profile_id = a.profile AND e.id = a.id WHERE e.writer <> chain
    UNION ALL
    SELECT e.writer, e.writer_seq, e.recorded_at, e.id, a.n FROM amended a
      JOIN event e ON e.order_number IS NULL AND e.profile_id = a.profile AND e.id = a.id
     WHERE a.ord IS NULL AND e.writer <> chain
  ), gone AS (
    DELETE FROM personal p USING named
     WHERE p.writer = named.writer AND p.writer_seq = named.writer_seq AND p.recorded_at = named.recorded_at
    RETURNING p.writer, p.writer_seq
  )
  INSERT INTO erased SELECT named.writer, named.writer_seq, named.id, chain, before + named.n
    FROM gone JOIN named USING (writer, writer_seq) ON CONFLICT DO NOTHING;
  INSERT INTO erasure_request AS r
    SELECT k.ord, k.profile, max(k.at) FROM unnest(kinds, orders, profiles, happened, shapes) AS k(kind, ord, profile, at, shape)
      JOIN shape s ON s.id IN (k.shape, shape_key(k.shape))
     WHERE k.kind = 'amended' AND k.ord IS NOT NULL AND s.text LIKE '%"reason":"request"%' GROUP BY k.ord, k.profile
    ON CONFLICT (order_number, profile_id) DO UPDATE SET requested_at = greatest(r.requested_at, EXCLUDED.requested_at);
  RETURN true;
END $$;

-- As before, but for keepers and administrators only: a new month locks the tables of events until its transaction ends.
-- The default partition takes what comes before it.
CREATE OR REPLACE FUNCTION months_1(first bigint, last bigint) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp SET lock_timeout = '100ms' AS $$
DECLARE
  month timestamp := date_trunc('month', greatest(to_timestamp(first / 1000.0), '2015-01-01') AT TIME ZONE 'UTC');
  until timestamp := least(to_timestamp(last / 1000.0), now() + interval '3 months') AT TIME ZONE 'UTC';
  made integer := 0;
  part text;
BEGIN
  IF NOT (pg_has_role(session_user, ':schema_keeper', 'MEMBER') OR pg_has_role(session_user, ':schema_owner', 'MEMBER')) THEN
    RETURN 0;
  END IF;
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

-- Up to when the replica of a chain's console has carried out the erasures of this log, by the server's clock.
CREATE TABLE replica (writer text PRIMARY KEY, confirmed_at timestamptz NOT NULL);

-- The replica has everything erased that was erased until 'ago' milliseconds before now; null: there is none any more.
CREATE OR REPLACE FUNCTION replica_1(chain text, ago integer) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
BEGIN
  PERFORM FROM writer w WHERE w.name = chain AND w.role = session_user;
  IF NOT FOUND THEN RETURN false; END IF;
  IF ago IS NULL THEN
    DELETE FROM replica r WHERE r.writer = chain;
  ELSE
    INSERT INTO replica AS r VALUES (chain, clock_timestamp() - greatest(ago, 0) * interval '1 millisecond')
      ON CONFLICT (writer) DO UPDATE SET confirmed_at = greatest(r.confirmed_at, EXCLUDED.confirmed_at);
  END IF;
  RETURN true;
END $$;

-- The replicas of consoles whose account is not withdrawn: since when they have confirmed nothing, milliseconds, and how
-- long that is.
CREATE OR REPLACE FUNCTION replicas_1() RETURNS TABLE (writer text, label text, since float8, away float8)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
  SELECT w.name, w.label, floor(extract(epoch FROM r.confirmed_at) * 1000)::float8,
    floor(extract(epoch FROM clock_timestamp() - r.confirmed_at) * 1000)::float8
  FROM replica r JOIN writer w ON w.name = r.writer JOIN installation i ON i.role = w.role
  WHERE i.revoked_at IS NULL ORDER BY r.confirmed_at, w.label
$$;

-- Building it holds up appends for seconds.
CREATE INDEX event_payment_id ON event (payment_id) WHERE payment_id IS NOT NULL;

REVOKE ALL ON FUNCTION shape_key, replica_1, replicas_1 FROM PUBLIC;
GRANT EXECUTE ON FUNCTION replica_1 TO :schema_desk;
GRANT EXECUTE ON FUNCTION replicas_1 TO :schema_desk, :schema_intake, :schema_keeper, :schema_auditor;
UPDATE log SET schema_version = 8;
`;
