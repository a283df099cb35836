import { hash } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
