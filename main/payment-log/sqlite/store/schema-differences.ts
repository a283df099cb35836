import Database from 'better-sqlite3';
import { schema } from './journal-tables.ts';

/** Compares the schema of a log with the right one: a foreign trigger or view would run unnoticed. */

type SchemaType = 'table' | 'index' | 'trigger' | 'view';

/** One row of `sqlite_schema`; `sql` is null for an index that SQLite makes for a constraint. */
type SchemaObject = { type: SchemaType; name: string; tableName: string; sql: string | null };

const readSchema = (database: Database.Database): Map<string, SchemaObject> =>
  new Map(
    database
      .prepare<[], SchemaObject>('SELECT type, name, tbl_name AS tableName, sql FROM sqlite_schema')
      .all()
      .map(one => [`${one.type} ${one.name}`, one]),
  );

let rightSchema: Map<string, SchemaObject> | null = null;

const expectedSchema = (): Map<string, SchemaObject> => {
  if (rightSchema) return rightSchema;
  const empty = new Database(':memory:');
  empty.exec(schema);
  rightSchema = readSchema(empty);
  empty.close();
  return rightSchema;
};

/** SQLite's own statistics tables; nothing else can create tables with these names. */
const isStatistics = (name: string): boolean => /^sqlite_stat\d$/.test(name);

/** The differences between a log's schema and the right one. */
export type SchemaDifferences = {
  /** Tables, indexes, triggers and views that are foreign, were changed, or cannot be recreated. */
  foreign: { type: SchemaType; name: string; difference: 'foreign' | 'changed' | 'missing' }[];
  /** Missing indexes and triggers with the SQL that recreates each. */
  missing: { type: SchemaType; name: string; sql: string }[];
};

/** Compares names and SQL of every schema object. Throws SQLite errors. */
export const schemaDifferences = (database: Database.Database): SchemaDifferences => {
  const expected = expectedSchema();
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
