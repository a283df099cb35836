import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Sandbox } from '../../../main/sandbox/sandbox.ts';
import { startSandbox } from '../../../main/sandbox/start-sandbox.ts';
import type { PaymentDetail } from '../../../shared/contract/contract.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { prepareShop, shopAccount, shopId as profileId } from '../../../tools/app-harness/prepared-shop.ts';
import { newPayment, startTestApp, type TestApp } from '../../../tools/app-harness/running-app.ts';
let folder: string;
let aheadMs: number;
let app: TestApp;
let sandbox: Sandbox;
const clock = (): number => Date.now() + aheadMs;

const startApp = async (): Promise<void> => {
  app = await startTestApp(folder, { clock });
  const { profiles } = await app.value('app.read', {});
  const profile = profiles.find(({ id }) => id === profileId);
  if (profile?.password !== 'missing') return;
  const password = shopAccount.merchantPassword;
  await app.value('profiles.save', { id: profileId, profile, password, thisRunOnly: false });
};
beforeEach(async () => {
  folder = newFolder('watched');
  aheadMs = 0;
  sandbox = await startSandbox({ port: 0, ...shopAccount, callbackUrl: null, operationDelayMs: 300, clock });
  await prepareShop(folder, 'anna', { baseUrl: sandbox.baseUrl }, true);
  await startApp();
});
afterEach(async () => {
  await app.remove();
  await sandbox.close();
});

const create = async (): Promise<PaymentDetail> =>
  await app.value('payments.create', newPayment({ profileId }));
const read = async ({ payment: { orderNumber } }: PaymentDetail): Promise<PaymentDetail> =>
  await app.value('payments.read', { profileId, orderNumber });
const statesOf = async (one: PaymentDetail) => (await read(one)).payment.state;
const pay = (one: PaymentDetail) =>
  fetch(one.payment.link?.url ?? '', { method: 'POST', body: new URLSearchParams({ scenario: 'pay' }) });

test('without a receiver an open link is looked up until it is paid, and the window shows that', async () => {
  const created = await create();
  expect((await app.value('app.read', {})).watchedProfiles).toEqual([profileId]);
  expect((await read(created)).payment.checkedAt).toBeNull();
  aheadMs += 20_000;
  await expect.poll(async () => (await read(created)).payment.checkedAt).not.toBeNull();
  expect(await statesOf(created)).toBe('waiting');
  await pay(created);
  aheadMs += 21_000;
  await expect.poll(() => statesOf(created)).toBe('paid-confirmed');
  await app.value('settings.change', { lookUpAutomatically: false });
  expect((await app.value('app.read', {})).watchedProfiles).toEqual([]);
});
