import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  applyKey,
  logFileKind,
  logKeyId,
  newLogKey,
  type KeyedFile,
} from '../../../main/payment-log/sqlite/key/log-key.ts';
import { chainEndFile } from '../../../main/payment-log/sqlite/files/chain-end.ts';
import { openPaymentLog } from '../../../main/payment-log/sqlite/open-payment-log.ts';
import { copyFile, verifyFile } from '../../../main/payment-log/sqlite/worker/worker-client.ts';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import { questionsOf } from '../../../scripts/bench/list.ts';
import { paymentEvents } from '../../../scripts/bench/payments.ts';
import { paymentStates } from '../../../shared/payments/payment-kinds.ts';
import {
  filter,
  logFolder,
  timeoutMs,
  type LogFolder,
} from '../../../tools/app-harness/running-payment-log.ts';
import { note, requested } from '../../../tools/evidence/evidence.ts';

const key = newLogKey();
const payments = 300;
const lastAt = Date.UTC(2026, 9, 1);

const open = async ({ file, key: fileKey }: KeyedFile): Promise<PaymentLog> => {
  const log = await openPaymentLog({ file, key: fileKey, writer: 'console-1', timeoutMs });
  if (!log.ok) throw new Error(log.error.code);
  return log.value;
};

/** The plain log, the same one encrypted, and that one decrypted again. */
let plain: LogFolder;
let folder: string;
let encrypted: KeyedFile;
let decrypted: KeyedFile;
beforeAll(async () => {
  plain = logFolder();
  folder = mkdtempSync(join(tmpdir(), 'counterfoil-encrypted-'));
  encrypted = { file: join(folder, 'encrypted.db'), key };
  decrypted = { file: join(folder, 'decrypted.db'), key: null };
  const log = await plain.open();
  await log.append(Array.from({ length: payments }, (_, at) => paymentEvents(at, payments, lastAt)).flat());
  await log.count(filter({}));
  const progress: number[] = [];
  // While it is open, and part of it is still in the write-ahead log.
  const done = await copyFile({ file: plain.file, key: null }, encrypted, part => progress.push(part));
  expect(done).toMatchObject({ ok: true });
  expect(progress.length).toBeGreaterThan(5);
  expect(await copyFile(encrypted, decrypted)).toMatchObject({ ok: true });
  await log.close();
});
afterAll(async () => {
  await plain.remove();
  rmSync(folder, { recursive: true, force: true });
});

describe('a log that was encrypted, and decrypted again', () => {
  test('a log that was encrypted, and decrypted again verifies, with every event', async () => {
    for (const log of [encrypted, decrypted])
      expect(await verifyFile(log)).toMatchObject({
        ok: true,
        value: { events: payments * 5, payments, problems: [] },
      });
  });

  // Before they are opened, which merges the search index of a log without a mark.
  test('a log that was encrypted, and decrypted again has the same rows in every table, and the same schema', () => {
    const tables = (log: KeyedFile): unknown[] => {
      const database = new Database(log.file, { readonly: true });
      if (log.key !== null) applyKey(database, log.key);
      const objects = database
        .prepare<[], { type: string; name: string; sql: string }>(
          'SELECT type, name, sql FROM sqlite_schema ORDER BY type, name',
        )
        .all();
      const rows = objects
        .filter(({ type, name }) => type === 'table' && name !== 'search')
        .map(({ name }) => database.prepare(`SELECT * FROM "${name}" ORDER BY 1`).all());
      const versions = ['user_version', 'application_id'].map(name =>
        database.pragma(name, { simple: true }),
      );
      database.close();
      return [objects, rows, versions];
    };
    const expected = tables({ file: plain.file, key: null });
    expect(tables(encrypted)).toEqual(expected);
    expect(tables(decrypted)).toEqual(expected);
  });

  test('a log that was encrypted, and decrypted again answers random questions as the plain log does', async () => {
    const logs = await Promise.all([open({ file: plain.file, key: null }), open(encrypted), open(decrypted)]);
    const asked = [
      ...questionsOf(payments, lastAt),
      ...fc.sample(
        fc
          .record({
            words: fc.constantFrom('', 'nowak', 'owa', 'ann', 'üll', 'chair', 'EUR', 'cf-2026', '12', 'x'),
            states: fc.uniqueArray(fc.constantFrom(...paymentStates), { maxLength: 2 }),
            currency: fc.constantFrom(null, 'EUR', 'PLN'),
          })
          .map(filter),
        60,
      ),
    ];
    for (const one of asked) {
      const [first, ...others] = await Promise.all(
        logs.map(async log => [await log.list(one, null, 20), await log.count(one), await log.totals(one)]),
      );
      for (const other of others) expect(other).toEqual(first);
    }
    await Promise.all(logs.map(log => log.close()));
  });
});

describe('an encrypted log', () => {
  test('an encrypted log contains no name, order number, address or token in any file, at any time, nor does a copy of it', async () => {
    const secret = logFolder(key);
    const log = await secret.open();
    const customer = { name: 'Wilhelmina Featherstonehaugh', email: 'wilhelmina@example.com' };
    const frame = { orderNumber: 'SECRET-ORDER-77' };
    await log.append([
      requested(0, { customer, description: 'Unmistakable parasol' }, frame),
      note(1, 'token eyJhbGciOiJIUzI1NiJ9 for Wilhelmina', frame),
    ]);
    expect((await log.list(filter({ words: 'featherstone' }), null, 5)).rows).toHaveLength(1);
    const copy = join(dirname(secret.file), 'copy.db');
    expect(await log.files?.copyTo(copy)).toMatchObject({ ok: true });
    // Beside the log: the id of the installation, a number, a hash, and the file's identity.
    const end = chainEndFile(secret.file);
    expect(JSON.parse(readFileSync(end, 'utf8'))).toEqual({
      end: { writer: 'console-1', seq: 2, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      cuts: [],
      clean: expect.stringMatching(/^\d+:\d+$/),
    });
    const files = (): string[] => readdirSync(dirname(secret.file)).filter(name => name !== basename(end));
    const found = (): string[] =>
      files().filter(name =>
        /Wilhelmina|Feather|parasol|SECRET|eyJhb|console-1|session\.requested|CREATE TABLE/i.test(
          readFileSync(join(dirname(secret.file), name), 'latin1'),
        ),
      );
    // While it is open, with a write-ahead log, and after it.
    expect(readdirSync(dirname(secret.file))).toContain('payments.db-wal');
    expect(found()).toEqual([]);
    await log.close();
    expect(found()).toEqual([]);
    expect(await verifyFile({ file: copy, key })).toMatchObject({ ok: true, value: { events: 2 } });
    await secret.remove();
  });

  test('an encrypted log names its key, and is opened neither without one nor with another', async () => {
    expect(logFileKind(encrypted.file)).toEqual({ kind: 'encrypted', keyId: logKeyId(key) });
    for (const other of [null, newLogKey()]) {
      const log = await openPaymentLog({ file: encrypted.file, key: other, writer: 'console-1' });
      expect(log).toMatchObject({ ok: false, error: { code: 'log.locked' } });
      expect(await verifyFile({ file: encrypted.file, key: other })).toMatchObject({
        ok: false,
        error: { code: 'log.locked' },
      });
    }
  });

  test('an encrypted log with a changed byte does not verify', async () => {
    const file = join(folder, 'changed.db');
    const bytes = readFileSync(encrypted.file);
    // In the middle of a page: the cipher's own digest of that page no longer matches.
    bytes[5_000] = (bytes[5_000] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const report = await verifyFile({ file, key });
    expect(report.ok ? report.value.problems.length > 0 : report.error.code === 'log.corrupt').toBe(true);
  });
});
