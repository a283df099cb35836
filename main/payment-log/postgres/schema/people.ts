/** People, merchant profiles, rules and saved views of all installations. See `schema.ts`. */
export const peopleSchema = `
-- How often each kind of shared facts changed: an installation reads them again when this number moved.
CREATE TABLE revision (kind text PRIMARY KEY, number bigint NOT NULL DEFAULT 0);
INSERT INTO revision (kind) VALUES ('profile'), ('agent'), ('rule'), ('view');

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
  pin_version integer NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX agent_name ON agent (lower(name));

-- Wrong PINs by person and account, since the person's last right one there.
CREATE TABLE agent_attempt (
  agent uuid NOT NULL,
  role name NOT NULL,
  -- Those of an earlier PIN do not count.
  pin_version integer NOT NULL,
  wrong integer NOT NULL,
  wait_until timestamptz,
  tried_at timestamptz NOT NULL,
  -- The PIN that was last right there.
  admitted integer,
  PRIMARY KEY (agent, role)
);

CREATE FUNCTION agents_1() RETURNS TABLE (id uuid, name text, role text, has_pin boolean, pin_version integer)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
  SELECT a.id, a.name, a.role, a.pin_hash IS NOT NULL, a.pin_version FROM agent a ORDER BY lower(a.name)
$$;

CREATE FUNCTION agent_salt_1(one uuid) RETURNS bytea
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
  SELECT pin_salt FROM agent WHERE id = one
$$;

-- Whether this proves the agent's PIN: 'admitted', 'wrong', 'wait' with the seconds that are left, or 'missing'. After
-- five wrong ones each further one doubles the time that the account waits which sent them, and everybody waits after 50
-- of all accounts within a day. Only the account's row is locked, which counts its parallel attempts one by one: an open
-- transaction of one account keeps no other account out.
CREATE FUNCTION agent_try_1(one uuid, proof bytea) RETURNS TABLE (outcome text, seconds integer)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
#variable_conflict use_column
DECLARE
  a agent;
  t agent_attempt;
  everybody timestamptz;
BEGIN
  SELECT * INTO a FROM agent WHERE id = one;
  IF NOT FOUND THEN RETURN QUERY SELECT 'missing', 0; RETURN; END IF;
  IF a.pin_hash IS NULL THEN RETURN QUERY SELECT 'admitted', 0; RETURN; END IF;
  INSERT INTO agent_attempt AS n VALUES (one, session_user, a.pin_version, 0, NULL, clock_timestamp())
    ON CONFLICT (agent, role) DO UPDATE SET pin_version = a.pin_version,
      wrong = CASE WHEN n.pin_version = a.pin_version THEN n.wrong ELSE 0 END,
      wait_until = CASE WHEN n.pin_version = a.pin_version THEN n.wait_until END
    RETURNING * INTO t;
  SELECT CASE WHEN sum(n.wrong) >= 50 THEN max(n.tried_at) + interval '30 seconds' END INTO everybody
    FROM agent_attempt n
    WHERE n.agent = one AND n.pin_version = a.pin_version AND n.tried_at > clock_timestamp() - interval '1 day';
  t.wait_until := greatest(t.wait_until, everybody);
  IF t.wait_until > clock_timestamp() THEN
    RETURN QUERY SELECT 'wait', ceil(extract(epoch FROM t.wait_until - clock_timestamp()))::integer;
    RETURN;
  END IF;
  IF sha256(proof) = a.pin_hash THEN
    UPDATE agent_attempt n SET wrong = 0, wait_until = NULL, admitted = a.pin_version
      WHERE n.agent = one AND n.role = session_user;
    RETURN QUERY SELECT 'admitted', 0;
    RETURN;
  END IF;
  IF proof IS NOT NULL THEN
    UPDATE agent_attempt n SET wrong = t.wrong + 1, tried_at = clock_timestamp(), wait_until = CASE WHEN t.wrong + 1 >= 5
      THEN clock_timestamp() + least(interval '1 hour', interval '30 seconds' * 2 ^ least(t.wrong - 4, 10)) END
      WHERE n.agent = one AND n.role = session_user;
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
      ON CONFLICT (id) DO UPDATE SET name = new_name, role = new_role,
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

-- An agent changes the own PIN, proved by the earlier one; without new_proof it is removed. The first one, which nothing
-- proves, is set by an account with the right 'admin' only: 'denied' otherwise.
CREATE FUNCTION agent_pin_1(one uuid, proof bytea, salt bytea, new_proof bytea)
  RETURNS TABLE (outcome text, seconds integer)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
BEGIN
  SELECT t.outcome, t.seconds INTO outcome, seconds FROM agent_try_1(one, proof) t;
  IF outcome = 'admitted' AND NOT pg_has_role(session_user, ':schema_admin', 'MEMBER')
    AND EXISTS (SELECT FROM agent a WHERE a.id = one AND a.pin_hash IS NULL) THEN
    outcome := 'denied';
  END IF;
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

-- Whether the holder has the task now, until 'milliseconds' later. For chains of the account only, two minutes at most;
-- the keeper's task only with the right to it, alerts only for intakes, which also take over what a console has; 1,000
-- tasks at a time. A row that another account locks says nothing: both do the task then.
CREATE FUNCTION claim_1(one text, who text, milliseconds integer) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
  is_intake boolean := pg_has_role(session_user, ':schema_intake', 'MEMBER');
BEGIN
  PERFORM FROM writer w WHERE w.name = who AND w.role = session_user;
  IF NOT FOUND OR length(one) > 300 THEN RETURN false; END IF;
  IF one LIKE 'alert:%' AND NOT is_intake THEN RETURN false; END IF;
  IF one = 'keeper' AND NOT pg_has_role(session_user, ':schema_keeper', 'MEMBER') THEN RETURN false; END IF;
  IF (SELECT count(*) FROM claim c JOIN writer w ON w.name = c.holder WHERE w.role = session_user) >= 1000 THEN
    DELETE FROM claim c USING writer w WHERE w.name = c.holder AND w.role = session_user AND c.until < clock_timestamp();
    IF (SELECT count(*) FROM claim c JOIN writer w ON w.name = c.holder WHERE w.role = session_user) >= 1000 THEN
      RETURN false;
    END IF;
  END IF;
  INSERT INTO claim AS c
    VALUES (one, who, clock_timestamp() + least(greatest(milliseconds, 0), 120000) * interval '1 millisecond')
    ON CONFLICT (task) DO UPDATE SET holder = who, until = EXCLUDED.until
    WHERE c.holder = who OR c.until < clock_timestamp() OR c.until > clock_timestamp() + interval '3 minutes'
      OR (is_intake AND NOT EXISTS (SELECT FROM writer w WHERE w.name = c.holder AND w.kind = 'intake'));
  RETURN FOUND;
EXCEPTION WHEN lock_not_available THEN RETURN true;
END $$;

-- One row: the list as JSON, in its order. One version covers all views, because their order and names concern the list.
CREATE TABLE shared_views (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  body text NOT NULL DEFAULT '[]' CHECK (length(body) < 100000 AND jsonb_typeof(body::jsonb) = 'array'
    AND jsonb_array_length(body::jsonb) <= 20),
  version integer NOT NULL DEFAULT 0,
  changed_at timestamptz NOT NULL DEFAULT now(),
  changed_by text NOT NULL DEFAULT ''
);
INSERT INTO shared_views DEFAULT VALUES;

-- Replaces version 'was' of the list. Returns the new version; 0 if it is no longer the one that was read, or another
-- account holds it.
CREATE FUNCTION shared_views_put_1(was integer, new_body text, person text) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
  made integer;
BEGIN
  UPDATE shared_views SET body = new_body, version = version + 1, changed_at = now(), changed_by = left(person, 200)
    WHERE version = was RETURNING version INTO made;
  IF made IS NULL THEN RETURN 0; END IF;
  UPDATE revision SET number = number + 1 WHERE kind = 'view';
  RETURN made;
EXCEPTION WHEN lock_not_available THEN RETURN 0;
END $$;
`;
