import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPaymentAddress } from '../../../shared/payments/payment-address.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

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

const app = useApp();

test('an address is sent to the window once; of several, the last one counts', async () => {
  expect(app.openAddress('counterfoil://payment/sandbox/CF-1')).toBe(true);
  expect(app.openAddress('counterfoil://payment/sandbox/CF-2')).toBe(true);
  expect(app.openAddress('counterfoil://elsewhere/sandbox/CF-3')).toBe(false);
  expect(await app.request('app.takePendingNavigation', {})).toEqual({
    ok: true,
    value: { target: { screen: 'payment', profileId: 'sandbox', orderNumber: 'CF-2' } },
  });
  expect(await app.request('app.takePendingNavigation', {})).toEqual({ ok: true, value: { target: null } });
});

test('while Counterfoil is locked, an address waits until it is unlocked', async () => {
  const read = await app.request('app.read', {});
  const id = read.ok ? read.value.agentId : '';
  await app.request('agents.save', { id, name: 'anna', pin: '4711' });
  await app.request('agents.signOut', {});
  app.openAddress('counterfoil://payment/sandbox/CF-9');
  expect(await app.request('app.takePendingNavigation', {})).toMatchObject({
    ok: false,
    error: { code: 'app.locked' },
  });
  await app.request('agents.signIn', { id, pin: '4711' });
  expect(await app.request('app.takePendingNavigation', {})).toMatchObject({
    ok: true,
    value: { target: { orderNumber: 'CF-9' } },
  });
});
