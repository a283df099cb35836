import { maxNameBytes, maxTextBytes } from '../../evidence/event-limits.ts';
import { evidenceSchema } from './evidence.ts';
import { peopleSchema } from './people.ts';

/** The database decides who sends an operation, or a link for an order number. See `schema.ts`. */
const operationsSchema = `
-- What an account is sending or has just sent. Only the functions read it.
CREATE TABLE operation (
  nr bigint GENERATED ALWAYS AS IDENTITY,
  id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  role name NOT NULL,
  writer text NOT NULL,
  -- The end of that chain, as its journal had it: who has it too is the same installation, after a crash.
  seq bigint NOT NULL,
  hash text NOT NULL CHECK (length(hash) <= 64),
  -- The gateway account, hashed.
  account text NOT NULL CHECK (length(account) <= 64),
  -- What it is about: no two with a common subject at once.
  subjects text[] NOT NULL CHECK (cardinality(subjects) BETWEEN 1 AND 3 AND length(subjects::text) <= 900),
  person text NOT NULL CHECK (length(person) <= 64),
  agent text NOT NULL CHECK (length(agent) <= 200),
  currency text NOT NULL CHECK (length(currency) <= 10),
  -- Minor units that count for the person's day. Null: not known.
  minor numeric CHECK (minor BETWEEN 0 AND 1e30),
  begun_at timestamptz NOT NULL,
  -- Until when it keeps others from sending.
  until timestamptz NOT NULL,
  is_sent boolean NOT NULL DEFAULT false
);
CREATE INDEX operation_until ON operation (account, until);
CREATE INDEX operation_role ON operation (role, begun_at);

-- Stores what an account is about to send, once. It waits for no other account, so that an open transaction keeps none
-- out: 'operation_rival_1' decides afterwards, when this row is committed. A row holds for five minutes at most,
-- and an account holds one subject for 15 minutes of a day. False: not one's own chain, or too many.
CREATE FUNCTION operation_begin_1(chain text, last_seq bigint, last_hash text, one text, of_account text, about text[],
  who text, agent_name text, in_currency text, amount numeric) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  held interval;
BEGIN
  PERFORM FROM writer w WHERE w.name = chain AND w.role = session_user;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM operation o WHERE o.role = session_user AND o.begun_at < moment - interval '2 days';
  IF (SELECT count(*) >= 20000 OR count(*) FILTER (WHERE o.until > moment) >= 200 FROM operation o WHERE o.role = session_user)
    THEN RETURN false; END IF;
  SELECT sum(least(o.until, moment) - o.begun_at) INTO held FROM operation o
    WHERE o.role = session_user AND o.account = of_account AND o.subjects && about AND o.begun_at > moment - interval '1 day';
  held := interval '15 minutes' - coalesce(held, interval '0');
  IF held <= interval '0' THEN RETURN false; END IF;
  INSERT INTO operation (id, role, writer, seq, hash, account, subjects, person, agent, currency, minor, begun_at, until)
    VALUES (one, session_user, chain, last_seq, last_hash, of_account, about, who, agent_name, in_currency, amount, moment,
      moment + least(held, interval '5 minutes'))
    ON CONFLICT DO NOTHING;
  RETURN FOUND;
END $$;

-- Who else sends something with a common subject, the one that decides first; no row: none does. 'seen': what the
-- person insists about. 'known': what the caller has evidence of; what was sent is in its evidence then. Of two that were
-- committed before either asked, at least one sees the other.
CREATE FUNCTION operation_rival_1(one text, seen text[], known text[])
  RETURNS TABLE (id text, writer text, seq bigint, hash text, agent text, installation text, at bigint, currency text,
    minor text, "isFirst" boolean)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
  SELECT o.id, o.writer, o.seq, o.hash, o.agent, coalesce(w.label, o.writer),
    (extract(epoch FROM o.begun_at) * 1000)::bigint, o.currency, o.minor::text, o.is_sent OR o.nr < m.nr
    FROM operation m
    JOIN operation o ON o.account = m.account AND o.until > clock_timestamp() AND o.subjects && m.subjects AND o.id <> m.id
    LEFT JOIN writer w ON w.name = o.writer
    WHERE m.id = one AND m.role = session_user AND o.id <> ALL (seen)
      AND NOT (o.id = ANY (known) AND (o.is_sent OR o.role = session_user))
    ORDER BY 10 DESC, o.nr LIMIT 1
$$;

-- What a person sent at other accounts since a time (milliseconds), minor units; null: one amount is not known. Where the
-- person has a PIN, only accounts count to which it was once entered: no account uses up the limit of a stranger.
CREATE FUNCTION operation_spent_1(of_account text, who text, in_currency text, since bigint) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
  SELECT CASE WHEN count(*) = count(o.minor) THEN coalesce(sum(o.minor), 0)::text END FROM operation o
    LEFT JOIN agent a ON a.id::text = who
    WHERE o.account = of_account AND o.person = who AND o.currency = in_currency AND o.role <> session_user
      AND o.begun_at >= to_timestamp(since / 1000.0)
      AND (a.pin_hash IS NULL OR EXISTS (SELECT FROM agent_attempt t
        WHERE t.agent = a.id AND t.role = o.role AND t.admitted = a.pin_version))
$$;

-- What became of it: sent, then it still holds for a minute, until the others have the evidence; or not carried out,
-- then it holds and counts no more.
CREATE FUNCTION operation_end_1(one text, sent boolean) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
  UPDATE operation o SET is_sent = sent, minor = CASE WHEN sent THEN o.minor ELSE 0 END,
    until = least(o.until, clock_timestamp() + CASE WHEN sent THEN interval '1 minute' ELSE interval '0' END)
    WHERE o.id = one AND o.role = session_user
$$;
`;

/** The version of the tables that this program creates and knows. */
export const schemaVersion = 1;

/**
 * The roles whose names follow the schema's. Nothing signs in with them: accounts are members. `console`, `intake`: kinds of
 * installations; the last three: rights.
 */
export const roleKinds = ['owner', 'console', 'intake', 'admin', 'eraser', 'keeper'] as const;

/** `:schema` is the schema's name, which also begins the names of the roles. Run with the owner's role set. */
const tables = `${evidenceSchema}${peopleSchema}${operationsSchema}
INSERT INTO log (schema_version, oldest_program) VALUES (${schemaVersion}, ${schemaVersion});
`;

/** What each role may. No other account may call a function: they run with the owner's rights. */
const rights = `
REVOKE ALL ON ALL TABLES IN SCHEMA :schema FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA :schema FROM PUBLIC;
GRANT USAGE ON SCHEMA :schema TO :schema_console, :schema_intake;
GRANT SELECT ON log, writer, shape, event, personal, revision, profile, rule, erased, erasure_request, claim
  TO :schema_console, :schema_intake;
GRANT SELECT ON shared_views TO :schema_console;
GRANT EXECUTE ON FUNCTION join_1, append_1, erased_1, claim_1, lists_1 TO :schema_console, :schema_intake;
GRANT EXECUTE ON FUNCTION agents_1, agent_salt_1, agent_try_1, agent_pin_1, list_1, shared_views_put_1,
  operation_begin_1, operation_rival_1, operation_spent_1, operation_end_1 TO :schema_console;
GRANT EXECUTE ON FUNCTION profile_put_1, profile_remove_1, agent_put_1, agent_remove_1, agents_import_1, rule_1
  TO :schema_admin;
GRANT EXECUTE ON FUNCTION months_1, keep_1 TO :schema_keeper;
`;

const named = (sql: string, schema: string): string =>
  sql
    .replaceAll(':maxNameBytes', String(maxNameBytes))
    .replaceAll(':maxTextBytes', String(maxTextBytes))
    .replaceAll(':schema', schema);

const asOwner = (schema: string, sql: string): string[] => [
  `SET LOCAL ROLE ${schema}_owner`,
  `SET LOCAL search_path = ${schema}, pg_temp`,
  named(sql, schema),
  'RESET ROLE',
];

/** Creates the roles that only hold rights, if they are missing, and lets the administrator act as the owner. */
const createRoles = (schema: string): string[] => [
  ...roleKinds.map(
    kind =>
      `DO $$ BEGIN CREATE ROLE ${schema}_${kind} NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
  ),
  `GRANT ${schema}_owner TO CURRENT_USER`,
];

/** Creates the schema, in a database without one. */
export const createSchema = (schema: string): string[] => [
  ...createRoles(schema),
  `CREATE SCHEMA ${schema} AUTHORIZATION ${schema}_owner`,
  ...asOwner(schema, tables + rights),
];

/**
 * Gives everything in the schema its owner and its rights again. A dump of one database contains no roles: after it was
 * restored on another server, its tables and functions belong to the administrator there, and no account has a right. A
 * function that runs with its owner's rights must not belong to an administrator.
 */
export const restoreRights = (schema: string): string[] => [
  ...createRoles(schema),
  `ALTER SCHEMA ${schema} OWNER TO ${schema}_owner`,
  `DO $$ DECLARE one regclass; BEGIN
     FOR one IN SELECT c.oid FROM pg_class c WHERE c.relnamespace = '${schema}'::regnamespace
       AND c.relkind IN ('r', 'p', 'v') AND c.relowner <> '${schema}_owner'::regrole
     LOOP EXECUTE format('ALTER TABLE %s OWNER TO ${schema}_owner', one); END LOOP;
   END $$`,
  `DO $$ DECLARE one regprocedure; BEGIN
     FOR one IN SELECT p.oid FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
       AND p.proowner <> '${schema}_owner'::regrole
     LOOP EXECUTE format('ALTER FUNCTION %s OWNER TO ${schema}_owner', one); END LOOP;
   END $$`,
  ...asOwner(schema, rights),
];

/**
 * Takes from accounts what PostgreSQL lets everyone do in a database, and no installation does: advisory locks, large
 * objects, temporary tables, records in the write-ahead log. Not possible for an administrator who is no superuser.
 */
export const closeDatabase = (database: string): string[] => [
  `REVOKE TEMPORARY, CREATE ON DATABASE "${database.replaceAll('"', '""')}" FROM PUBLIC`,
  'REVOKE CREATE ON SCHEMA public FROM PUBLIC',
  `DO $$ DECLARE one regprocedure; BEGIN
     FOR one IN SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
       AND proname ~ '^(pg_(try_)?advisory_|pg_logical_emit_message$|lo_|lowrite$|loread$)'
     LOOP EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', one); END LOOP;
   END $$`,
];
