import Database from 'better-sqlite3';
import type { Problem } from './check-chain.ts';
import type { LogDatabase } from '../store/database.ts';
import { migrations } from '../store/migrations.ts';

/** Comparing the schema of a log with what the migrations make: a trigger or view of another origin runs in secret. */

/** One row of `sqlite_schema`; `sql` is null for an index that SQLite makes for a constraint. */
type SchemaObject = { type: string; name: string; tableName: string; sql: string | null };

const readSchema = (database: LogDatabase): Map<string, SchemaObject> =>
  new Map(
    database
      .prepare<[], SchemaObject>('SELECT type, name, tbl_name AS tableName, sql FROM sqlite_schema')
      .all()
      .map(one => [`${one.type} ${one.name}`, one]),
  );

const expectedSchemas = new Map<number, Map<string, SchemaObject>>();

/** The schema that the migrations up to `version` make. */
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

/** SQLite's own statistics, which cannot be made under these names by anyone else. */
const isStatistics = (name: string): boolean => /^sqlite_stat\d$/.test(name);

/** How the schema of a log differs from what its version should have. */
export type SchemaDifferences = {
  /** Tables, indexes, triggers and views that are not Counterfoil's, were changed, or cannot be made again. */
  foreign: { at: string; message: string }[];
  /** Indexes and triggers that are gone and can be made again: what makes each. */
  missing: { at: string; sql: string }[];
};

/** Compares names and SQL of everything in the schema. Throws SQLite's errors. */
export const schemaDifferences = (database: LogDatabase): SchemaDifferences => {
  const expected = expectedSchema(Number(database.pragma('user_version', { simple: true })));
  const found = readSchema(database);
  const differences: SchemaDifferences = { foreign: [], missing: [] };
  for (const [at, { name, sql, tableName }] of found) {
    const right = expected.get(at);
    if (right === undefined && !isStatistics(name))
      differences.foreign.push({ at, message: 'Counterfoil did not make it.' });
    else if (right && (right.sql !== sql || right.tableName !== tableName))
      differences.foreign.push({ at, message: 'It is not as Counterfoil makes it.' });
  }
  for (const [at, { type, sql }] of expected) {
    if (found.has(at)) continue;
    if ((type === 'index' || type === 'trigger') && sql !== null) differences.missing.push({ at, sql });
    else differences.foreign.push({ at, message: 'It is missing.' });
  }
  return differences;
};

/** Notes every difference; what is missing and can be made again counts as a part of the list. Throws SQLite's errors. */
export const checkSchema = (database: LogDatabase, reportProblem: (problem: Problem) => void): void => {
  const { foreign, missing } = schemaDifferences(database);
  for (const { at, message } of foreign) reportProblem({ kind: 'schema', at, message });
  for (const { at } of missing)
    reportProblem({
      kind: 'projection',
      at,
      message: 'It is missing, and is made again when the log is opened.',
    });
};
