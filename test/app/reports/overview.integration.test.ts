import { expect, test } from 'vitest';
import { useApp } from '../../../tools/app-harness/use-app.ts';
import { accepted, callback, hour, requested, start } from '../../../tools/evidence/evidence.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';

/** What the overview compares a period with. */

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

let now = 0;
const app = useApp({
  clock: () => now,
  isInTime: true,
  evidence: [
    ...paidAt(midnight - day + 9 * hour, 'YESTERDAY-9', '10.00'),
    ...paidAt(midnight - day + 15 * hour, 'YESTERDAY-15', '500.00'),
    ...paidAt(midnight + 8 * hour, 'TODAY-8', '30.00'),
  ],
});

/** What was paid: in total, by day, and the same of the days before. */
const paid = async (from: number, until: number) => {
  const asked = { profileId: 'sandbox', from, until, timeZone: 'UTC' };
  const { total, days, before } = await app.value('payments.movedMoney', asked);
  const of = (moved: { paidAmount: string }[]): string => moved[0]?.paidAmount ?? '0.00';
  return [of(total), days.map(of), of(before.total), before.days.map(of)];
};

test('while a day lasts, it is compared with the day before up to the same time', async () => {
  now = midnight + 10 * hour;
  expect(await paid(midnight, midnight + day)).toEqual(['30.00', ['30.00'], '10.00', ['510.00']]);
});

test('a day that is over is compared with the whole day before', async () => {
  now = midnight + 30 * hour;
  expect(await paid(midnight, midnight + day)).toEqual(['30.00', ['30.00'], '510.00', ['510.00']]);
});

test('a period is compared with as many days before it', async () => {
  now = midnight + 10 * hour;
  const none = Array.from({ length: 5 }, () => '0.00');
  expect(await paid(midnight - 6 * day, midnight + day)).toEqual([
    '540.00',
    [...none, '510.00', '30.00'],
    '0.00',
    [...none, '0.00', '0.00'],
  ]);
});
