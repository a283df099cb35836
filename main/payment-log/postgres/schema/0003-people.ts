/**
 * Schema version 3: people, merchant profiles, rules and erasures of all installations. Run as 0001-chains.ts. Never
 * changed after a release.
 */
export const peopleSchema = `
SET LOCAL ROLE :schema_owner;
SET LOCAL search_path = :schema, pg_temp;

-- How often each kind of shared facts changed: an installation reads them again when this number moved.
CREATE TABLE revision (kind text PRIMARY KEY, number bigint NOT NULL DEFAULT 0);
INSERT INTO revision (kind) VALUES ('profile'), ('agent'), ('rule');

-- Merchant profiles without their passwords. The id is part of every event, so all installations use the same.
CREATE TABLE profile (
  id text PRIMARY KEY CHECK (id ~ '^[a-z0-9-]{1,64}$'),
  body text NOT NULL CHECK (length(body) < 100000 AND NOT body::jsonb ? 'password'),
  callback_path text NOT NULL UNIQUE CHECK (callback_path LIKE '/%' AND length(callback_path) <= 200),
  version integer NOT NULL DEFAULT 1,
  changed_at timestamptz NOT NULL DEFAULT now(),
  changed_by text NOT NULL
);

-- Inserts a profile (was: null) or replaces its version 'was'. Returns the new version; 0 if the id or the address is
-- in use, or the profile is no longer the one that was read.
CREATE FUNCTION profile_put_1(one text, was integer, new_body text, path text, person text) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
DECLARE
  made integer;
BEGIN
  IF was IS NULL THEN
    INSERT INTO profile (id, body, callback_path, changed_by) VALUES (one, new_body, path, person)
      ON CONFLICT DO NOTHING RETURNING version INTO made;
  ELSE
    UPDATE profile SET body = new_body, callback_path = path, version = version + 1, changed_at = now(),
      changed_by = person WHERE id = one AND version = was RETURNING version INTO made;
  END IF;
  IF made IS NULL THEN RETURN 0; END IF;
  UPDATE revision SET number = number + 1 WHERE kind = 'profile';
  RETURN made;
EXCEPTION WHEN unique_violation THEN RETURN 0;
END $$;

CREATE FUNCTION profile_remove_1(one text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
BEGIN
  DELETE FROM profile WHERE id = one;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE revision SET number = number + 1 WHERE kind = 'profile';
  RETURN true;
END $$;

-- Who can sign in. No installation reads this table.
CREATE TABLE agent (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  role text NOT NULL CHECK (length(role) BETWEEN 1 AND 40),
  pin_salt bytea,
  -- SHA-256 of the proof, which is scrypt of PIN and salt: what is stored here does not sign in.
  pin_hash bytea,
  -- Counts changes of the PIN, so that installations forget the earlier one.
  pin_version integer NOT NULL DEFAULT 0,
  wrong integer NOT NULL DEFAULT 0,
  wait_until timestamptz
);
CREATE UNIQUE INDEX agent_name ON agent (lower(name));

CREATE FUNCTION agents_1() RETURNS TABLE (id uuid, name text, role text, has_pin boolean, pin_version integer)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
  SELECT a.id, a.name, a.role, a.pin_hash IS NOT NULL, a.pin_version FROM agent a ORDER BY lower(a.name)
$$;

CREATE FUNCTION agent_salt_1(one uuid) RETURNS bytea
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
  SELECT pin_salt FROM agent WHERE id = one
$$;

-- Whether this proves the agent's PIN: 'admitted', 'wrong', 'wait' with the seconds that are left, or 'missing'. After
-- five wrong ones each further one doubles the time to wait. The lock of the row counts parallel attempts one by one.
CREATE FUNCTION agent_try_1(one uuid, proof bytea) RETURNS TABLE (outcome text, seconds integer)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
DECLARE
  a agent;
BEGIN
  SELECT * INTO a FROM agent WHERE id = one FOR UPDATE;
  IF NOT FOUND THEN RETURN QUERY SELECT 'missing', 0; RETURN; END IF;
  IF a.pin_hash IS NULL THEN RETURN QUERY SELECT 'admitted', 0; RETURN; END IF;
  IF a.wait_until > clock_timestamp() THEN
    RETURN QUERY SELECT 'wait', ceil(extract(epoch FROM a.wait_until - clock_timestamp()))::integer;
    RETURN;
  END IF;
  IF sha256(proof) = a.pin_hash THEN
    UPDATE agent SET wrong = 0, wait_until = NULL WHERE id = one AND (wrong > 0 OR wait_until IS NOT NULL);
    RETURN QUERY SELECT 'admitted', 0;
    RETURN;
  END IF;
  IF proof IS NOT NULL THEN
    UPDATE agent SET wrong = a.wrong + 1, wait_until = CASE WHEN a.wrong + 1 >= 5 THEN
      clock_timestamp() + least(interval '1 hour', interval '30 seconds' * 2 ^ least(a.wrong - 4, 10)) END
      WHERE id = one;
  END IF;
  RETURN QUERY SELECT 'wrong', 0;
END $$;

-- Whether a change of an agent is confirmed: by an administrator's PIN, or, if that one has none, by the PIN of the
-- changed agent. Not to be called from outside.
CREATE FUNCTION agent_confirm(person uuid, proof bytea, one uuid) RETURNS TABLE (outcome text, seconds integer)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
DECLARE
  self agent;
BEGIN
  -- One change at a time: two administrators cannot remove each other.
  LOCK TABLE agent IN SHARE ROW EXCLUSIVE MODE;
  SELECT * INTO self FROM agent WHERE id = person;
  IF NOT FOUND OR self.role <> 'administrator' THEN RETURN QUERY SELECT 'denied', 0; RETURN; END IF;
  RETURN QUERY SELECT CASE t.outcome WHEN 'missing' THEN 'admitted' ELSE t.outcome END, t.seconds
    FROM agent_try_1(CASE WHEN self.pin_hash IS NULL THEN one ELSE person END, proof) t;
END $$;

-- Inserts or changes an agent. 'pin': keep, clear or set. Outcomes: done, those of agent_try_1, denied, taken (the
-- name), full, last (there is no other administrator).
CREATE FUNCTION agent_put_1(person uuid, proof bytea, one uuid, new_name text, new_role text, pin text, salt bytea,
  new_proof bytea) RETURNS TABLE (outcome text, seconds integer)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
BEGIN
  SELECT c.outcome, c.seconds INTO outcome, seconds FROM agent_confirm(person, proof, one) c;
  IF outcome <> 'admitted' THEN RETURN NEXT; RETURN; END IF;
  outcome := CASE
    WHEN EXISTS (SELECT FROM agent a WHERE lower(a.name) = lower(new_name) AND a.id <> one) THEN 'taken'
    WHEN NOT EXISTS (SELECT FROM agent a WHERE a.id = one) AND (SELECT count(*) FROM agent) >= 100 THEN 'full'
    WHEN new_role <> 'administrator'
      AND NOT EXISTS (SELECT FROM agent a WHERE a.id <> one AND a.role = 'administrator') THEN 'last'
    ELSE 'done' END;
  IF outcome = 'done' THEN
    INSERT INTO agent AS a (id, name, role, pin_salt, pin_hash)
      VALUES (one, new_name, new_role, CASE pin WHEN 'set' THEN salt END, CASE pin WHEN 'set' THEN sha256(new_proof) END)
      ON CONFLICT (id) DO UPDATE SET name = new_name, role = new_role, wrong = 0, wait_until = NULL,
        pin_salt = CASE pin WHEN 'keep' THEN a.pin_salt ELSE EXCLUDED.pin_salt END,
        pin_hash = CASE pin WHEN 'keep' THEN a.pin_hash ELSE EXCLUDED.pin_hash END,
        pin_version = a.pin_version + CASE pin WHEN 'keep' THEN 0 ELSE 1 END;
    UPDATE revision SET number = number + 1 WHERE kind = 'agent';
  END IF;
  RETURN NEXT;
END $$;

-- Outcomes as of agent_put_1; 'denied' for oneself.
CREATE FUNCTION agent_remove_1(person uuid, proof bytea, one uuid) RETURNS TABLE (outcome text, seconds integer)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
BEGIN
  SELECT c.outcome, c.seconds INTO outcome, seconds FROM agent_confirm(person, proof, one) c;
  IF outcome <> 'admitted' THEN RETURN NEXT; RETURN; END IF;
  IF person = one THEN outcome := 'denied'; RETURN NEXT; RETURN; END IF;
  DELETE FROM agent WHERE id = one;
  UPDATE revision SET number = number + 1 WHERE kind = 'agent';
  outcome := 'done';
  RETURN NEXT;
END $$;

-- An agent changes the own PIN, proved by the earlier one; without new_proof it is removed.
CREATE FUNCTION agent_pin_1(one uuid, proof bytea, salt bytea, new_proof bytea)
  RETURNS TABLE (outcome text, seconds integer)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
BEGIN
  SELECT t.outcome, t.seconds INTO outcome, seconds FROM agent_try_1(one, proof) t;
  IF outcome = 'admitted' THEN
    UPDATE agent SET pin_salt = CASE WHEN new_proof IS NOT NULL THEN salt END, pin_hash = sha256(new_proof),
      pin_version = pin_version + 1 WHERE id = one;
    UPDATE revision SET number = number + 1 WHERE kind = 'agent';
    outcome := 'done';
  END IF;
  RETURN NEXT;
END $$;

-- The people of the first installation; false if there are some already, or none of these is an administrator.
CREATE FUNCTION agents_import_1(ids uuid[], names text[], roles text[], salts bytea[], proofs bytea[]) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
BEGIN
  LOCK TABLE agent IN SHARE ROW EXCLUSIVE MODE;
  IF EXISTS (SELECT FROM agent) OR NOT 'administrator' = ANY (roles) OR cardinality(ids) > 100 THEN RETURN false; END IF;
  INSERT INTO agent (id, name, role, pin_salt, pin_hash)
    SELECT i.a, i.b, i.c, i.d, sha256(i.e) FROM unnest(ids, names, roles, salts, proofs) AS i(a, b, c, d, e);
  UPDATE revision SET number = number + 1 WHERE kind = 'agent';
  RETURN true;
END $$;

-- What holds for all installations, as JSON: retentionDays.
CREATE TABLE rule (name text PRIMARY KEY, value text NOT NULL CHECK (value::jsonb IS NOT NULL));

CREATE FUNCTION rule_1(one text, new_value text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
BEGIN
  INSERT INTO rule VALUES (one, new_value) ON CONFLICT (name) DO UPDATE SET value = new_value;
  UPDATE revision SET number = number + 1 WHERE kind = 'rule';
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

-- append_1, and what its amendments name in other chains is erased in the same transaction, if the account may.
CREATE FUNCTION append_2(chain integer, before bigint, before_hash bytea,
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
      JOIN shape s ON s.id = k.shape
     WHERE k.kind = 'amended' AND k.ord IS NOT NULL AND s.text LIKE '%"reason":"request"%' GROUP BY k.ord, k.profile
    ON CONFLICT (order_number, profile_id) DO UPDATE SET requested_at = greatest(r.requested_at, EXCLUDED.requested_at);
  RETURN true;
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

-- Drops one month of personal values that is older than the rule says and contains none any more. Returns its name;
-- null if there is none; 'busy' while others use the table: a drop that waits would hold up every append.
CREATE FUNCTION keep_1() RETURNS text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp SET lock_timeout = '100ms' AS $$
DECLARE
  days integer := (SELECT value::integer FROM rule WHERE name = 'retentionDays' AND value ~ '^[1-9][0-9]{0,4}$');
  part record;
  is_used boolean;
BEGIN
  FOR part IN
    SELECT c.oid::regclass AS name, c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'personal'::regclass AND c.relname ~ '^personal_[0-9]{6}$'
       AND to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month' < now() AT TIME ZONE 'UTC' - days * interval '1 day'
     ORDER BY c.relname
  LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %s)', part.name) INTO is_used;
    CONTINUE WHEN is_used;
    BEGIN
      LOCK TABLE ONLY personal IN ACCESS EXCLUSIVE MODE;
      EXECUTE format('SELECT EXISTS (SELECT FROM %s)', part.name) INTO is_used;
      IF NOT is_used THEN
        EXECUTE format('DROP TABLE %s', part.name);
        RETURN part.relname;
      END IF;
    EXCEPTION WHEN lock_not_available THEN RETURN 'busy';
    END;
  END LOOP;
  RETURN NULL;
END $$;

-- Which tasks one installation does for all, and until when.
CREATE TABLE claim (task text PRIMARY KEY, holder text NOT NULL, until timestamptz NOT NULL);

-- Whether the holder has the task now, until 'milliseconds' later.
CREATE FUNCTION claim_1(one text, who text, milliseconds integer) RETURNS boolean
  LANGUAGE sql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
  WITH taken AS (
    INSERT INTO claim AS c VALUES (one, who, clock_timestamp() + milliseconds * interval '1 millisecond')
      ON CONFLICT (task) DO UPDATE SET holder = who, until = EXCLUDED.until
      WHERE c.holder = who OR c.until < clock_timestamp()
    RETURNING 1)
  SELECT EXISTS (SELECT FROM taken)
$$;

REVOKE ALL ON FUNCTION profile_put_1, profile_remove_1, agents_1, agent_salt_1, agent_try_1, agent_confirm, agent_put_1,
  agent_remove_1, agent_pin_1, agents_import_1, rule_1, append_2, erased_1, keep_1, claim_1 FROM PUBLIC;
GRANT SELECT ON revision, profile, rule, erased, erasure_request, claim
  TO :schema_desk, :schema_intake, :schema_keeper;
GRANT EXECUTE ON FUNCTION append_2, erased_1, claim_1 TO :schema_desk, :schema_intake, :schema_keeper;
GRANT EXECUTE ON FUNCTION agents_1, agent_salt_1, agent_try_1, agent_pin_1 TO :schema_desk;
GRANT EXECUTE ON FUNCTION profile_put_1, profile_remove_1, agent_put_1, agent_remove_1, agents_import_1, rule_1
  TO :schema_admin;
GRANT EXECUTE ON FUNCTION keep_1 TO :schema_keeper;
UPDATE log SET schema_version = 3;
`;
