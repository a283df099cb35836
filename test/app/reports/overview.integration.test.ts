import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openPaymentLog } from '../../../main/payment-log/list/open-payment-log.ts';
import { appendInTime } from '../../../tools/app-harness/append-in-time.ts';
import { startTestApp, value, type TestApp } from '../../../tools/app-harness/running-app.ts';
import { accepted, callback, hour, requested, start } from '../../../tools/evidence/evidence.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';

/** What the overview compares a period with. */

let app: TestApp;
afterEach(() => app.remove());

const day = 24 * hour;
const midnight = Math.floor(start / day) * day;

/** A paid link of the sandbox, created at an instant. */
const paidAt = (at: number, orderNumber: string, amount: string): EventDraft[] => {
  const mine = { profileId: 'sandbox', orderNumber };
  const id = `p-${orderNumber}`;
  return [
    requested(at - start, { amount }, mine),
    accepted(at - start + 1_000, {}, mine),
    callback(
      at - start + 60_000,
      'sale',
      'success',
      { id, order_number: orderNumber, order_amount: amount },
      undefined,
      { ...mine, paymentId: id },
    ),
  ];
};

const startAt = async (now: number, payments: readonly EventDraft[][]): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-overview-'));
  const log = await openPaymentLog({ file: join(folder, 'payments.db'), writer: 'yesterday' });
  if (!log.ok) throw new Error(log.error.code);
  await appendInTime(log.value, payments.flat());
  await log.value.close();
  app = await startTestApp(folder, { clock: () => now });
};

const overview = async (from: number, until: number) =>
  value(await app.request('payments.overview', { profileId: 'sandbox', from, until, timeZone: 'UTC' }));

const payments = [
  paidAt(midnight - day + 9 * hour, 'YESTERDAY-9', '10.00'),
  paidAt(midnight - day + 15 * hour, 'YESTERDAY-15', '500.00'),
  paidAt(midnight + 8 * hour, 'TODAY-8', '30.00'),
];

test('while a day lasts, it is compared with the day before up to the same time', async () => {
  await startAt(midnight + 10 * hour, payments);
  const { currencies } = await overview(midnight, midnight + day);
  expect(currencies).toMatchObject([
    { figures: { paidAmount: '30.00' }, before: { days: ['510.00'], paidAmount: '10.00' } },
  ]);
});

test('a day that is over is compared with the whole day before', async () => {
  await startAt(midnight + 30 * hour, payments);
  const { currencies } = await overview(midnight, midnight + day);
  expect(currencies).toMatchObject([{ before: { days: ['510.00'], paidAmount: '510.00' } }]);
});

test('a period is compared with as many days before it', async () => {
  await startAt(midnight + 10 * hour, payments);
  const { currencies } = await overview(midnight - 6 * day, midnight + day);
  expect(currencies).toMatchObject([
    {
      figures: { paidAmount: '540.00' },
      days: Array.from({ length: 7 }, () => ({})),
      before: { days: Array.from({ length: 7 }, () => '0.00'), paidAmount: '0.00' },
    },
  ]);
});
