import './without-window.ts';
import { translateToKeys } from '../../tools/app-harness/translate.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readAmountEntry } from '../../renderer/amount-reading.ts';
import { otherHost } from '../../renderer/screens/payment/link/link-card.tsx';
import { submitLabel } from '../../renderer/screens/new-payment/new-payment-screen.tsx';
import { useNewPayment } from '../../renderer/stores/new-payment/new-payment-store.ts';
import { formOf, missingFields } from '../../renderer/stores/settings/profile-form.ts';
import { profileDefaults, type ProfileView } from '../../shared/settings/profile.ts';
import { answerAsMain } from './answer-as-main.ts';

beforeEach(() => answerAsMain(() => ({ ok: true, value: { orderNumber: 'CF-1' } })));
afterEach(() => vi.unstubAllGlobals());

/** Protection against creating a real link by accident. */

const profile = (id: string, kind: ProfileView['kind']): ProfileView => ({
  ...profileDefaults,
  id,
  kind,
  name: id,
  baseUrl: 'https://pay.example',
  merchantKey: 'key',
  password: 'stored',
});
const t = translateToKeys;

beforeEach(async () => {
  useNewPayment.getState().reset();
  await useNewPayment.getState().open(profile('sandbox', 'sandbox'));
});

test('a form does not follow to another profile', async () => {
  const form = useNewPayment.getState();
  form.type('amount', '80');
  form.type('description', 'Deposit');
  form.type('orderNumber', 'B-7');
  form.type('customerName', 'Maria');
  await useNewPayment.getState().open(profile('shop', 'live'));
  expect(useNewPayment.getState()).toMatchObject({
    profileId: 'shop',
    amount: '',
    description: '',
    customerName: '',
    orderNumber: 'CF-1',
  });
  await useNewPayment.getState().open(profile('sandbox', 'sandbox'));
  expect(useNewPayment.getState()).toMatchObject({ amount: '80', customerName: 'Maria', orderNumber: 'B-7' });
});

test('the draft of a test account can be taken to a live one only by a decision, without its order number', async () => {
  const form = useNewPayment.getState();
  form.type('amount', '80');
  form.type('orderNumber', 'B-7');
  form.type('customerPhone', '+49 171 5550123');
  await useNewPayment.getState().open(profile('shop', 'live'));
  expect(useNewPayment.getState()).toMatchObject({ amount: '', left: { profileId: 'sandbox' } });
  useNewPayment.getState().takeLeft();
  expect(useNewPayment.getState()).toMatchObject({
    profileId: 'shop',
    amount: '80',
    customerPhone: '+49 171 5550123',
    orderNumber: 'CF-1',
    left: null,
  });
  // It is in one place only.
  await useNewPayment.getState().open(profile('sandbox', 'sandbox'));
  expect(useNewPayment.getState().amount).toBe('');
});

test('an empty form leaves no draft behind', async () => {
  await useNewPayment.getState().open(profile('shop', 'live'));
  await useNewPayment.getState().open(profile('sandbox', 'sandbox'));
  expect(useNewPayment.getState().left).toBeNull();
});

test('a draft stays while the same profile shows another screen', async () => {
  useNewPayment.getState().type('amount', '80');
  await useNewPayment.getState().open(profile('sandbox', 'sandbox'));
  expect(useNewPayment.getState().amount).toBe('80');
});

test('the button of a live profile contains the amount, that of others does not', () => {
  const label = (kind: ProfileView['kind'], amount: string) =>
    submitLabel(kind, readAmountEntry(amount, 'EUR', 'en-GB', 'en', 'own-digits'), 'EUR', 'en-GB', t);
  expect(label('live', '80')).toMatch(/^new\.submit\.live\.amount €80\.00$/);
  expect(label('live', '')).toBe('new.submit.live');
  expect(label('live', '0')).toBe('new.submit.live');
  expect(label('test', '80')).toBe('new.submit');
});

test('a link on another host than the gateway is reported with both hosts', () => {
  expect(otherHost('https://pay.example/x', 'https://pay.example/api')).toBeNull();
  expect(otherHost('https://xn--pypal-4ve.example/x', 'https://pay.example')).toEqual({
    host: 'xn--pypal-4ve.example',
    gateway: 'pay.example',
  });
  expect(otherHost('https://pay.example/x', '')).toBeNull();
});

test('a new profile has no return pages, and every empty field is listed in the order of the form', () => {
  expect(missingFields(formOf(null), true)).toEqual([
    'name',
    'baseUrl',
    'merchantKey',
    'password',
    'successUrl',
    'cancelUrl',
  ]);
  expect(missingFields(formOf(profile('shop', 'test')), false)).toEqual(['successUrl', 'cancelUrl']);
});
