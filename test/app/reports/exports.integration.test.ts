import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCredentialStore } from '../../../main/credentials/keychain.ts';
import { createExportHandlers } from '../../../main/app/reports/exports.ts';
import { createFinishedFiles } from '../../../main/app/reports/report-setup.ts';
import { openSettings } from '../../../main/settings/settings-store.ts';
import { createHeadSigner } from '../../../main/app/payment-log/head-signer.ts';
import { createCancellationRegistry } from '../../../main/app/common/cancellation.ts';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import { openPaymentLog } from '../../../main/payment-log/list/open-payment-log.ts';
import { ipcRequests, type RequestInput, type IpcEvent } from '../../../shared/contract/contract.ts';
import { ok } from '../../../shared/errors.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { writeClosedLog } from '../../../tools/app-harness/closed-log.ts';
import { requested } from '../../../tools/evidence/evidence.ts';
import { timeoutMs } from '../../../tools/app-harness/running-payment-log.ts';
import { value } from '../../../tools/app-harness/running-app.ts';

/** Exports of thousands of payments, all or selected ones, with progress and cancellation. */

const count = 3000;
let log: PaymentLog;
const folder = newFolder('exports');
const settings = openSettings(join(folder, 'settings.json'), 'anna');
const waits = createCancellationRegistry();
const emitted: IpcEvent<'export.progress'>[] = [];
/** The files that were shown in their folder. */
const shown: string[] = [];
const appOf = (format: string) => {
  // A clock that advances by a tenth of a second on each read.
  let now = 0;
  const clock = (): number => (now += 100);
  return createExportHandlers(
    {
      log: ok(log),
      logFile: join(folder, 'log', 'log.db'),
      clock,
      system: {
        chooseSaveFile: async () => join(folder, `out.${format}`),
        printToPdf: async html => Buffer.from(html),
      },
      team: { standing: () => null },
      settings,
      requester: { person: () => null, name: () => 'anna', refusalIfGone: () => null },
      systemLocale: 'en-GB',
      notify: (name, payload) => {
        if (name === 'export.progress') emitted.push(payload as IpcEvent<'export.progress'>);
      },
    },
    createFinishedFiles(
      { showInFolder: file => shown.push(file) },
      createHeadSigner(
        openCredentialStore({ service: 'Counterfoil test of exports' }),
        join(folder, 'log', 'log.db'),
        clock,
      ),
    ),
    waits,
  );
};
const write = (input: RequestInput<'payments.export'>, app = appOf(input.format)) =>
  app['payments.export'](ipcRequests['payments.export'].input.parse(input));
const linesOf = (file: string): string[] => readFileSync(join(folder, file), 'utf8').trim().split('\n');

beforeAll(async () => {
  const file = join(folder, 'log', 'log.db');
  const drafts = Array.from({ length: count }, (_, at) => requested(at, {}, { orderNumber: `CF-${at}` }));
  await writeClosedLog(file, drafts, { isInTime: true });
  log = value(await openPaymentLog({ file, writer: 'console-1', timeoutMs }));
});
afterAll(async () => {
  await log.close();
  await settings.close();
});

test('an export of selected payments contains only those, newest first, with any filter; a missing one is skipped', async () => {
  const payments = ['CF-7', 'CF-2999', 'CF-12', 'an unknown order'].map(orderNumber => ({
    profileId: 'sandbox',
    orderNumber,
  }));
  const { written } = value(await write({ filter: { words: 'no match' }, payments, format: 'jsonl' }));
  expect(written).toBe(3);
  expect(linesOf('out.jsonl').map(line => (JSON.parse(line) as { orderNumber: string }).orderNumber)).toEqual(
    ['CF-2999', 'CF-12', 'CF-7'],
  );
});

test('the last exported file is shown in its folder; before the first export nothing is shown', async () => {
  const app = appOf('csv');
  expect(await app['payments.showExport']({})).toEqual(ok({ shown: false }));
  value(await write({ filter: {}, format: 'csv' }, app));
  expect(await app['payments.showExport']({})).toEqual(ok({ shown: true }));
  expect(shown).toEqual([join(folder, 'out.csv')]);
});
