import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listFileOf } from '../../../main/payment-log/sqlite/list/list-file.ts';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import { projectionVersion } from '../../../main/payment-log/projection/project.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { callback, requested } from '../../../tools/evidence/evidence.ts';
import { writeClosedLog } from '../../../tools/app-harness/closed-log.ts';
import { filter, logFolder, type LogFolder } from '../../../tools/app-harness/running-payment-log.ts';

/** A list that cannot be used is made again from the evidence. */

let folder: LogFolder;
let list: string;
beforeEach(() => {
  folder = logFolder();
  list = listFileOf(folder.file);
});
afterEach(() => folder.remove());

const paid = (orderNumber: string): EventDraft[] => [
  requested(0, { customer: { name: 'Jane Quillfeather' } }, { orderNumber }),
  { ...callback(60_000, 'sale', 'success'), orderNumber },
];
const append = async (log: PaymentLog, ...orders: string[]): Promise<void> => {
  for (let from = 0; from < orders.length; from += 200)
    expect(await log.append(orders.slice(from, from + 200).flatMap(paid))).toMatchObject({ ok: true });
};
const numbers = async (log: PaymentLog, words = ''): Promise<string[]> =>
  (await log.list(filter({ words }), null, 50)).rows.map(({ orderNumber }) => orderNumber);
const inList = (work: (database: InstanceType<typeof Database>) => void): void => {
  const database = new Database(list);
  work(database);
  database.close();
};

const rowOfAda = async (log: PaymentLog): Promise<string | null> =>
  (await log.list(filter({}), null, 1)).rows[0]?.agent ?? null;

test('a list that another version has made is made again, with the results of this one; its own is not', async () => {
  const before = await folder.open();
  await append(before, 'CF-1');
  expect(await rowOfAda(before)).toBe('Ada');
  await before.close();
  inList(database => database.exec(`UPDATE listed SET "row" = replace("row", '"Ada"', '"Eve"')`));
  const same = await folder.open();
  expect(await rowOfAda(same)).toBe('Eve');
  await same.close();
  inList(database => database.pragma(`user_version = ${1_000 + projectionVersion - 1}`));
  const log = await folder.open();
  expect(await rowOfAda(log)).toBe('Ada');
  expect((await log.verify()).problems).toEqual([]);
});

test('a list that is gone, or of a journal that was put back, is made again', async () => {
  const before = await folder.open();
  await append(before, 'CF-1');
  await before.close();
  const backup = readFileSync(folder.file);
  const again = await folder.open();
  await append(again, 'CF-2');
  expect(await numbers(again)).toEqual(['CF-2', 'CF-1']);
  await again.close();
  writeFileSync(folder.file, backup);
  for (const name of ['-wal', '-shm', '.end']) rmSync(`${folder.file}${name}`, { force: true });
  const restored = await folder.open();
  expect(await numbers(restored)).toEqual(['CF-1']);
  await restored.close();
  rmSync(list);
  const log = await folder.open();
  expect(await numbers(log, 'quillfeather')).toEqual(['CF-1']);
  expect(existsSync(list)).toBe(true);
});

test('a damaged list is made again while it is used, and the standing says so', async () => {
  const before = await folder.open();
  await append(before, ...Array.from({ length: 400 }, (_, at) => `CF-${at}`));
  expect(await numbers(before)).toHaveLength(50);
  await before.close();
  const bytes = readFileSync(list);
  // All pages but those of the schema.
  writeFileSync(list, bytes.fill(0xa5, 16 * 4_096));
  const log = await folder.open();
  await expect.poll(() => numbers(log, 'quillfeather').catch(() => [])).toHaveLength(50);
  await expect.poll(() => log.paymentList?.standing().isWhole).toBe(true);
  expect((await log.count(filter({}))).count).toBe(400);
});

test('no payment is written twice, and none is missing, when its list is damaged again and again', async () => {
  const log = await folder.open();
  await append(log, 'CF-1');
  for (let round = 0; round < 3; round += 1) {
    expect(await log.paymentList?.rebuild()).toMatchObject({ ok: true });
    await append(log, `CF-R${round}`);
    expect((await log.counts(null)).states).toEqual({ 'paid-unconfirmed': round + 2 });
  }
});

describe('while the list is made', () => {
  const orders = Array.from({ length: 3_000 }, (_, at) => `CF-${at}`);
  const always = { from: 0, until: Number.MAX_SAFE_INTEGER };

  test('the newest payments are there first, sums and exports wait or are refused, and everything is there at the end', async () => {
    await writeClosedLog(folder.file, orders.flatMap(paid));
    const log = await folder.open('console-1', { timeoutMs: 0 });
    const payments = log.paymentList;
    const seen: string[] = [];
    await expect
      .poll(async () => {
        const [first] = await numbers(log);
        if (first) seen.push(first);
        return first;
      })
      .toBe(orders.at(-1));
    expect(new Set(seen)).toEqual(new Set([orders.at(-1)]));
    if (payments?.standing().isWhole === false) {
      const refused = { error: { code: 'log.incomplete' } };
      await expect(log.movedMoney(null, [always])).rejects.toMatchObject(refused);
      await expect(log.totals(filter({}))).rejects.toMatchObject(refused);
      expect(await payments.whole(0)).toMatchObject({ ok: false, ...refused });
      const { done, total } = payments.standing().progress;
      expect(done).toBeLessThan(total);
    }
    expect(await payments?.whole(60_000)).toMatchObject({ ok: true });
    expect((await log.counts(null)).states).toEqual({ 'paid-unconfirmed': 3_000 });
    expect(payments?.standing().progress).toEqual({ done: 3_000, total: 3_000 });
    expect((await log.movedMoney(null, [always]))[0]?.[0]?.paidAmount).toBe('370200.00');
  });
});
