import { reportFailure } from '../../../app-log/failure-report.ts';
import type Database from 'better-sqlite3';

/** FTS5's settings of the search index, as the migrations create them. Without them SQLite refuses every search. */
const rightConfig: readonly (readonly [key: string, value: number])[] = [['version', 4]];

/** Whether the search index has the right settings. Throws SQLite errors. */
export const hasRightSearchConfig = (database: Database.Database): boolean => {
  const found = database.prepare('SELECT k, v FROM search_config ORDER BY k').raw().all();
  return JSON.stringify(found) === JSON.stringify(rightConfig);
};

/** Writes the right settings; FTS5 keeps its tables from other writes. Throws SQLite errors. */
export const writeSearchConfig = (database: Database.Database): void => {
  database.unsafeMode(true);
  try {
    database.exec('DELETE FROM search_config');
    const insert = database.prepare('INSERT INTO search_config VALUES (?, ?)');
    for (const row of rightConfig) insert.run(...row);
  } finally {
    database.unsafeMode(false);
  }
};

/**
 * Rebuilds the search index from the list's words if its settings are damaged: with other settings its other tables
 * may have another format. Throws SQLite errors.
 */
export const repairSearchConfig = (database: Database.Database): void => {
  if (hasRightSearchConfig(database)) return;
  database
    .transaction(() => {
      writeSearchConfig(database);
      database.exec("INSERT INTO search (search) VALUES ('rebuild')");
    })
    .immediate();
  reportFailure('payment-log', 'The settings of the search index were damaged. The index was rebuilt.', null);
};
