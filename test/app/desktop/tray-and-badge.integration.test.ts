import { expect, test } from 'vitest';
import type { PaymentDetail } from '../../../shared/contract/contract.ts';
import { inState, newPayment } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** The tray's count and the notifications of the real application: evidence arrives over HTTP. */

const app = useApp();

const raise = (): Promise<PaymentDetail> => app.value('payments.create', newPayment());
const press = (file: PaymentDetail, scenario: string) =>
  fetch(file.payment.link?.url ?? '', { method: 'POST', body: new URLSearchParams({ scenario }) });
const notificationCount = () => app.outside.notifications.length;

test('a payment that became paid in the background causes one notification, including its confirmation', async () => {
  const file = await raise();
  await press(file, 'pay');
  await app.until(file.payment.orderNumber, inState('paid-confirmed'));
  await expect.poll(notificationCount).toBe(1);
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
  await expect.poll(() => app.outside.tray?.count).toBe(1);
  // Only now: the callback is sent some time after the payer's answer.
  await app.request('sandbox.faults', { faults: [] });
  expect(app.outside.tray).toMatchObject({
    icon: true,
    tooltip: 'Counterfoil: 1 payment to review',
    newPayment: 'New payment',
  });
  await app.request('settings.change', { tray: false, language: 'de' });
  await expect.poll(() => app.outside.tray?.icon).toBe(false);
  expect(app.outside.tray).toMatchObject({ count: 0, quit: 'Beenden' });
  await app.request('settings.change', { tray: true, language: 'en' });
});

test('the user’s own actions cause no notification: their unknown outcome caused none', () => {
  expect(notificationCount()).toBe(1);
});
