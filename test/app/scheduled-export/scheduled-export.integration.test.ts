import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPaymentLog } from '../../../main/payment-log/list/open-payment-log.ts';
import type { AppState } from '../../../shared/contract/contract.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import type { ScheduledExport } from '../../../shared/settings/scheduled-export.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { addShop, startTestApp, value, type TestApp } from '../../../tools/app-harness/running-app.ts';
import { mayMount, mountDisk, unmountDisk } from '../../../tools/app-harness/small-disk.ts';
import { booksOfOctober, hotel, october } from '../../../tools/evidence/books.ts';
import { callback, withRefundedAmount } from '../../../tools/evidence/evidence.ts';
import { readSheet } from '../../export/read-sheet.ts';

/** The workbooks that the console writes after each day or month, on a real disk. */

let app: TestApp;
let profileId = '';
let data = '';
let target = '';
let now = october.until + 3_600_000;

const day = 86_400_000;
const start = async (): Promise<void> => {
  app = await startTestApp(data, { clock: () => now });
};
/** Writes events while the console does not run. */
const write = async (events: readonly EventDraft[]): Promise<void> => {
  const log = value(await openPaymentLog({ file: join(data, 'payments.db'), writer: 'books' }));
  value(await log.append([...events]));
  await log.close();
};
const append = async (events: readonly EventDraft[]): Promise<void> => {
  await app.close();
  await write(events);
  await start();
};
/** The data of a console with the books of October, copied for each test. */
const prepared = newFolder('october');
beforeAll(async () => {
  data = prepared;
  await start();
  profileId = await addShop(app, hotel);
  await app.close();
  await write(booksOfOctober(profileId));
});
beforeEach(async () => {
  now = october.until + 3_600_000;
  data = newFolder('scheduled');
  target = newFolder('target');
  cpSync(prepared, data, { recursive: true });
  await start();
});
afterEach(async () => {
  await app.remove();
});

const state = async (): Promise<AppState['scheduledExport']> => (await app.state()).scheduledExport;
/** Chooses the folder in the dialog, then changes the setting. */
const plan = async (scheduledExport: NonNullable<ScheduledExport>, one = app): Promise<void> => {
  one.willOpen(scheduledExport.folder);
  await one.value('scheduledExport.chooseFolder', {});
  await one.value('settings.change', { scheduledExport });
};

/** Switches it on, which writes what is due, and waits until that has ended. */
const schedule = async (every: 'day' | 'month', folder = target): Promise<void> => {
  await plan({ every, folder, profileIds: [profileId] });
  await expect
    .poll(async () => {
      const { lastRunAt, problem } = await state();
      return lastRunAt !== null || problem !== null;
    })
    .toBe(true);
};
const run = () => app.request('scheduledExport.run', {});
const workbooks = (folder = target): string[] =>
  readdirSync(folder)
    .filter(file => file.endsWith('.xlsx'))
    .toSorted();
const cells = (file: string, sheet: number): string[][] =>
  readSheet(readFileSync(join(target, file)), sheet).map(row => row.map(cell => cell.value));

/** A refund of October whose callback arrives in November. */
const lateRefund = (): EventDraft => {
  const paymentId = '6f1d2c3b-0000-4000-8000-000000000001';
  return withRefundedAmount(
    callback(
      15 * day,
      'refund',
      'success',
      {
        id: paymentId,
        order_number: 'HS-1001',
        order_amount: '10.00',
        order_currency: 'EUR',
        order_description: 'Zimmer 1, zwei Nächte',
        date: 'later',
      },
      undefined,
      { profileId, orderNumber: 'HS-1001', agent: 'console', paymentId },
    ),
  );
};

test('the scheduled export begins with the last month that has ended, with its signature file, and is recorded', async () => {
  await schedule('month');
  expect(workbooks()).toEqual(['Hotel-am-See-2026-10.xlsx']);
  expect(existsSync(join(target, 'Hotel-am-See-2026-10.xlsx.head.json'))).toBe(true);
  expect(cells('Hotel-am-See-2026-10.xlsx', 1).length).toBeGreaterThan(40);
  expect(await state()).toMatchObject({
    lastRunAt: now,
    lastFile: join(target, 'Hotel-am-See-2026-10.xlsx'),
    // The end of November in Berlin.
    nextRunAt: Date.UTC(2026, 10, 30, 23),
    problem: null,
  });
  await expect
    .poll(async () => {
      const { rows } = await app.value('activity.list', {});
      return rows.some(({ details }) => details.exported === 'scheduled');
    })
    .toBe(true);
});

test('the scheduled export catches up on every month that was missed, oldest first', async () => {
  await schedule('month');
  await app.close();
  now += 95 * day;
  await start();
  await run();
  expect(workbooks()).toEqual([
    'Hotel-am-See-2026-10.xlsx',
    'Hotel-am-See-2026-11.xlsx',
    'Hotel-am-See-2026-12.xlsx',
    'Hotel-am-See-2027-01.xlsx',
  ]);
  expect((await state()).lastFile).toBe(join(target, 'Hotel-am-See-2027-01.xlsx'));
});

test('the scheduled export of days catches up on at most 31 of them', async () => {
  await schedule('day');
  expect(workbooks()).toEqual(['Hotel-am-See-2026-10-31.xlsx']);
  now += 60 * day;
  await run();
  expect(workbooks()).toHaveLength(1 + 31);
});

test('the scheduled export never replaces a file: a taken name gets a number', async () => {
  writeFileSync(join(target, 'Hotel-am-See-2026-10.xlsx'), 'of another program');
  await schedule('month');
  await run();
  expect(workbooks()).toEqual([
    'Hotel-am-See-2026-10 (2).xlsx',
    'Hotel-am-See-2026-10 (3).xlsx',
    'Hotel-am-See-2026-10.xlsx',
  ]);
  expect(readFileSync(join(target, 'Hotel-am-See-2026-10.xlsx'), 'utf8')).toBe('of another program');
});

test('the scheduled export names what later evidence changed in a month that was written', async () => {
  await schedule('month');
  now += 31 * day;
  await append([lateRefund()]);
  await run();
  expect(cells('Hotel-am-See-2026-10.xlsx', 4)).toHaveLength(1);
  const [, ...changes] = cells('Hotel-am-See-2026-11.xlsx', 4);
  expect(changes).toHaveLength(1);
  expect(changes[0]?.[1]).toBe('HS-1001');
  expect(changes[0]?.slice(4)).toEqual(['57.5', '57.5', '57.5', '47.5']);
  // Once it was named, it is not named again.
  now += 31 * day;
  await run();
  expect(cells('Hotel-am-See-2026-12.xlsx', 4)).toHaveLength(1);
});

test('the scheduled export follows no link and replaces no signature file of a taken name', async () => {
  symlinkSync(join(target, 'elsewhere'), join(target, 'Hotel-am-See-2026-10.xlsx'));
  writeFileSync(join(target, 'Hotel-am-See-2026-10 (2).xlsx.head.json'), 'of an earlier file');
  await schedule('month');
  expect((await state()).problem).toBeNull();
  expect((await state()).lastFile).toBe(join(target, 'Hotel-am-See-2026-10 (3).xlsx'));
  expect(existsSync(join(target, 'elsewhere'))).toBe(false);
  expect(readFileSync(join(target, 'Hotel-am-See-2026-10 (2).xlsx.head.json'), 'utf8')).toBe(
    'of an earlier file',
  );
});

test('consoles that export to one folder at the same time each write their own files', async () => {
  const other = await startTestApp(undefined, { clock: () => now });
  try {
    const hotelThere = await addShop(other, hotel);
    const scheduled = async (one: TestApp, id: string) => {
      await plan({ every: 'day', folder: target, profileIds: [id] }, one);
      await one.value('scheduledExport.run', {});
    };
    await Promise.all([scheduled(app, profileId), scheduled(other, hotelThere)]);
    for (let round = 1; round < 3; round += 1) {
      now += 2 * day;
      await Promise.all([app, other].map(async one => await one.value('scheduledExport.run', {})));
    }
    expect(workbooks().length % 2).toBe(0);
    expect(readdirSync(target).filter(name => name.endsWith('.part'))).toEqual([]);
  } finally {
    await other.remove();
  }
});

test('a payment log that cannot be read is a problem of the scheduled export, until it can', async () => {
  await schedule('month');
  now += 31 * day;
  const rename = (from: string, to: string): void => {
    const database = new Database(join(data, 'payments.db'));
    database.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
    database.close();
  };
  rename('event', 'gone');
  const failed = await run().catch((thrown: unknown) => thrown);
  rename('gone', 'event');
  expect(failed).toMatchObject({ ok: false, error: { code: 'log.unavailable' } });
  expect((await state()).problem).toMatchObject({ code: 'log.unavailable' });
  value(await run());
  expect((await state()).problem).toBeNull();
});

test('a profile whose scheduled export fails stops that of no other, and is the problem', async () => {
  const bar = await addShop(app, { ...hotel, name: 'Bar', merchantKey: 'bar' });
  const database = new Database(join(data, 'payments.db.list'));
  database
    .prepare(`UPDATE listed SET "row" = '{' WHERE payment IN (SELECT id FROM payment WHERE profile_id = ?)`)
    .run(profileId);
  database.close();
  await plan({ every: 'month', folder: target, profileIds: [profileId, bar] });
  await expect.poll(async () => (await state()).problem).toMatchObject({ code: 'log.unavailable' });
  expect(workbooks()).toEqual(['Bar-2026-10.xlsx']);
});

test('an export under a clock that was years ahead does not end those of the present months', async () => {
  await schedule('month');
  await app.close();
  const present = now + 30 * day;
  now += 3 * 365 * day;
  await start();
  value(await run());
  await app.close();
  const ahead = workbooks();
  now = present;
  await append([lateRefund()]);
  value(await run());
  const added = workbooks().filter(file => !ahead.includes(file));
  expect(added).toEqual(['Hotel-am-See-2026-11.xlsx']);
  expect(cells('Hotel-am-See-2026-11.xlsx', 4).map(row => row[1])).toContain('HS-1001');
});

test('a console that is closed while it catches up does not write the rest first, and writes nothing twice', async () => {
  await schedule('day');
  await app.close();
  now += 10 * day;
  await start();
  const running = run();
  await expect.poll(() => workbooks().length).toBeGreaterThan(2);
  await app.close();
  await running;
  expect(workbooks().length).toBeLessThan(11);
  expect(readdirSync(target).filter(name => name.endsWith('.part'))).toEqual([]);
  await start();
  value(await run());
  expect(workbooks()).toHaveLength(11);
  expect(workbooks().filter(name => name.includes('('))).toEqual([]);
});

test('a failed scheduled export is one alert on the desktop and a line of the health page, until one succeeds', async () => {
  const alerts = async (): Promise<string[]> =>
    (await app.value('alerts.read', {})).alerts.map(({ kind }) => kind);
  const health = async () =>
    (await app.value('health.read', {})).checks.filter(({ name }) => name === 'scheduled-export');
  expect(await health()).toEqual([]);
  await schedule('month');
  expect(await health()).toMatchObject([{ state: 'good' }]);
  now += 31 * day;
  renameSync(target, `${target}-away`);
  expect(await run()).toMatchObject({ ok: false });
  await expect.poll(alerts).toEqual(['export-failed']);
  expect(await health()).toMatchObject([
    { state: 'attention', todo: { key: 'health.scheduled-export.todo' } },
  ]);
  expect(await run()).toMatchObject({ ok: false });
  const shown = app.outside.notifications;
  await expect.poll(() => shown.map(({ title }) => title)).toEqual(['Scheduled export failed']);
  shown[0]?.press();
  expect((await app.value('app.takePendingNavigation', {})).target).toEqual({
    screen: 'settings',
    section: 'data',
    id: null,
  });
  renameSync(`${target}-away`, target);
  value(await run());
  await expect.poll(alerts).toEqual([]);
  expect(await health()).toMatchObject([{ state: 'good' }]);
  expect(shown).toHaveLength(1);
});

test('the scheduled export refuses the folder of the console’s data', async () => {
  const own = join(data, 'exports');
  mkdirSync(own);
  app.willOpen(own);
  expect(await app.request('scheduledExport.chooseFolder', {})).toMatchObject({ ok: false });
  app.willOpen(target);
  expect(await app.value('scheduledExport.chooseFolder', {})).toEqual({ folder: target });
  expect(workbooks()).toEqual([]);
});

test('the scheduled export writes into no folder that a person has not chosen in the dialog', async () => {
  const scheduledExport: ScheduledExport = { every: 'day', folder: target, profileIds: [profileId] };
  for (const folder of [target, '/etc', String.raw`\\server\share`, 'exports'])
    expect(
      await app.request('settings.change', { scheduledExport: { ...scheduledExport, folder } }),
    ).toMatchObject({ error: { code: 'input.invalid', fields: [{ path: 'scheduledExport.folder' }] } });
});

test.skipIf(!mayMount).each([
  ['is full', 'size=512k', 'file.no-room'],
  ['may not be written to', 'size=16m,ro', 'file.unwritable'],
] as const)('the scheduled export leaves nothing on a disk that %s', async (_, options, code) => {
  await schedule('month');
  now += 31 * day;
  mountDisk(target, options);
  try {
    expect(await run()).toMatchObject({ ok: false, error: { code } });
    expect(readdirSync(target)).toEqual([]);
  } finally {
    unmountDisk(target);
  }
});
