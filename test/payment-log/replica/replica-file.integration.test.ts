import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openReplicaFile } from '../../../main/payment-log/replica/replica-file.ts';
import { replicaWriter } from '../../../main/payment-log/replica/replica-writer.ts';
import { chainsOf } from '../../../tools/evidence/chains.ts';
import { requested, start } from '../../../tools/evidence/evidence.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';
import { maxAwayMs, now } from './replicas.ts';

/** The file of a replica: a cache, which is made again if it cannot be used. */

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'counterfoil-replica-'));
  file = join(folder, 'replica.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const chains = chainsOf([
  {
    writer: 'console-2',
    at: start,
    draft: requested(0, { customer: { name: 'Zoë Quist', email: 'zoe@example.com' } }),
  },
]);
const open = (at = now, months: number | null = null) => {
  const database = must(openReplicaFile(file, { now: at, maxAwayMs, months }));
  return { database, replica: replicaWriter(database, 'console-1', () => at) };
};
const fill = (): void => {
  const { database, replica } = open();
  replica.store([...chains.values()]);
  database.close();
};
/** Whether it still has what was copied. */
const isKept = (at = now): boolean => {
  const { database, replica } = open(at);
  const held = replica.held().length;
  database.close();
  return held === 1;
};
const bytes = (): string =>
  readdirSync(folder)
    .map(name => readFileSync(join(folder, name), 'latin1'))
    .join('');

test('a replica is kept for fewer months once it is level, and fetched again for more', () => {
  const keptFor = (months: number | null): boolean => {
    const { database, replica } = open(now, months);
    const held = replica.held().length;
    replica.noteLevel(now);
    if (held === 0) replica.store([...chains.values()]);
    database.close();
    return held === 1;
  };
  fill();
  // Its first copy was not finished.
  expect(keptFor(12)).toBe(false);
  expect(keptFor(12)).toBe(true);
  expect(keptFor(6)).toBe(true);
  expect(keptFor(12)).toBe(false);
  expect(keptFor(null)).toBe(false);
  expect(keptFor(24)).toBe(true);
});

test('what was copied into a replica is there after a restart', () => {
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

test('a replica that was longer than the limit without the erasures of the shared log is replaced', () => {
  fill();
  expect(isKept(now + maxAwayMs)).toBe(true);
  const { database, replica } = open();
  replica.erase([], now + maxAwayMs);
  database.close();
  expect(isKept(now + 2 * maxAwayMs)).toBe(true);
  expect(isKept(now + 2 * maxAwayMs + 1)).toBe(false);
});

test('no file contains a customer’s name after the erasure, also if it was interrupted', () => {
  fill();
  expect(bytes()).toMatch(/quist/i);
  const [event] = chains.get('console-2') ?? [];
  const before = open();
  before.replica.erase(
    [{ writer: 'console-2', writerSeq: 1, id: event?.id ?? '', by: { writer: 'console-1', writerSeq: 9 } }],
    now,
  );
  before.database.close();
  const { database, replica } = open();
  expect(replica.hasErasedWords()).toBe(true);
  let steps = 0;
  while (replica.removeErasedWords() !== 'done') steps += 1;
  expect(steps).toBeLessThan(20);
  expect(replica.hasErasedWords()).toBe(false);
  expect(bytes()).not.toMatch(/quist/i);
  database.close();
  expect(existsSync(file)).toBe(true);
  const again = open();
  expect(again.replica.hasErasedWords()).toBe(false);
  again.database.close();
});
