import { expect, test } from 'vitest';
import { shopId as profileId, startShop } from '../../../tools/app-harness/prepared-shop.ts';
import { newPayment, press } from '../../../tools/app-harness/running-app.ts';
import { createGateway } from '../../../main/gateway/create-gateway.ts';
import type { Gateway } from '../../../main/gateway/gateway.ts';
import { fail } from '../../../shared/errors.ts';
import { lookUpKeyOf } from '../../../shared/look-ups/look-up-key.ts';
import { quoted } from '../../../shared/messages/message.ts';

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

test('an unpaid order is asked for by its payment id where the provider refuses order numbers, or is known not to answer them', async () => {
  const real = createGateway({ clock: Date.now });
  const asked: string[] = [];
  const gateway: Gateway = {
    ...real,
    lookUp: async (profile, password, key, signal) => {
      asked.push(key.by);
      if (key.by === 'payment-id') return real.lookUp(profile, password, key, signal);
      return { kind: 'failed', error: fail('gateway.refused', quoted('No such field')).error, answer: null };
    },
  };
  const { app, remove } = await startShop({ gateway });
  try {
    for (const [statusByOrder, expected] of [
      [true, ['order-number', 'payment-id']],
      [false, ['payment-id']],
    ] as const) {
      const profile = (await app.state()).profiles.find(({ id }) => id === profileId);
      if (!profile) throw new Error('no profile');
      await app.value('profiles.save', {
        id: profileId,
        profile: { ...profile, statusByOrder },
        password: null,
      });
      asked.length = 0;
      const { orderNumber } = (await app.value('payments.create', newPayment({ profileId }))).payment;
      const read = async () => (await app.read(orderNumber, profileId)).payment;
      await expect.poll(async () => (await read()).paymentIds).toHaveLength(1);
      await app.value('payments.lookUp', { profileId, key: lookUpKeyOf(await read()) });
      expect(asked).toEqual(expected);
      expect((await read()).checkedAt).not.toBeNull();
      const { events } = await app.read(orderNumber, profileId);
      expect(events.filter(({ kind }) => kind === 'status.observed')).toHaveLength(expected.length);
    }
  } finally {
    await remove();
  }
});
