import { expect, test } from 'vitest';
import { newPayment, value } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** Links of one order, by the real app with the built-in sandbox. */

const app = useApp();

const profileId = 'sandbox';
const raise = async (changes: Parameters<typeof newPayment>[0] = {}) =>
  (await app.value('payments.create', newPayment(changes))).payment;
const withdraw = (orderNumber: string, idempotencyKey: string, text = '') =>
  app.request('payments.withdrawLink', {
    profileId,
    orderNumber,
    idempotencyKey,
    reason: 'wrong-amount',
    text,
  });

test('a withdrawn link is not shared, can still be paid, and then needs review', async () => {
  const { orderNumber, link, links } = await raise();
  const key = links[0]?.idempotencyKey ?? '';
  const { payment, events } = value(await withdraw(orderNumber, key, 'typing error'));
  expect(payment.linkUsable).toBe(false);
  expect(events.at(-1)).toMatchObject({
    kind: 'link.withdrawn',
    agent: 'anna',
    body: { reason: 'wrong-amount', text: 'typing error' },
  });
  for (const channel of ['copy', 'email', 'qr'] as const)
    expect(await app.refusal('payments.shareLink', { profileId, orderNumber, channel })).toBe(
      'payment.link-unusable',
    );
  await fetch(link?.url ?? '', { method: 'POST', body: new URLSearchParams({ scenario: 'pay' }) });
  const paid = await app.until(orderNumber, ({ state }) => state === 'paid-confirmed');
  expect(paid.payment.flags.map(({ kind }) => kind)).toContain('paid-after-withdrawal');
  const { rows } = await app.value('payments.reconcile', { profileId });
  const row = rows.find(one => one.orderNumber === orderNumber);
  expect(row?.findings[0]).toMatchObject({ cause: 'paid-after-withdrawal', action: 'hand-to-finance' });
});

test('the second link of an order leaves the first one open until it is withdrawn', async () => {
  const { orderNumber, links } = await raise();
  const second = await raise({ orderNumber, allowDuplicate: true });
  expect(second.links.map(({ withdrawn }) => withdrawn)).toEqual([null, null]);
  const { payment } = value(await withdraw(orderNumber, links[0]?.idempotencyKey ?? ''));
  expect(payment.linkUsable).toBe(true);
  expect(payment.link?.url).toBe(second.link?.url);
});

test('a link is withdrawn once, only while it is open, and never with a card number', async () => {
  const { orderNumber, links } = await raise();
  const key = links[0]?.idempotencyKey ?? '';
  expect(await withdraw(orderNumber, key, '4111 1111 1111 1111')).toMatchObject({
    ok: false,
    error: { code: 'input.card-number' },
  });
  expect(await withdraw(orderNumber, crypto.randomUUID())).toMatchObject({
    error: { code: 'payment.link-unusable' },
  });
  value(await withdraw(orderNumber, key));
  expect(await withdraw(orderNumber, key)).toMatchObject({ error: { code: 'payment.link-unusable' } });
});
