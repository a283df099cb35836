import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openPaymentLog } from '../../../main/payment-log/list/open-payment-log.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { appendInTime } from '../../../tools/app-harness/append-in-time.ts';
import { startTestApp, type TestApp } from '../../../tools/app-harness/running-app.ts';
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
  const folder = newFolder('overview');
  const log = await openPaymentLog({ file: join(folder, 'payments.db'), writer: 'yesterday' });
  if (!log.ok) throw new Error(log.error.code);
  await appendInTime(log.value, payments.flat());
  await log.value.close();
  app = await startTestApp(folder, { clock: () => now });
};

/** What was paid: in total, by day, and the same of the days before. */
const paid = async (from: number, until: number) => {
  const asked = { profileId: 'sandbox', from, until, timeZone: 'UTC' };
  const { total, days, before } = await app.value('payments.movedMoney', asked);
  const of = (moved: { paidAmount: string }[]): string => moved[0]?.paidAmount ?? '0.00';
  return [of(total), days.map(of), of(before.total), before.days.map(of)];
};

const payments = [
  paidAt(midnight - day + 9 * hour, 'YESTERDAY-9', '10.00'),
  paidAt(midnight - day + 15 * hour, 'YESTERDAY-15', '500.00'),
  paidAt(midnight + 8 * hour, 'TODAY-8', '30.00'),
];

test('while a day lasts, it is compared with the day before up to the same time', async () => {
  await startAt(midnight + 10 * hour, payments);
  expect(await paid(midnight, midnight + day)).toEqual(['30.00', ['30.00'], '10.00', ['510.00']]);
});

test('a day that is over is compared with the whole day before', async () => {
  await startAt(midnight + 30 * hour, payments);
  expect(await paid(midnight, midnight + day)).toEqual(['30.00', ['30.00'], '510.00', ['510.00']]);
});

test('a period is compared with as many days before it', async () => {
  await startAt(midnight + 10 * hour, payments);
  const none = Array.from({ length: 5 }, () => '0.00');
  expect(await paid(midnight - 6 * day, midnight + day)).toEqual([
    '540.00',
    [...none, '510.00', '30.00'],
    '0.00',
    [...none, '0.00', '0.00'],
  ]);
});
