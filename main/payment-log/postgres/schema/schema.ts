import { maxNameBytes, maxTextBytes } from '../../evidence/event-limits.ts';
import { evidenceSchema } from './evidence.ts';
import { operationsSchema } from './operations.ts';
import { peopleSchema } from './people.ts';

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
