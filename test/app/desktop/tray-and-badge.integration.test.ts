import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import type { PaymentDetail } from '../../../shared/contract/contract.ts';
import { inState, newPayment, press } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';
import { readPaymentAddress } from '../../../shared/payments/payment-address.ts';

/** The tray's count and the notifications of the real application: evidence arrives over HTTP. */

const app = useApp();

const raise = (): Promise<PaymentDetail> => app.value('payments.create', newPayment());
const notificationCount = () => app.outside.notifications.length;

test('a payment that became paid in the background causes one notification, including its confirmation', async () => {
  const file = await raise();
  await press(file.payment);
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
  await press((await raise()).payment, 'decline');
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

describe('addresses of payments', () => {
  test.each([
    'counterfoil://payment/sandbox',
    'counterfoil://payment/sandbox/',
    'counterfoil://payment/sandbox/CF-1/refund',
    'counterfoil://payment/sandbox/CF-1?look-up=now',
    'counterfoil://payment/sandbox/CF-1#pay',
    'counterfoil://anna@payment/sandbox/CF-1',
    'counterfoil://payment:80/sandbox/CF-1',
    'counterfoil://settings/sandbox/CF-1',
    'counterfoil:payment/sandbox/CF-1',
    'COUNTERFOIL://payment/../CF-1',
    'https://payment/sandbox/CF-1',
    'counterfoil://payment/Sand%20box/CF-1',
    'counterfoil://payment/sandbox/%00',
    'counterfoil://payment/sandbox/%E0%A4%A',
    'counterfoil://payment/sandbox/%20',
    `counterfoil://payment/sandbox/${'x'.repeat(256)}`,
    ' counterfoil://payment/sandbox/CF-1',
    'counterfoil://payment/sandbox/CF-1 --flag',
  ])('%s is not an address of a payment', text => {
    expect(readPaymentAddress(text)).toBeNull();
  });

  test('any text from outside is read without an error', () => {
    fc.assert(fc.property(fc.string(), text => void readPaymentAddress(`counterfoil://payment/${text}`)));
  });

  test('an address is sent to the window once; of several, the last one counts', async () => {
    expect(app.openAddress('counterfoil://payment/sandbox/CF-1')).toBe(true);
    expect(app.openAddress('counterfoil://payment/sandbox/CF-2')).toBe(true);
    expect(app.openAddress('counterfoil://elsewhere/sandbox/CF-3')).toBe(false);
    expect(await app.value('app.takePendingNavigation', {})).toEqual({
      target: { screen: 'payment', profileId: 'sandbox', orderNumber: 'CF-2' },
    });
    expect(await app.value('app.takePendingNavigation', {})).toEqual({ target: null });
  });

  test('while Counterfoil is locked, an address waits until it is unlocked', async () => {
    const read = await app.request('app.read', {});
    const id = read.ok ? read.value.agentId : '';
    await app.request('agents.save', { id, name: 'anna', pin: '4711' });
    await app.request('agents.signOut', {});
    app.openAddress('counterfoil://payment/sandbox/CF-9');
    expect(await app.refusal('app.takePendingNavigation', {})).toBe('app.locked');
    await app.request('agents.signIn', { id, pin: '4711' });
    expect(await app.value('app.takePendingNavigation', {})).toMatchObject({
      target: { orderNumber: 'CF-9' },
    });
  });
});
