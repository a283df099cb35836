import Database from 'better-sqlite3';
import { migrations } from './migrations.ts';

/** Compares the schema of a log with the result of the migrations: a foreign trigger or view would run unnoticed. */

/** One row of `sqlite_schema`; `sql` is null for an index that SQLite makes for a constraint. */
type SchemaObject = { type: string; name: string; tableName: string; sql: string | null };

const readSchema = (database: Database.Database): Map<string, SchemaObject> =>
  new Map(
    database
      .prepare<[], SchemaObject>('SELECT type, name, tbl_name AS tableName, sql FROM sqlite_schema')
      .all()
      .map(one => [`${one.type} ${one.name}`, one]),
  );

const expectedSchemas = new Map<number, Map<string, SchemaObject>>();

/** The schema that the migrations up to `version` create. */
const expectedSchema = (version: number): Map<string, SchemaObject> => {
  const known = expectedSchemas.get(version);
  if (known) return known;
  const empty = new Database(':memory:');
  for (const sql of migrations.slice(0, version)) empty.exec(sql);
  const made = readSchema(empty);
  empty.close();
  expectedSchemas.set(version, made);
  return made;
};

/** SQLite's own statistics tables; nothing else can create tables with these names. */
const isStatistics = (name: string): boolean => /^sqlite_stat\d$/.test(name);

/** The differences between a log's schema and the schema of its version. */
export type SchemaDifferences = {
  /** Tables, indexes, triggers and views that are foreign, were changed, or cannot be recreated. */
  foreign: { at: string; difference: 'foreign' | 'changed' | 'missing' }[];
  /** Missing indexes and triggers with the SQL that recreates each. */
  missing: { at: string; sql: string }[];
};

/** Compares names and SQL of every schema object. Throws SQLite errors. */
export const schemaDifferences = (database: Database.Database): SchemaDifferences => {
  const expected = expectedSchema(Number(database.pragma('user_version', { simple: true })));
  const found = readSchema(database);
  const differences: SchemaDifferences = { foreign: [], missing: [] };
  for (const [at, { name, sql, tableName }] of found) {
    const right = expected.get(at);
    if (right === undefined && !isStatistics(name)) differences.foreign.push({ at, difference: 'foreign' });
    else if (right && (right.sql !== sql || right.tableName !== tableName))
      differences.foreign.push({ at, difference: 'changed' });
  }
  for (const [at, { type, sql }] of expected) {
    if (found.has(at)) continue;
    if ((type === 'index' || type === 'trigger') && sql !== null) differences.missing.push({ at, sql });
    else differences.foreign.push({ at, difference: 'missing' });
  }
  return differences;
};
