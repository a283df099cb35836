import { afterAll, beforeAll, expect, test } from 'vitest';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import type { PaymentDetail } from '../../../shared/contract/contract.ts';
import { inState, newPayment, startTestApp, type TestApp } from '../../../tools/app-harness/running-app.ts';

/** The tray's count and the notifications of the real application: evidence arrives over HTTP. */

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.remove());

const raise = async (): Promise<PaymentDetail> => {
  const created = await app.request('payments.create', newPayment());
  if (!created.ok) throw new Error(inEnglish(created.error.message));
  return created.value;
};
const press = (file: PaymentDetail, scenario: string) =>
  fetch(file.payment.link?.url ?? '', { method: 'POST', body: new URLSearchParams({ scenario }) });
const notificationCount = () => app.outside.notifications.length;

test('a payment that became paid in the background causes one notification, including its confirmation', async () => {
  const file = await raise();
  await press(file, 'pay');
  await app.until(file.payment.orderNumber, inState('paid-confirmed'));
  await expect.poll(notificationCount, { timeout: 10_000 }).toBe(1);
  expect(app.outside.notifications[0]).toMatchObject({
    title: 'Sandbox, no real money: Paid',
    body: `€123.40 · ${file.payment.orderNumber}`,
  });
});

test('the tray counts the payments of the active profile to review, until it is switched off', async () => {
  await expect.poll(() => app.outside.tray?.count).toBe(0);
  await app.request('sandbox.faults', { faults: ['drop'] });
  await app.request('payments.create', newPayment());
  // The outcome may still arrive; a callback that does not verify needs review at once.
  await app.request('sandbox.faults', { faults: ['callback-wrong-signature'] });
  await press(await raise(), 'decline');
  await expect.poll(() => app.outside.tray?.count, { timeout: 5_000 }).toBe(1);
  // Only now: the callback is sent some time after the payer's answer.
  await app.request('sandbox.faults', { faults: [] });
  expect(app.outside.tray).toMatchObject({
    icon: true,
    tooltip: 'Counterfoil: 1 payment to review',
    newPayment: 'New payment',
  });
  await app.request('settings.change', { tray: false, language: 'de' });
  await expect.poll(() => app.outside.tray?.icon, { timeout: 5_000 }).toBe(false);
  expect(app.outside.tray).toMatchObject({ count: 0, quit: 'Beenden' });
  await app.request('settings.change', { tray: true, language: 'en' });
});

test('the user’s own actions cause no notification: their unknown outcome caused none', () => {
  expect(notificationCount()).toBe(1);
});
