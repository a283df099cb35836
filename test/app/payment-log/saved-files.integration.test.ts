import { hash } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chainEndFile } from '../../../main/payment-log/sqlite/files/chain-end.ts';
import { readSignedHead } from '../../../main/payment-log/heads/read-signed-head.ts';
import { hasValidSignature } from '../../../main/payment-log/heads/signed-head.ts';
import { newPayment } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** Files that a user saves, next to the files of the payment log. */

const app = useApp();

const raise = async (orderNumber: string): Promise<void> => {
  await app.value('payments.create', newPayment({ orderNumber }));
};

test('an export has a signed head beside it that contains its hash', async () => {
  await raise('E-1');
  const exported = await app.value('payments.export', { filter: {}, format: 'csv' });
  expect(exported.signed).toBe(true);
  const file = exported.file ?? '';
  const head = readSignedHead(JSON.parse(readFileSync(`${file}.head.json`, 'utf8')));
  expect(head !== null && hasValidSignature(head)).toBe(true);
  expect(head?.export?.sha256).toBe(hash('sha256', readFileSync(file)));
});

test('a backup says whether it is signed, and is', async () => {
  const saved = await app.value('log.backUp', {});
  expect(saved.signed).toBe(true);
  const head = readSignedHead(JSON.parse(readFileSync(`${saved.file ?? ''}.head.json`, 'utf8')));
  expect(head !== null && hasValidSignature(head)).toBe(true);
  const other = join(app.saved, 'unsigned.db');
  mkdirSync(`${other}.head.json`);
  app.willSave(other);
  expect(await app.value('log.backUp', {})).toMatchObject({ file: other, signed: false });
});

test.skipIf(process.platform === 'win32')(
  'a backup that consists of holes is refused when it is chosen, before anything reads it',
  async () => {
    await raise('H-1');
    const backup = join(app.saved, 'holes.db');
    app.willSave(backup);
    await app.value('log.backUp', {});
    truncateSync(backup, 70_000_000);
    app.willOpen(backup);
    expect(await app.request('log.checkCopy', { name: null })).toMatchObject({
      ok: false,
      error: { code: 'input.invalid', message: { key: 'backup.holes' } },
    });
  },
);

test.skipIf(process.platform === 'win32')(
  'a saved file never replaces one of the console’s own files, under any path that leads to it',
  async () => {
    await raise('O-1');
    const link = join(app.saved, 'link');
    symlinkSync(app.folder, link);
    linkSync(app.logFile, join(app.saved, 'other-name.db'));
    const refused = { ok: false, error: { code: 'file.unwritable' } };
    const places = [
      app.logFile,
      join(link, 'payments.db'),
      join(link, 'copies', 'new.csv'),
      join(app.saved, 'other-name.db'),
    ];
    for (const place of places) {
      app.willSave(place);
      expect(await app.request('payments.export', { filter: {}, format: 'csv' })).toMatchObject(refused);
      app.willSave(place);
      expect(await app.request('log.backUp', {})).toMatchObject(refused);
      app.willSave(place);
      expect(
        await app.request('payments.exportReconciliation', {
          profileId: null,
          cause: null,
          format: 'csv',
        }),
      ).toMatchObject(refused);
    }
    app.willSave(join(link, 'settings.html'));
    expect(await app.request('payments.dossier', { profileId: 'sandbox', orderNumber: 'O-1' })).toMatchObject(
      refused,
    );
    expect((await app.value('log.verify', {})).problems).toEqual([]);
  },
);

/** What a person sees when confirmed events are missing from the payment log, and how that ends. */

const loss = async () => (await app.state()).log.loss;
const healthOfLoss = async () =>
  (await app.value('health.read', {})).checks.filter(({ name }) => name === 'loss');
const problems = async () => (await app.value('log.verify', {})).problems.map(({ at }) => at.kind);

/** The last three events were lost, as the file beside the log shows. */
const cut = (): void => {
  const file = chainEndFile(app.logFile);
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as { end: { seq: number; hash: string } };
  recorded.end.seq += 3;
  recorded.end.hash = '0'.repeat(64);
  writeFileSync(file, JSON.stringify(recorded));
};

test('Missing events are shown at each start until a person has settled the loss, which is recorded', async () => {
  const before = Date.now();
  await raise('CF-1');
  expect(await loss()).toBeNull();
  expect(await healthOfLoss()).toEqual([]);
  await app.restart(cut);
  const found = await loss();
  expect(found).toMatchObject({ missing: 3 });
  expect(found?.from).toBeGreaterThanOrEqual(before);
  expect(found?.until).toBeGreaterThanOrEqual(found?.from ?? 0);
  expect(await healthOfLoss()).toMatchObject([
    { state: 'broken', finding: { key: 'health.loss' }, todo: { key: 'health.loss.todo' } },
  ]);
  expect(await problems()).toEqual(['end-file']);
  await app.restart();
  expect(await loss()).toEqual(found);

  expect((await app.value('log.settleLoss', {})).log.loss).toBeNull();
  expect(await healthOfLoss()).toEqual([]);
  expect(await problems()).toEqual([]);
  const { rows } = await app.value('activity.list', {});
  expect(rows[0]).toMatchObject({ agent: 'anna', action: 'loss-settled', details: { count: 3 } });
  await app.restart();
  expect(await loss()).toBeNull();
  expect(await problems()).toEqual([]);
});
