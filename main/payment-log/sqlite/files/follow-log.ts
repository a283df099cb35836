import { ok, type Result } from '../../../../shared/errors.ts';
import { attempt } from '../../log-failures.ts';
import { cipherKey, keyToOpen, type KeyedFile } from '../key/log-key.ts';
import { openForWriting } from '../store/database.ts';

/**
 * How many events a copy was given; `erased`: the log has also lost values, so that the copy must be made again.
 */
export type Followed = { events: number; erased: boolean };

/** The difference between two logs: the ends of their chains, and the number of their events. */
const endsOf = (of: string): string =>
  `SELECT json_group_array(json_array(name, last_seq, last_hash)) || (SELECT count(*) FROM ${of}.event)
   FROM (SELECT * FROM ${of}.writer ORDER BY id)`;

/**
 * Adds to a copy the evidence that the log has gained since. The list of payments follows when the copy is opened. Both
 * have the schema of this version. Errors: every `log.*` code.
 */
export const followLog = (log: KeyedFile, copy: KeyedFile): Result<Followed> => {
  const sourceKey = keyToOpen(log.file, log.key);
  if (!sourceKey.ok) return sourceKey;
  const opened = openForWriting(copy.file, copy.key);
  if (!opened.ok) return opened;
  const database = opened.value;
  const done = attempt((): Followed => {
    // One file without companions, as it was copied.
    database.pragma('journal_mode = DELETE');
    database
      .prepare('ATTACH ? AS source KEY ?')
      .run(log.file, sourceKey.value === null ? '' : cipherKey(sourceKey.value));
    const one = (sql: string): unknown => database.prepare(sql).pluck().get();
    const add = database.transaction((): Followed => {
      const last = Number(one('SELECT coalesce(max(seq), 0) FROM main.event'));
      const isErased =
        one(`SELECT 1 FROM source.event WHERE seq > ${last} AND kind = 'amended' LIMIT 1`) !== undefined ||
        one('SELECT count(*) FROM source.amended_elsewhere') !==
          one('SELECT count(*) FROM main.amended_elsewhere');
      if (isErased) return { events: 0, erased: true };
      database.exec(`
        INSERT OR REPLACE INTO main.writer SELECT * FROM source.writer;
        INSERT INTO main.payment SELECT * FROM source.payment WHERE id > ${last};
        INSERT INTO main.shape SELECT * FROM source.shape WHERE id > (SELECT coalesce(max(id), 0) FROM main.shape);
        INSERT INTO main.personal SELECT * FROM source.personal WHERE event > ${last};
      `);
      const { changes } = database
        .prepare(`INSERT INTO main.event SELECT * FROM source.event WHERE seq > ${last}`)
        .run();
      if (one(endsOf('source')) !== one(endsOf('main'))) return { events: 0, erased: true };
      return { events: changes, erased: false };
    });
    return add();
  });
  database.close();
  return done.ok ? ok(done.value) : done;
};
