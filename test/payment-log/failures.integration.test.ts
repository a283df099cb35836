import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useLog } from '../../tools/app-harness/use-log.ts';
import { openForWriting } from '../../main/payment-log/sqlite/store/database.ts';
import { toLogFailure } from '../../main/payment-log/log-failures.ts';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import { logVersion } from '../../main/payment-log/sqlite/store/journal-tables.ts';
import { callback, note, requested } from '../../tools/evidence/evidence.ts';
import { mayMount, mountDisk, unmountDisk } from '../../tools/app-harness/small-disk.ts';

const used = useLog('test', { isClosed: true });
/** Only the evidence is read. */
const withoutList = { hasList: false };

const open = () => openPaymentLog({ file: used.folder.file, writer: 'console-1', ...withoutList });

test.each([
  [new Error('cannot read /home/anna/payments.db of jane@shop.example'), 'log.unavailable', {}],
  ['a text that was thrown', 'log.unavailable', {}],
  [Object.assign(new Error('/home/anna: full'), { code: 'ENOSPC' }), 'log.full', { cause: 'ENOSPC' }],
])('A failure of the log has a code and a reference, and no message of %s', (thrown, code, details) => {
  const { error } = toLogFailure(thrown);
  expect(error).toMatchObject({ code, details: { reference: expect.any(String) as string, ...details } });
  expect(JSON.stringify(error)).not.toMatch(/anna|jane|thrown/);
  expect(Object.keys(error.details ?? {})).toHaveLength(1 + Object.keys(details).length);
});

test('every write is flushed to the disk', () => {
  const opened = openForWriting(used.folder.file);
  if (!opened.ok) throw new Error(opened.error.code);
  const synchronous = opened.value.pragma('synchronous', { simple: true });
  opened.value.close();
  // FULL: https://sqlite.org/pragma.html#pragma_synchronous
  expect(synchronous).toBe(2);
});

test('On macOS, too, a write is flushed to the disk itself', () => {
  const opened = openForWriting(used.folder.file);
  if (!opened.ok) throw new Error(opened.error.code);
  const set = ['fullfsync', 'checkpoint_fullfsync'].map(name => opened.value.pragma(name, { simple: true }));
  opened.value.close();
  expect(set).toEqual([1, 1]);
});

test('acknowledged evidence is in the database file itself; no other file beside it is read, emptied or waited for', async () => {
  const other = `${used.folder.file}.spool`;
  const line = `${JSON.stringify(callback(0, 'sale', 'success')).toUpperCase()}\n`;
  writeFileSync(other, line);
  const log = await used.folder.open('console-1', withoutList);
  const arrived = callback(0, 'sale', 'success');
  expect(await log.append([arrived])).toMatchObject({ ok: true });
  const reader = new Database(used.folder.file, { readonly: true });
  const ids = reader.prepare<[], string>('SELECT lower(hex(id)) FROM event').pluck().all();
  reader.close();
  expect(ids).toEqual([arrived.id.replaceAll('-', '')]);
  await log.close();
  expect(readFileSync(other, 'utf8')).toBe(line);
  expect(readdirSync(dirname(used.folder.file)).filter(name => /spool/.test(name))).toHaveLength(1);
});

test('acknowledged evidence is not delayed by an append that the writer refuses', async () => {
  const log = await used.folder.open('console-1', withoutList);
  const odd = { ...note(0, 'an id in capitals'), id: randomUUID().toUpperCase() };
  const [before, refused, after] = await Promise.all([
    log.append([note(1, 'one')]),
    log.append([odd]),
    log.append([note(2, 'two')]),
  ]);
  expect(refused).toMatchObject({ ok: false, error: { code: 'input.invalid' } });
  expect(before.ok && after.ok).toBe(true);
  expect(await log.events('sandbox', 'CF-1001')).toHaveLength(2);
});

test('a new payment log has the latest version, and opening it again changes nothing', async () => {
  const log = await used.folder.open('console-1', withoutList);
  await log.append([requested()]);
  await log.close();
  const before = readFileSync(used.folder.file);
  await (await used.folder.open('console-1', withoutList)).close();
  expect(readFileSync(used.folder.file).equals(before)).toBe(true);
  const database = new Database(used.folder.file, { readonly: true });
  expect(database.pragma('user_version', { simple: true })).toBe(logVersion);
  expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
  database.close();
});

test('a log of a newer version is refused and not changed', async () => {
  await (await used.folder.open('console-1', withoutList)).close();
  const database = new Database(used.folder.file);
  database.pragma(`user_version = ${logVersion + 1}`);
  database.close();
  const before = readFileSync(used.folder.file);
  expect(await open()).toMatchObject({ ok: false, error: { code: 'log.newer' } });
  expect(readFileSync(used.folder.file).equals(before)).toBe(true);
});

test('a text file is refused as a payment log and not changed', async () => {
  const text = 'Dear diary, '.repeat(1_000);
  writeFileSync(used.folder.file, text);
  expect(await open()).toMatchObject({ ok: false, error: { code: 'log.corrupt' } });
  expect(readFileSync(used.folder.file, 'utf8')).toBe(text);
});

test('the database of another program is refused as a payment log and not changed', async () => {
  const database = new Database(used.folder.file);
  database.exec('CREATE TABLE recipe (name TEXT)');
  database.close();
  const before = readFileSync(used.folder.file);
  expect(await open()).toMatchObject({ ok: false, error: { code: 'log.corrupt' } });
  expect(readFileSync(used.folder.file).equals(before)).toBe(true);
});

test('a log with overwritten pages is refused, or reports an error when read, and is never deleted', async () => {
  const log = await used.folder.open('console-1', withoutList);
  await log.append([requested(), note(0, 'x'.repeat(3_000))]);
  await log.close();
  const bytes = readFileSync(used.folder.file);
  bytes.fill(0x55, 4_096);
  writeFileSync(used.folder.file, bytes);
  expect(await open()).toMatchObject({ ok: false, error: { code: 'log.corrupt' } });
  expect(existsSync(used.folder.file)).toBe(true);
});

test('a folder in the place of the payment log is reported, not thrown', async () => {
  mkdirSync(used.folder.file);
  expect(await open()).toMatchObject({ ok: false, error: { code: expect.stringMatching(/^log\./) } });
});

describe.runIf(mayMount)('disks', () => {
  let disk: string;
  beforeEach(() => {
    disk = join(used.folder.file, '..', 'disk');
    mkdirSync(disk);
  });
  afterEach(() => unmountDisk(disk));
  const mount = (options: string): void => {
    mountDisk(disk, options);
  };

  test('a full disk is reported, nothing acknowledged is lost, and writing continues once there is room', async () => {
    mount('size=1m');
    const file = join(disk, 'payments.db');
    const opened = await openPaymentLog({ file, writer: 'console-1', ...withoutList });
    if (!opened.ok) throw new Error(opened.error.code);
    const log = opened.value;
    let stored = 0;
    let refused = '';
    while (refused === '' && stored < 1_000) {
      const written = await log.append([note(stored, 'x'.repeat(4_000))]);
      if (written.ok) stored += 1;
      else refused = written.error.code;
    }
    expect(refused).toBe('log.full');
    expect(await log.events('sandbox', 'CF-1001')).toHaveLength(stored);
    execFileSync('mount', ['-o', 'remount,size=8m', disk]);
    expect(await log.append([note(stored, 'there is room again')])).toMatchObject({ ok: true });
    expect(await log.verify()).toMatchObject({ events: stored + 1, problems: [] });
    await log.close();
  });

  test('a read-only folder is reported', async () => {
    mount('size=1m,ro');
    expect(await openPaymentLog({ file: join(disk, 'payments.db'), writer: 'console-1' })).toMatchObject({
      ok: false,
      error: { code: 'log.read-only' },
    });
  });
});
