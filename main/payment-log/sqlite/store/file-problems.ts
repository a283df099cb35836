import type Database from 'better-sqlite3';

/** What SQLite's own check of pages, tables and indexes finds. Throws SQLite errors. */
export const fileProblems = (
  database: Database.Database,
  pragma: 'integrity_check' | 'quick_check',
): string[] =>
  database
    .prepare<[], string>(`PRAGMA ${pragma}`)
    .pluck()
    .all()
    .filter(text => text !== 'ok');
