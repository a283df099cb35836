import type Database from 'better-sqlite3';
import { hasRightSearchConfig } from './search-config.ts';

/**
 * What SQLite's own check of pages, tables and indexes finds, except about the search index: it is a cache, and
 * verification checks it in another way. Without the index's settings SQLite refuses to check all at once. Throws SQLite
 * errors.
 */
export const fileProblems = (
  database: Database.Database,
  pragma: 'integrity_check' | 'quick_check',
): string[] => {
  const check = (what: string): string[] =>
    database.prepare<[], string>(`PRAGMA ${pragma}${what}`).pluck().all();
  const tables = database
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
    )
    .pluck();
  const found = hasRightSearchConfig(database)
    ? check('')
    : tables.all().flatMap(name => check(`('${name.replaceAll("'", "''")}')`));
  return found.filter(text => text !== 'ok' && !/fts5/i.test(text));
};
