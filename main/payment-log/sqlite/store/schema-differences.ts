import Database from 'better-sqlite3';
import { migrations } from './migrations.ts';

/** Compares the schema of a log with the result of the migrations: a foreign trigger or view would run unnoticed. */

export type SchemaType = 'table' | 'index' | 'trigger' | 'view';

/** One row of `sqlite_schema`; `sql` is null for an index that SQLite makes for a constraint. */
export type SchemaObject = { type: SchemaType; name: string; tableName: string; sql: string | null };

const readSchema = (database: Database.Database): Map<string, SchemaObject> =>
  new Map(
    database
      .prepare<[], SchemaObject>('SELECT type, name, tbl_name AS tableName, sql FROM sqlite_schema')
      .all()
      .map(one => [`${one.type} ${one.name}`, one]),
  );

const expectedSchemas = new Map<number, Map<string, SchemaObject>>();

/** The schema that the migrations up to `version` create. */
export const expectedSchema = (version: number): Map<string, SchemaObject> => {
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
  foreign: { type: SchemaType; name: string; difference: 'foreign' | 'changed' | 'missing' }[];
  /** Missing indexes and triggers with the SQL that recreates each. */
  missing: { type: SchemaType; name: string; sql: string }[];
};

/** Compares names and SQL of every schema object. Throws SQLite errors. */
export const schemaDifferences = (database: Database.Database): SchemaDifferences => {
  const expected = expectedSchema(Number(database.pragma('user_version', { simple: true })));
  const found = readSchema(database);
  const differences: SchemaDifferences = { foreign: [], missing: [] };
  for (const [key, { type, name, sql, tableName }] of found) {
    const right = expected.get(key);
    if (right === undefined && !isStatistics(name))
      differences.foreign.push({ type, name, difference: 'foreign' });
    else if (right && (right.sql !== sql || right.tableName !== tableName))
      differences.foreign.push({ type, name, difference: 'changed' });
  }
  for (const [key, { type, name, sql }] of expected) {
    if (found.has(key)) continue;
    if ((type === 'index' || type === 'trigger') && sql !== null)
      differences.missing.push({ type, name, sql });
    else differences.foreign.push({ type, name, difference: 'missing' });
  }
  return differences;
};
