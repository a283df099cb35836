import { msg } from '../../../../shared/messages/message.ts';
import type { Problem } from './check-chain.ts';
import { isOlder, type LogDatabase } from '../store/database.ts';
import { hasRightSearchConfig } from '../store/search-config.ts';

/**
 * The number of words that a look-up does not find in every payment that has them. FTS5's integrity check reads the
 * index from page to page, as `search_words` does without a term, but a look-up finds its page by the map.
 */
const countUnfindable = `SELECT count(*) FROM temp.search_words AS has
  WHERE doc IS NOT (SELECT doc FROM temp.search_words AS found WHERE found.term = has.term)`;

/**
 * Compares the search index with the indexed words, by FTS5's own integrity check and by looking up every word. The
 * check is a write, so it runs on a copy of the index in temporary memory instead of the log in use. `database`: a
 * separate connection in a transaction, so that words and index are of one instant, with temporary tables in memory.
 * Throws SQLite errors.
 */
export const checkSearch = (database: LogDatabase, reportProblem: (problem: Problem) => void): void => {
  if (!hasRightSearchConfig(database)) {
    reportProblem({
      kind: 'projection',
      at: { kind: 'table', name: 'search_config' },
      message: msg('integrity.search.config'),
    });
    return;
  }
  if (isOlder(database)) return;
  const wrong = (): void =>
    reportProblem({
      kind: 'projection',
      at: { kind: 'table', name: 'search' },
      message: msg('integrity.search'),
    });
  // FTS5's tables are otherwise read-only except for FTS5, even in temporary memory.
  database.unsafeMode(true);
  try {
    // The same definition as in migrations.ts, with a view for its content.
    database.exec(`
      CREATE TEMP VIEW listed_words AS SELECT payment, words FROM main.listed;
      CREATE VIRTUAL TABLE temp.search_copy USING fts5 (
        words, content='listed_words', content_rowid='payment', tokenize='trigram case_sensitive 1', detail='none',
        columnsize=0
      );`);
    for (const part of ['data', 'idx', 'config']) {
      database.exec(`DELETE FROM temp.search_copy_${part};
        INSERT INTO temp.search_copy_${part} SELECT * FROM main.search_${part};`);
    }
    database.exec("INSERT INTO temp.search_copy (search_copy, rank) VALUES ('integrity-check', 1)");
    database.exec('CREATE VIRTUAL TABLE temp.search_words USING fts5vocab (temp, search_copy, row)');
    if (database.prepare<[], number>(countUnfindable).pluck().get() !== 0) wrong();
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
    if (!code.startsWith('SQLITE_CORRUPT')) throw thrown;
    wrong();
  } finally {
    database.exec(
      'DROP TABLE IF EXISTS temp.search_words; DROP TABLE IF EXISTS temp.search_copy; DROP VIEW IF EXISTS temp.listed_words;',
    );
    database.unsafeMode(false);
  }
};
