import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { newPayment, startTestApp, type TestApp } from '../../tools/app-harness/running-app.ts';
import { holdOpen } from './child.ts';
import { testFolder } from './test-folder.ts';

/**
 * Files that another program holds open: Windows then refuses what Linux and macOS allow. Excel keeps a file for hours,
 * virus scanners and indexers for a moment.
 */

/** A moment: less than the two seconds for which a rename is tried again. */
const momentMs = 700;

describe('a file that another program has open', () => {
  const folder = testFolder();
  let app: TestApp;
  const held: { release: () => Promise<void> }[] = [];
  before(async () => {
    app = await startTestApp(folder.app);
    await app.value('payments.create', newPayment({ orderNumber: 'HELD-1' }));
  });
  afterEach(async () => {
    for (const one of held.splice(0)) await one.release();
  });
  after(async () => {
    await app.close();
    folder.remove();
  });

  const hold = async (...args: Parameters<typeof holdOpen>): Promise<void> => {
    held.push(await holdOpen(...args));
  };
  /** As a virus scanner: opens the file now and closes it after a moment. */
  const holdForAMoment = (
    file: string,
    how: Parameters<typeof holdOpen>[1],
    milliseconds = momentMs,
  ): Promise<void> => hold(file, how, milliseconds);
  const stored = (): { settings: { theme: string } } =>
    JSON.parse(readFileSync(join(app.folder, 'settings.json'), 'utf8'));
  const unfinished = (): string[] =>
    readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.part'));

  const outputs = [
    ['an export', 'payments.csv', () => app.request('payments.export', { filter: {}, format: 'csv' })],
    ['a workbook', 'payments.xlsx', () => app.request('payments.export', { filter: {}, format: 'xlsx' })],
    [
      'a dossier',
      'dossier.pdf',
      () => app.request('payments.dossier', { profileId: 'sandbox', orderNumber: 'HELD-1' }),
    ],
    ['a backup', 'backup.db', () => app.request('log.backUp', {})],
  ] as const;
  for (const [what, name, write] of outputs)
    test(`a file that is open in Excel is not replaced by ${what}, and the message says where to close it`, async () => {
      const file = join(folder.path, name);
      writeFileSync(file, 'in use');
      await hold(file, 'spreadsheet');
      app.willSave(file);
      const refused = await write();
      assert.equal(refused.ok, false);
      assert.match(refused.error.hint?.key ?? '', /in-use$/);
      assert.equal(readFileSync(file, 'utf8'), 'in use');
      assert.deepEqual(unfinished(), []);
    });

  test('a file that a virus scanner reads is replaced by an export after a moment', async () => {
    const file = join(folder.path, 'scanned.csv');
    writeFileSync(file, 'before');
    await holdForAMoment(file, 'scanner');
    app.willSave(file);
    await app.value('payments.export', { filter: {}, format: 'csv' });
    assert.match(readFileSync(file, 'utf8'), /HELD-1/);
  });

  test('a file of an export that is stopped is closed again: no part of it stays', async () => {
    const orders = Array.from({ length: 300 }, (_, at) => ({
      id: crypto.randomUUID(),
      order_number: `STOP-${at}`,
      order_amount: '1.00',
      order_currency: 'EUR',
      order_description: 'Stopped',
      type: 'sale',
      status: 'fail',
      hash: '0'.repeat(40),
    }));
    await app.value('callbacks.store', {
      text: JSON.stringify(orders),
      via: 'paste',
      profileId: 'sandbox',
    });
    const requestId = crypto.randomUUID();
    const file = join(folder.path, 'stopped.csv');
    app.willSave(file);
    const writing = app.request('payments.export', { filter: {}, format: 'csv', requestId });
    while (!(await app.value('payments.cancelWait', { requestId })).stopped) await setImmediate();
    assert.equal((await writing).ok, false);
    assert.equal(existsSync(file), false);
    assert.deepEqual(unfinished(), []);
  });

  test('the settings file is replaced once a scanner has closed it', async () => {
    await holdForAMoment(join(app.folder, 'settings.json'), 'scanner');
    await app.value('settings.change', { theme: 'dark' });
    while (stored().settings.theme !== 'dark') await wait(50);
    assert.equal((await app.value('app.read', {})).settingsFile.problem, null);
  });

  test('a settings file that another program has open does not keep the console from starting, and its settings stay', async () => {
    await app.close();
    await holdForAMoment(join(folder.app, 'settings.json'), 'exclusive');
    app = await startTestApp(folder.app);
    const { settings, profiles } = await app.value('app.read', {});
    assert.equal(settings.theme, 'dark');
    assert.ok(profiles.length > 0);
  });

  test('a file that another program has open does not keep the daily copy from being replaced', async () => {
    await app.daily();
    const [name = ''] = readdirSync(join(app.folder, 'copies'));
    await app.value('payments.create', newPayment({ orderNumber: 'HELD-2' }));
    await app.value('payments.create', newPayment({ orderNumber: 'HELD-3' }));
    await holdForAMoment(join(app.folder, 'copies', name), 'scanner');
    await app.daily();
    assert.equal((await app.value('app.read', {})).log.dailyTaskProblem, null);
    const { candidate } = await app.value('log.checkCopy', { name });
    assert.deepEqual(candidate?.report.problems, []);
  });

  const checkedBackup = async (): Promise<string> => {
    const { file } = await app.value('log.backUp', {});
    app.willOpen(file);
    return (await app.value('log.checkCopy', { name: null })).candidate?.token ?? '';
  };
  const hasOrder = async (orderNumber: string): Promise<boolean> =>
    (await app.value('payments.list', { filter: {} })).rows.some(row => row.orderNumber === orderNumber);

  test('a restore is refused, and nothing is lost, if another program has the payment log open', async () => {
    const token = await checkedBackup();
    await app.value('payments.create', newPayment({ orderNumber: 'HELD-4' }));
    await hold(app.logFile, 'scanner');
    const refused = await app.request('log.restore', { token });
    assert.equal(refused.ok, false);
    assert.equal((await app.value('app.read', {})).log.problem, null);
    assert.equal(await hasOrder('HELD-4'), true);
  });

  test('a restore waits until a scanner has closed the payment log', async () => {
    const token = await checkedBackup();
    await app.value('payments.create', newPayment({ orderNumber: 'HELD-5' }));
    // The copy is verified once more first; then a rename is tried again for two seconds.
    await holdForAMoment(app.logFile, 'scanner', 1_500);
    await app.value('log.restore', { token });
    assert.equal(await hasOrder('HELD-4'), true);
    assert.equal(await hasOrder('HELD-5'), false);
  });
});
