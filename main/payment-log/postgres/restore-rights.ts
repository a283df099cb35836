import { roleKinds } from './schema/0001-chains.ts';

/** The statements of a version of the tables that grant and revoke; each begins a line. */
const grantsIn = (sql: string): string[] => sql.match(/^(?:GRANT|REVOKE)\b[^;]*/gm) ?? [];

/** Creates the roles that only hold rights, if they are missing, and lets the administrator act as the owner. */
export const createRoles = (schema: string): string[] => [
  ...roleKinds.map(
    kind =>
      `DO $$ BEGIN CREATE ROLE ${schema}_${kind} NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
  ),
  `GRANT ${schema}_owner TO CURRENT_USER`,
];

/**
 * Gives everything in the schema its owner and its rights again. A dump of one database contains no roles: after it was
 * restored on another server, its tables and functions belong to the administrator there, and no account has a right. A function
 * that runs with its owner's rights must not belong to an administrator. `versions`: the SQL of the present tables.
 */
export const restoreRights = (schema: string, versions: readonly string[]): string[] => [
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
  `SET LOCAL ROLE ${schema}_owner`,
  `SET LOCAL search_path = ${schema}, pg_temp`,
  ...versions.flatMap(sql => grantsIn(sql.replaceAll(':schema', schema))),
  'RESET ROLE',
];
