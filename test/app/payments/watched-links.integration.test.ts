import { expect, test } from 'vitest';
import { shopId as profileId, startShop } from '../../../tools/app-harness/prepared-shop.ts';
import { newPayment, press } from '../../../tools/app-harness/running-app.ts';

test('without a receiver an open link is looked up until it is paid, also after a declined attempt, and the window shows that', async () => {
  let aheadMs = 0;
  const { app, remove } = await startShop({ clock: () => Date.now() + aheadMs, isWatched: true });
  try {
    const { payment } = await app.value('payments.create', newPayment({ profileId }));
    const { orderNumber } = payment;
    const read = async () => (await app.read(orderNumber, profileId)).payment;
    expect((await app.state()).watchedProfiles).toEqual([profileId]);
    expect((await read()).checkedAt).toBeNull();
    aheadMs += 20_000;
    await expect.poll(async () => (await read()).checkedAt).not.toBeNull();
    expect((await read()).state).toBe('waiting');
    await press(payment, 'decline');
    aheadMs += 21_000;
    await expect.poll(async () => (await read()).state).toBe('declined');
    await press(payment);
    aheadMs += 60_000;
    await expect.poll(async () => (await read()).state).toBe('paid-confirmed');
    await app.value('settings.change', { lookUpAutomatically: false });
    expect((await app.state()).watchedProfiles).toEqual([]);
  } finally {
    await remove();
  }
});
