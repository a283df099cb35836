/**
 * Schema version 7: what one account can do to the others has limits. Functions keep their names and what they take, so
 * that programs of earlier versions are limited too. Run as 0001-chains.ts. Never changed after a release.
 */
export const limitsSchema = `
SET LOCAL ROLE :schema_owner;
SET LOCAL search_path = :schema, pg_temp;

-- For its chains only, two minutes at most; the keeper's task only with the right to it; 1,000 tasks at a time. A row
-- that another one locks says nothing: both do the task then.
CREATE OR REPLACE FUNCTION claim_1(one text, who text, milliseconds integer) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp SET lock_timeout = '200ms' AS $$
BEGIN
  PERFORM FROM writer w WHERE w.name = who AND w.role = session_user;
  IF NOT FOUND OR length(one) > 300 THEN RETURN false; END IF;
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
    WHERE c.holder = who OR c.until < clock_timestamp() OR c.until > clock_timestamp() + interval '3 minutes';
  RETURN FOUND;
EXCEPTION WHEN lock_not_available THEN RETURN true;
END $$;

-- One head of an account and day, of at most 20 KB.
CREATE OR REPLACE FUNCTION witness_1(chain text, signed text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
DECLARE
  today date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
BEGIN
  PERFORM FROM writer w WHERE w.name = chain AND w.role = session_user;
  IF NOT FOUND OR length(signed) > 20000 THEN RETURN false; END IF;
  IF NOT EXISTS (SELECT FROM head h JOIN writer w ON w.name = h.witness WHERE h.day = today AND w.role = session_user) THEN
    INSERT INTO head (day, witness, body)
      SELECT today, chain, signed WHERE (SELECT count(*) FROM head h WHERE h.day = today) < 8
      ON CONFLICT DO NOTHING;
  END IF;
  RETURN EXISTS (SELECT FROM head h WHERE h.day = today AND h.witness = chain);
END $$;

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

-- As before, but after five wrong ones only the account waits that sent them, and everybody after 50 of all accounts
-- within a day. Only the account's row is locked, which counts its parallel attempts one by one: an open transaction
-- of one account keeps no other account out.
CREATE OR REPLACE FUNCTION agent_try_1(one uuid, proof bytea) RETURNS TABLE (outcome text, seconds integer)
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

-- As before, but it waits for no reader: the default partition takes the events until a later attempt. Months are
-- created up to three months ahead.
CREATE OR REPLACE FUNCTION months_1(first bigint, last bigint) RETURNS integer
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

REVOKE ALL ON FUNCTION claim_1, witness_1, agent_try_1, months_1 FROM PUBLIC;
UPDATE log SET schema_version = 7;
`;
