import Database from 'better-sqlite3';
import { applyKey, cipherKey, type KeyedFile } from '../key/log-key.ts';
import { expectedSchema, type SchemaObject } from '../store/schema-differences.ts';

/**
 * Copies a payment log table by table into a file that is encrypted in another way. SQLite's own backup copies pages,
 * and those of the two files differ in size.
 */

/** Rows of one statement: progress is reported after each. */
const rowsPerStep = 50_000;

const isVirtual = ({ sql }: SchemaObject): boolean => /^CREATE VIRTUAL/i.test(sql ?? '');

/** The tables in which FTS5 stores an index. They exist once the virtual table does. */
const isShadow = ({ name }: SchemaObject, virtual: readonly SchemaObject[]): boolean =>
  virtual.some(table => name.startsWith(`${table.name}_`));

/**
 * Copies what `source` contains, as of one instant, into `target`, an empty file. `version`: the schema of the source,
 * which was checked. `onProgress`: pages done and to do, an estimate. The target is not flushed. Throws SQLite errors.
 */
export const convertLog = (
  source: KeyedFile,
  target: KeyedFile,
  version: number,
  onProgress: (done: number, total: number) => void,
): void => {
  const database = new Database(target.file);
  try {
    if (target.key !== null) applyKey(database, target.key);
    const pages = (of: string): number => Number(database.pragma(`${of}.page_count`, { simple: true }));
    // A target that was not finished is thrown away.
    database.pragma('journal_mode = OFF');
    database.pragma('synchronous = OFF');
    database.pragma('temp_store = MEMORY');
    database.prepare('ATTACH ? AS source KEY ?').run(source.file, source.key ? cipherKey(source.key) : '');
    database.unsafeMode(true);
    database.exec('BEGIN');
    // The SQL of our own migrations: none of the source is run.
    const objects = [...expectedSchema(version).values()].filter(({ sql }) => sql !== null);
    const tables = objects.filter(({ type }) => type === 'table');
    const virtual = tables.filter(isVirtual);
    const shadows = tables.filter(table => isShadow(table, virtual));
    const plain = tables.filter(table => !virtual.includes(table) && !shadows.includes(table));
    for (const { sql } of [...plain, ...virtual]) database.exec(sql ?? '');
    const total = pages('source');
    for (const { name, sql } of plain) {
      if (/WITHOUT ROWID/i.test(sql ?? '')) {
        database.exec(`INSERT INTO main."${name}" SELECT * FROM source."${name}"`);
      } else {
        const copy = database.prepare(
          `INSERT INTO main."${name}" SELECT * FROM source."${name}" WHERE rowid > ? ORDER BY rowid LIMIT ${rowsPerStep}`,
        );
        const last = database.prepare<[], number | null>(`SELECT max(rowid) FROM main."${name}"`).pluck();
        for (
          let after: number | null = Number.MIN_SAFE_INTEGER;
          copy.run(after).changes > 0;
          after = last.get() ?? 0
        )
          onProgress(Math.min(pages('main'), total), total);
      }
    }
    for (const { name } of shadows)
      database.exec(`DELETE FROM main."${name}"; INSERT INTO main."${name}" SELECT * FROM source."${name}"`);
    // After the rows: sorting once costs less than inserting into an index row by row.
    for (const { type, sql } of objects) {
      if (type !== 'table') database.exec(sql ?? '');
      onProgress(Math.min(pages('main'), total), total);
    }
    for (const name of ['application_id', 'user_version'])
      database.pragma(`main.${name} = ${Number(database.pragma(`source.${name}`, { simple: true }))}`);
    database.exec('COMMIT');
    onProgress(total, total);
  } finally {
    database.close();
  }
};
