import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSettings } from '../../../main/settings/settings-store.ts';
import { sendOperation } from '../../../tools/app-harness/send-operation.ts';
import { shopAccount, shopId, startShop, type Shop } from '../../../tools/app-harness/prepared-shop.ts';
import {
  newPayment,
  press,
  startTestApp,
  value,
  type TestApp,
} from '../../../tools/app-harness/running-app.ts';

const second = 'second';
let shop: Shop;
let app: TestApp;

beforeAll(async () => {
  shop = await startShop();
  // Only a file has two profiles of an account.
  await shop.app.close();
  const settings = openSettings(join(shop.app.folder, 'settings.json'), 'anna');
  settings.change(stored => {
    const copies = stored.profiles.filter(({ id }) => id === shopId);
    return {
      ...stored,
      profiles: [...stored.profiles, ...copies.map(one => ({ ...one, id: second, name: 'B' }))],
    };
  });
  await settings.close();
  app = await startTestApp(shop.app.folder);
  const { profiles, receiver } = await app.state();
  for (const profile of profiles.filter(({ id }) => id === second)) {
    const password = shopAccount.merchantPassword;
    await app.value('profiles.save', { id: second, profile, password, thisRunOnly: true });
  }
  shop.sandbox.setCallbackUrl(receiver.addresses.find(one => one.profileId === second)?.url ?? null);
});
afterAll(async () => {
  await app.close();
  await shop.remove();
});

const read = (profileId: string, orderNumber: string) =>
  app.request('payments.read', { profileId, orderNumber });

test('what arrives at another profile of the account is evidence of the payment that was requested, once', async () => {
  const form = newPayment({ profileId: shopId });
  const { payment } = await app.value('payments.create', form);
  const { orderNumber } = payment;
  await press(payment);
  const state = async () => value(await read(shopId, orderNumber)).payment.state;
  await expect.poll(state).toBe('paid-unconfirmed');
  for (const key of [
    { by: 'order-number' as const, value: orderNumber },
    { by: 'payment-id' as const, value: value(await read(shopId, orderNumber)).payment.paymentIds[0] ?? '' },
  ]) {
    const looked = await app.value('payments.lookUp', { profileId: second, key });
    expect(looked.file?.payment).toMatchObject({ profileId: shopId, state: 'paid-confirmed' });
  }
  const text = JSON.stringify({
    id: value(await read(shopId, orderNumber)).payment.paymentIds[0],
    order_number: orderNumber,
    order_amount: '10.00',
    order_currency: 'EUR',
    type: 'sale',
    status: 'success',
    hash: '0'.repeat(40),
  });
  await app.value('callbacks.store', { text, via: 'paste', profileId: second });
  expect(await read(second, orderNumber)).toMatchObject({ error: { code: 'payment.missing' } });
  const { rows } = await app.value('payments.list', { filter: {} });
  expect(rows.map(one => [one.profileId, one.orderNumber])).toEqual([[shopId, orderNumber]]);

  const paid = value(await read(shopId, orderNumber)).payment;
  value(await sendOperation(app, paid));
  expect(await sendOperation(app, { ...paid, profileId: second })).toMatchObject({
    error: { code: 'payment.missing' },
  });
  expect(shop.sandbox.operations()).toHaveLength(1);
});

test('the second profile of an account requests no links, and names the first', async () => {
  expect(await app.request('payments.create', newPayment({ profileId: second }))).toMatchObject({
    error: { message: { key: 'profile.account-continues', values: { name: 'Shop' } } },
  });
});
