import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, expect, test } from 'vitest';
import { evidenceOf } from '../../../main/payment-log/sqlite/list/merged-evidence.ts';
import { foreignEvents } from '../../../main/payment-log/sqlite/list/foreign-events.ts';
import { openListFile } from '../../../main/payment-log/sqlite/list/list-file.ts';
import { listTransactions } from '../../../main/payment-log/sqlite/list/list-transactions.ts';
import { schema } from '../../../main/payment-log/sqlite/store/journal-tables.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { chainsOf, requested, start } from '../../../tools/evidence/evidence.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';
import { maxAwayMs, now } from './lists.ts';

/** The file of a list: a cache, which is made again if it cannot be used. */

let folder: string;
let file: string;
beforeEach(() => {
  folder = newFolder('list');
  file = join(folder, 'payments.db.list');
});

const chains = chainsOf([
  {
    writer: 'console-2',
    at: start,
    draft: requested(0, { customer: { name: 'Zoë Quist', email: 'zoe@example.com' } }),
  },
]);
const journal = new Database(':memory:');
journal.exec(schema);
const open = (at = now, logId: string | null = 'log-1') => {
  const database = must(openListFile(file, journal, { logId, now: at, maxAwayMs }));
  const transactions = listTransactions(database, evidenceOf(journal, database, 'console-1'));
  return { database, transactions, foreign: foreignEvents(database, transactions, () => at) };
};
const fill = (): void => {
  const { database, foreign } = open();
  foreign.store([...chains.values()]);
  database.close();
};
/** Whether it still has what was copied. */
const isKept = (at = now, logId: string | null = 'log-1'): boolean => {
  const { database, foreign } = open(at, logId);
  const held = foreign.held().length;
  database.close();
  return held === 1;
};
const bytes = (): string =>
  readdirSync(folder)
    .map(name => readFileSync(join(folder, name), 'latin1'))
    .join('');

test('a list of another shared log, or of one that was left, is made again', () => {
  fill();
  expect(isKept(now, 'log-2')).toBe(false);
  fill();
  expect(isKept(now, 'log-2')).toBe(false);
  const { database, foreign } = open(now, 'log-2');
  foreign.store([...chains.values()]);
  database.close();
  expect(isKept(now, null)).toBe(false);
  // Own payments stay when a shared log is joined.
  open(now, null).database.close();
  expect(isKept(now, 'log-1')).toBe(false);
  fill();
  expect(isKept()).toBe(true);
});

test('what was copied into a list is there after a restart', () => {
  fill();
  expect(isKept()).toBe(true);
});

test('a damaged file, one of another version and another program’s are replaced', () => {
  fill();
  writeFileSync(file, readFileSync(file).fill(0xff, 100, 3_000));
  expect(isKept()).toBe(false);
  fill();
  const other = new Database(file);
  other.pragma('user_version = 1');
  other.close();
  expect(isKept()).toBe(false);
  writeFileSync(file, 'not a database');
  expect(isKept()).toBe(false);
});

test('a list that was longer than the limit without the erasures of the shared log is replaced', () => {
  fill();
  expect(isKept(now + maxAwayMs)).toBe(true);
  const { database, foreign } = open();
  foreign.erase([], now + maxAwayMs);
  database.close();
  expect(isKept(now + 2 * maxAwayMs)).toBe(true);
  expect(isKept(now + 2 * maxAwayMs + 1)).toBe(false);
});

test('no file contains a customer’s name after the erasure, also if it was interrupted', () => {
  fill();
  expect(bytes()).toMatch(/quist/i);
  const [event] = chains.get('console-2') ?? [];
  const before = open();
  before.foreign.erase(
    [{ writer: 'console-2', writerSeq: 1, id: event?.id ?? '', by: { writer: 'console-1', writerSeq: 9 } }],
    now,
  );
  before.database.close();
  const { database, transactions } = open();
  expect(transactions.hasErasedWords()).toBe(true);
  let steps = 0;
  while (transactions.removeErasedWords() !== 'done') steps += 1;
  expect(steps).toBeLessThan(20);
  expect(transactions.hasErasedWords()).toBe(false);
  expect(bytes()).not.toMatch(/quist/i);
  database.close();
  expect(existsSync(file)).toBe(true);
  const again = open();
  expect(again.transactions.hasErasedWords()).toBe(false);
  again.database.close();
});
