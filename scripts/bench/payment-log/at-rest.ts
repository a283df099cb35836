import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { paymentFilterSchema } from '../../../shared/contract/index.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { applyKey, newLogKey, type LogKey } from '../../../main/payment-log/sqlite/key/log-key.ts';
import { openPaymentLog } from '../../../main/payment-log/sqlite/open-payment-log.ts';
import { verifyFile } from '../../../main/payment-log/sqlite/worker/worker-client.ts';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import { percentile } from '../../percentile.ts';
import { alternate, atMost, type Row } from '../measure.ts';
import { paymentEvents } from '../payments.ts';
import { createEncryptedColumns, type SensitiveRow } from './encrypted-columns.ts';
import { fillLog } from './fill-log.ts';
import { pageRows, questionsOf } from './log-queries.ts';

/** What encrypting the payment log costs, as a whole file or value by value, compared with a plain one. */

const payments = 20_000;
/** Payments in one timed append, five events each. */
const batch = 200;
const everything = paymentFilterSchema.parse({});

const opened = async (file: string, key: LogKey | null): Promise<PaymentLog> => {
  const log = await openPaymentLog({ file, key, writer: 'bench' });
  if (!log.ok) throw new Error(inEnglish(log.error.message));
  return log.value;
};

const connect = (file: string, key: LogKey | null): Database.Database => {
  const database = new Database(file, { readonly: true });
  if (key !== null) applyKey(database, key);
  database.pragma('cache_size = -32768');
  return database;
};

/** The rows, words and customer details of the newest payments. */
const sensitiveRows = (database: Database.Database, limit: number): SensitiveRow[] => {
  const personal = database
    .prepare<[number], string>(
      'SELECT p."values" FROM personal p JOIN event e ON e.seq = p.event WHERE e.payment = ?',
    )
    .pluck();
  return database
    .prepare<[], { payment: number; row: string; words: string }>(
      `SELECT payment, "row", words FROM listed ORDER BY payment DESC LIMIT ${limit}`,
    )
    .all()
    .map(found => ({ ...found, personal: personal.all(found.payment) }));
};

/** Bytes of the tables that encrypted columns would replace. */
const replacedBytes = (database: Database.Database): number =>
  Number(
    database
      .prepare(
        `SELECT sum(pgsize) FROM dbstat WHERE aggregate AND (name IN ('listed', 'personal') OR name LIKE 'search!_%' ESCAPE '!')`,
      )
      .pluck()
      .get(),
  );

/** `folder` is removed by the caller. */
export const atRest = async (folder: string): Promise<Row[]> => {
  mkdirSync(folder, { recursive: true });
  const key = newLogKey();
  const plainFile = join(folder, 'plain.db');
  const encryptedFile = join(folder, 'encrypted.db');
  const lastAt = Date.now();
  await fillLog(plainFile, payments, lastAt);
  await fillLog(encryptedFile, payments, lastAt, key);
  const plainSql = connect(plainFile, null);
  const encryptedSql = connect(encryptedFile, key);
  const columns = createEncryptedColumns(join(folder, 'columns.db'));
  columns.insert(sensitiveRows(plainSql, payments));
  const columnBytes = statSync(plainFile).size - replacedBytes(plainSql);
  const rows: Row[] = [];

  // Sizes, after the write-ahead logs were checkpointed by closing.
  const plainBytes = statSync(plainFile).size;
  const encryptedBytes = statSync(encryptedFile).size;
  const sealedBytes = columnBytes + statSync(join(folder, 'columns.db')).size;
  rows.push(
    atMost('size of the encrypted file / plain (bytes)', encryptedBytes, plainBytes, 1.1),
    atMost('size of the encrypted file / encrypted columns (bytes)', encryptedBytes, sealedBytes, 1.1),
  );

  // Reading: bare SQL, the same for all three.
  const first = `SELECT "row" FROM listed ORDER BY payment DESC LIMIT ${pageRows + 1}`;
  const page = (database: Database.Database) => {
    const statement = database.prepare<[], string>(first).pluck();
    return (): unknown => statement.all().map(row => JSON.parse(row) as unknown);
  };
  const [pagePlain, pageEncrypted, pageColumns] = await alternate(
    [page(plainSql), page(encryptedSql), columns.firstPage],
    { rounds: 200, warmUp: 20 },
  );
  rows.push(
    atMost('first page by SQL, encrypted file / plain (ms)', pageEncrypted, pagePlain, 1.3),
    atMost('first page by SQL, encrypted file / encrypted columns (ms)', pageEncrypted, pageColumns, 1.3),
  );
  const question = questionsOf(payments, lastAt).find(({ filter }) => filter.words === 'nowak');
  if (!question) throw new Error('the question of the bench is gone');
  const search = (database: Database.Database) => {
    const statement = database.prepare<(string | number)[], string>(question.sql).pluck();
    return (): unknown => statement.all(...question.values).map(row => JSON.parse(row) as unknown);
  };
  const [searchPlain, searchEncrypted, searchColumns] = await alternate(
    [search(plainSql), search(encryptedSql), () => columns.search('nowak')],
    { rounds: 200, warmUp: 20 },
  );
  rows.push(
    atMost('search by SQL, encrypted file / plain (ms)', searchEncrypted, searchPlain, 1.3),
    atMost('search by SQL, encrypted file / encrypted columns (ms)', searchEncrypted, searchColumns, 3),
  );
  plainSql.close();
  encryptedSql.close();

  // The console's own questions, and opening.
  const plain = await opened(plainFile, null);
  const encrypted = await opened(encryptedFile, key);
  const answered: { plain: number[]; encrypted: number[] } = { plain: [], encrypted: [] };
  for (const { filter } of questionsOf(payments, lastAt))
    for (let round = -2; round < 15; round += 1) {
      const startedAt = performance.now();
      await plain.list(filter, null, pageRows);
      const between = performance.now();
      await encrypted.list(filter, null, pageRows);
      if (round < 0) continue;
      answered.plain.push(between - startedAt);
      answered.encrypted.push(performance.now() - between);
    }
  rows.push(
    atMost(
      'first page of 20 questions, encrypted file / plain, p95 (ms)',
      percentile(answered.encrypted, 0.95),
      percentile(answered.plain, 0.95),
      1.5,
    ),
  );

  // Appending. Encrypted columns cost what the plain log does, and the encryption and the index of keyed words.
  let next = payments;
  let drafts: EventDraft[] = [];
  const renew = (): void => {
    const total = payments + batch * 100;
    drafts = Array.from({ length: batch }, (_, at) => paymentEvents(next + at, total, lastAt)).flat();
    next += batch;
  };
  renew();
  const append = (log: PaymentLog) => async (): Promise<void> => {
    const written = await log.append(drafts);
    if (!written.ok) throw new Error(inEnglish(written.error.message));
  };
  const sample = connect(plainFile, null);
  const sensitive = sensitiveRows(sample, batch);
  sample.close();
  let payment = 1e9;
  const sealColumns = (): void => {
    columns.insert(sensitive.map(row => ({ ...row, payment: (payment += 1) })));
    renew();
  };
  const [appendPlain, appendEncrypted, appendColumns] = await alternate(
    [append(plain), append(encrypted), sealColumns],
    { rounds: 30, warmUp: 5 },
  );
  rows.push(
    atMost(`append ${batch * 5} events, encrypted file / plain (ms)`, appendEncrypted, appendPlain, 1.4),
    atMost(
      `append ${batch * 5} events, encrypted file / encrypted columns (ms)`,
      appendEncrypted,
      (appendPlain ?? 0) + (appendColumns ?? 0),
      1,
    ),
  );
  await plain.close();
  await encrypted.close();
  columns.close();

  const open = (file: string, fileKey: LogKey | null) => async (): Promise<void> => {
    const log = await opened(file, fileKey);
    await Promise.all([log.counts(null), log.list(everything, null, pageRows)]);
    await log.close();
  };
  const [openEncrypted, openPlain] = await alternate([open(encryptedFile, key), open(plainFile, null)], {
    rounds: 9,
    warmUp: 1,
  });
  rows.push(atMost('open and first page, encrypted file / plain (ms)', openEncrypted, openPlain, 1.2));
  const verify = (file: string, fileKey: LogKey | null) => async (): Promise<void> => {
    const report = await verifyFile({ file, key: fileKey });
    if (!report.ok || report.value.problems.length > 0) throw new Error('the log of the bench is not right');
  };
  const [verifyEncrypted, verifyPlain] = await alternate(
    [verify(encryptedFile, key), verify(plainFile, null)],
    {
      rounds: 3,
      warmUp: 1,
    },
  );
  rows.push(atMost('verify the log, encrypted file / plain (ms)', verifyEncrypted, verifyPlain, 1.3));
  return rows;
};
