import {
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
import { beforeEach, expect, test } from 'vitest';
import { openSettings } from '../../../main/settings/settings-store.ts';
import type { AppState } from '../../../shared/contract/contract.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { profileSchema } from '../../../shared/settings/profile.ts';
import type { ScheduledExport } from '../../../shared/settings/scheduled-export.ts';
import { writeClosedLog } from '../../../tools/app-harness/closed-log.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { addShop, startTestApp, value, type TestApp } from '../../../tools/app-harness/running-app.ts';
import { mayMount, mountDisk, unmountDisk } from '../../../tools/app-harness/small-disk.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';
import { booksOfOctober, hotel, october } from '../../../tools/evidence/books.ts';
import { callback, withRefundedAmount } from '../../../tools/evidence/evidence.ts';
import { readSheet } from '../../export/read-sheet.ts';

/** The workbooks that the console writes after each day or month, on a real disk. */

/** A profile for each test: the first two with the books of October, the others with one order of it. */
const profileIds = Array.from({ length: 14 }, (_, at) => `hotel-${at}`);
let unused = profileIds;
let profileId = '';
let target = '';
let now = 0;

const day = 86_400_000;
const app = useApp({
  clock: () => now,
  prepare: async folder => {
    const settings = openSettings(join(folder, 'settings.json'), 'anna');
    settings.change(stored => ({
      ...stored,
      profiles: [
        ...stored.profiles,
        ...profileIds.map(id => profileSchema.parse({ ...hotel, id, name: id, merchantKey: id })),
      ],
    }));
    await settings.close();
  },
  evidence: profileIds.flatMap((id, at) =>
    booksOfOctober(id).filter(({ orderNumber }) => at < 2 || orderNumber === 'HS-1001'),
  ),
});
beforeEach(() => {
  [profileId = '', ...unused] = unused;
  now = october.until + 3_600_000;
  target = newFolder('target');
});
const append = (events: readonly EventDraft[]): Promise<void> =>
  app.restart(() => writeClosedLog(app.logFile, events));

const state = async (): Promise<AppState['scheduledExport']> => (await app.state()).scheduledExport;
/** Chooses the folder in the dialog, then changes the setting. */
const plan = async (scheduledExport: NonNullable<ScheduledExport>, one: TestApp = app): Promise<void> => {
  one.willOpen(scheduledExport.folder);
  await one.value('scheduledExport.chooseFolder', {});
  await one.value('settings.change', { scheduledExport });
};

/** Switches it on, which writes what is due, and waits until that has ended. */
const schedule = async (every: 'day' | 'month', folder = target): Promise<void> => {
  await plan({ every, folder, profileIds: [profileId] });
  await expect
    .poll(async () => {
      const { lastFile, problem } = await state();
      return lastFile?.startsWith(folder) === true || problem !== null;
    })
    .toBe(true);
};
const run = () => app.request('scheduledExport.run', {});
/** The name of a workbook of the profile. */
const book = (period: string, number = ''): string => `${profileId}-${period}${number}.xlsx`;
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

test('the scheduled export begins with the last month that has ended, with its signature file, and is recorded; it catches up on missed months, oldest first', async () => {
  await schedule('month');
  expect(workbooks()).toEqual([book('2026-10')]);
  expect(existsSync(join(target, `${book('2026-10')}.head.json`))).toBe(true);
  expect(cells(book('2026-10'), 1).length).toBeGreaterThan(40);
  expect(await state()).toMatchObject({
    lastRunAt: now,
    lastFile: join(target, book('2026-10')),
    // The end of November in Berlin.
    nextRunAt: Date.UTC(2026, 10, 30, 23),
    problem: null,
  });
  await expect
    .poll(async () => (await app.value('activity.list', {})).rows.map(({ details }) => details))
    .toContainEqual(expect.objectContaining({ exported: 'scheduled', profileId }));
  now += 65 * day;
  await run();
  expect(workbooks()).toEqual(['2026-10', '2026-11', '2026-12'].map(month => book(month)));
  expect((await state()).lastFile).toBe(join(target, book('2026-12')));
});

test('the scheduled export never replaces a file, nor the signature file of one, and follows no link: a taken name gets a number', async () => {
  const taken = (name: string): string => join(target, name);
  symlinkSync(taken('elsewhere'), taken(book('2026-10')));
  const others = [`${book('2026-10', ' (2)')}.head.json`, book('2026-10', ' (3)')];
  for (const name of others) writeFileSync(taken(name), 'of another program');
  await schedule('month');
  await run();
  expect((await state()).problem).toBeNull();
  expect(workbooks()).toEqual(['', ' (3)', ' (4)', ' (5)'].map(number => book('2026-10', number)).toSorted());
  expect(existsSync(taken('elsewhere'))).toBe(false);
  for (const name of others) expect(readFileSync(taken(name), 'utf8')).toBe('of another program');
});

test('the scheduled export names what later evidence changed in a month that was written', async () => {
  await schedule('month');
  now += 31 * day;
  await append([lateRefund()]);
  await run();
  expect(cells(book('2026-10'), 4)).toHaveLength(1);
  const [, ...changes] = cells(book('2026-11'), 4);
  expect(changes).toHaveLength(1);
  expect(changes[0]?.[1]).toBe('HS-1001');
  expect(changes[0]?.slice(4)).toEqual(['57.5', '57.5', '57.5', '47.5']);
  // Once it was named, it is not named again.
  now += 31 * day;
  await run();
  expect(cells(book('2026-12'), 4)).toHaveLength(1);
});

test('an export under a clock that was months ahead does not end those of the present months', async () => {
  await schedule('month');
  const present = now + 30 * day;
  now += 120 * day;
  value(await run());
  const ahead = workbooks();
  now = present;
  await append([lateRefund()]);
  value(await run());
  const added = workbooks().filter(file => !ahead.includes(file));
  expect(added).toEqual([book('2026-11', ' (2)')]);
  expect(cells(book('2026-11', ' (2)'), 4).map(row => row[1])).toContain('HS-1001');
});

test('consoles that export to one folder at the same time each write their own files', async () => {
  const other = await startTestApp(undefined, { clock: () => now });
  try {
    const there = await addShop(other, { ...hotel, name: profileId });
    const scheduled = async (one: TestApp, id: string) => {
      await plan({ every: 'day', folder: target, profileIds: [id] }, one);
      await one.value('scheduledExport.run', {});
    };
    await Promise.all([scheduled(app, profileId), scheduled(other, there)]);
    now += day;
    await Promise.all([app, other].map(one => one.value('scheduledExport.run', {})));
    expect(workbooks().length % 2).toBe(0);
    expect(readdirSync(target).filter(name => name.endsWith('.part'))).toEqual([]);
  } finally {
    await other.remove();
  }
});

test('a console that is closed while it catches up does not write the rest first, and writes nothing twice', async () => {
  await schedule('day');
  now += 6 * day;
  const running = run();
  await expect.poll(() => workbooks().length).toBeGreaterThan(1);
  await app.restart(async () => {
    await running;
    expect(workbooks().length).toBeLessThan(7);
    expect(readdirSync(target).filter(name => name.endsWith('.part'))).toEqual([]);
  });
  value(await run());
  expect(workbooks()).toHaveLength(7);
  expect(workbooks().filter(name => name.includes('('))).toEqual([]);
});

test('the scheduled export writes into no folder that a person has not chosen in the dialog, which refuses that of the console’s data', async () => {
  const own = join(app.folder, 'exports');
  mkdirSync(own);
  app.willOpen(own);
  expect(await app.request('scheduledExport.chooseFolder', {})).toMatchObject({ ok: false });
  const scheduledExport: ScheduledExport = { every: 'day', folder: target, profileIds: [profileId] };
  for (const folder of [target, own, '/etc', String.raw`\\server\share`, 'exports'])
    expect(
      await app.request('settings.change', { scheduledExport: { ...scheduledExport, folder } }),
    ).toMatchObject({ error: { code: 'input.invalid', fields: [{ path: 'scheduledExport.folder' }] } });
  app.willOpen(target);
  expect(await app.value('scheduledExport.chooseFolder', {})).toEqual({ folder: target });
  expect(workbooks()).toEqual([]);
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

test('a payment log that cannot be read is a problem of the scheduled export, until it can', async () => {
  await schedule('month');
  now += 31 * day;
  const rename = (from: string, to: string): void => {
    const database = new Database(app.logFile);
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
  const [other = ''] = unused;
  const database = new Database(`${app.logFile}.list`);
  database
    .prepare(`UPDATE listed SET "row" = '{' WHERE payment IN (SELECT id FROM payment WHERE profile_id = ?)`)
    .run(profileId);
  database.close();
  await plan({ every: 'month', folder: target, profileIds: [profileId, other] });
  await expect.poll(async () => (await state()).problem).toMatchObject({ code: 'log.unavailable' });
  expect(workbooks()).toEqual([`${other}-2026-10.xlsx`]);
});
