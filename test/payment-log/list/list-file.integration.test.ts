import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { foreignEventCheck } from '../../../main/payment-log/evidence/check-foreign-event.ts';
import { evidenceOf } from '../../../main/payment-log/sqlite/list/merged-evidence.ts';
import { foreignEvents } from '../../../main/payment-log/sqlite/list/foreign-events.ts';
import { openListFile } from '../../../main/payment-log/sqlite/list/list-file.ts';
import { listTransactions } from '../../../main/payment-log/sqlite/list/list-transactions.ts';
import { schema } from '../../../main/payment-log/sqlite/store/journal-tables.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { chainsOf, draft, requested, start } from '../../../tools/evidence/evidence.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';
import { maxAwayMs, now, opened } from './lists.ts';
import { connect } from '../../../main/payment-log/postgres/connection.ts';
import type { InstallationRight } from '../../../main/payment-log/postgres/administer.ts';
import { clientConfig } from '../../../main/payment-log/postgres/connection-settings.ts';
import { sharedSource } from '../../../main/payment-log/list/connect-to-follow.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { isPostgresMissing } from '../../../tools/postgres-harness/cluster.ts';
import { copyToList } from '../../../tools/postgres-harness/list.ts';
import { openInstallation } from '../../../tools/postgres-harness/team-log.ts';
import { useTeam } from '../../../tools/postgres-harness/use-team.ts';

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
  return {
    database,
    transactions,
    foreign: foreignEvents(database, transactions, () => at, foreignEventCheck()),
  };
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

describe.skipIf(isPostgresMissing)('a copy of the shared log (needs PostgreSQL)', () => {
  const { team, closing } = useTeam();
  /** `own`: the chain of the installation. */
  const copied = async (own: string) => {
    const settings = await team.add('console', own);
    const connection = must(await connect(must(clientConfig(settings, 'test'))));
    await connection.query(`SET search_path = ${settings.schema}`);
    const source = sharedSource(connection, own);
    const list = await copyToList([source], own);
    closing.push(
      () => connection.close(),
      () => list.close(),
    );
    return { source, list };
  };
  const written = async (
    writer: string,
    drafts: readonly EventDraft[],
    rights: readonly InstallationRight[] = [],
  ): Promise<void> => {
    const settings = await team.add('console', writer, undefined, rights);
    const installation = await openInstallation(team, writer, { settings });
    closing.push(() => installation.remove());
    for (const draft of drafts) must(await installation.log.append([draft]));
    expect(await installation.shipping.shipped(drafts.length, 20_000)).toBe(true);
  };
  const of = (orderNumber: string, draft: EventDraft): EventDraft => ({ ...draft, orderNumber });

  test('large events are read a few at a time', async () => {
    await written(
      'console-2',
      Array.from({ length: 40 }, (_, at) => of(`CF-${at}`, requested(at, { request: 'x'.repeat(400_000) }))),
    );
    const { source, list } = await copied('console-1');
    expect((await source.read('console-2', 1, 40)).length).toBeLessThan(25);
    expect(list.foreign.held()).toMatchObject([{ writer: 'console-2', low: 1, high: 40 }]);
    expect(list.foreign.leftOut()).toEqual([]);
  });

  test('an amendment erases in a list what it erased in the shared log, and nothing else', async () => {
    const named = (orderNumber: string) =>
      of(orderNumber, requested(0, { customer: { name: 'Zoë Quist', email: 'zoe@example.com' } }));
    const [one, two] = [named('CF-1'), named('CF-2')];
    await written('console-1', [one, two]);
    const amended = ({ id, orderNumber }: EventDraft): EventDraft =>
      draft('amended', 9, { events: [id], reason: 'request' }, { orderNumber });
    await written('console-2', [amended(one)], ['eraser']);
    await written('console-3', [amended(two)]);
    // Everything had its personal values when it was copied.
    const chains = chainsOf([
      { writer: 'console-1', at: start, draft: one },
      { writer: 'console-1', at: start, draft: two },
    ]);
    const { database, foreign } = opened();
    foreign.store([...chains.values()]);
    const { source } = await copied('console-9');
    for (const writer of ['console-2', 'console-3']) {
      const stored = foreign.store([await source.read(writer, 1, 1)]);
      expect(stored.named).toMatchObject([{ writer: 'console-1', by: { writer, writerSeq: 1 } }]);
      // As after a restart before it was answered.
      expect(foreign.named()).toEqual(stored.named);
      foreign.erase(await source.erasedOf(stored.named), start);
    }
    expect(
      database
        .prepare<[], string>(
          `SELECT p.order_number FROM personal o JOIN event e ON e.seq = o.event JOIN payment p ON p.id = e.payment`,
        )
        .pluck()
        .all(),
    ).toEqual(['CF-2']);
    database.close();
  });
});
