import { expect, test } from 'vitest';
import { formulas, sign } from '../../../main/signatures/signature.ts';
import type { CredentialHealth } from '../../../shared/settings/credential-health.ts';
import { callback, lookUp, order, payer, invalid } from '../../../tools/evidence/evidence.ts';
import { moved } from '../../../tools/evidence/incomplete-payments.ts';
import { addShop, newPayment } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** The password that works, from the stored events. */

const othersPassword = 'the password of the other one';
const health = (id = 'sandbox'): Promise<CredentialHealth> => app.value('profiles.health', { id });
const hash = sign(
  formulas.callback,
  {
    id: payer,
    order_number: order.number,
    order_amount: order.amount,
    order_currency: order.currency,
    order_description: order.description,
  },
  othersPassword,
  { digest: 'md5', uppercasing: 'ascii' },
);
const asked = lookUp(60_000, 'settled');
const problem = { code: 'gateway.signature-refused', message: 'Hash is not valid' } as const;
const failed = { ...asked, body: { ...asked.body, answers: [], problem } };
const evidence = [
  ...moved([failed], 'sandbox', 'CF-1001'),
  ...moved([callback(0, 'sale', 'success', { hash }, invalid)], 'sandbox', 'CF-1001'),
];
const app = useApp({ evidence });

test('the last failed request contains its cause, and a profile without requests contains the extent of the scan', async () => {
  expect(await health()).toMatchObject({
    lastSuccess: null,
    lastFailure: { by: 'look-up', code: 'gateway.signature-refused' },
    lookedUpAt: null,
    verifiedAt: null,
    scanned: 2,
  });
  expect(await app.refusal('profiles.health', { id: 'gone' })).toBe('profile.missing');
});

test('a callback that did not verify is reported to match the password of another profile', async () => {
  expect((await health()).invalid).toMatchObject({ fits: null });
  const changes = { name: 'Other shop', baseUrl: 'https://pay.invalid' };
  const other = await addShop(app, changes, othersPassword);
  expect((await health()).invalid).toMatchObject({ fits: { name: 'Other shop', kind: 'test' } });
  expect(await health(other)).toMatchObject({
    lastSuccess: null,
    lastFailure: null,
    verifiedAt: null,
    invalid: null,
  });
  expect(JSON.stringify(await health())).not.toContain(othersPassword);
});

test('a request that works is the last successful one, and a connection check states what it proves', async () => {
  const before = Date.now();
  const created = await app.request('payments.create', newPayment({ orderNumber: 'GOOD-1' }));
  expect(created.ok).toBe(true);
  await expect.poll(async () => (await health()).verifiedAt).not.toBe(null);
  const { lastSuccess, verifiedAt } = await health();
  expect(lastSuccess).toMatchObject({ by: 'session' });
  expect(lastSuccess?.at).toBeGreaterThanOrEqual(before);
  expect(verifiedAt).toBeGreaterThanOrEqual(before);
  await app.value('profiles.check', { id: 'sandbox' });
  expect(await health()).toMatchObject({ lastSuccess: { by: 'look-up' }, checked: { outcome: 'good' } });

  await app.request('sandbox.faults', { faults: ['http-400'] });
  await app.request('payments.create', newPayment({ orderNumber: 'BAD-1' }));
  expect(await health()).toMatchObject({
    lastSuccess: { by: 'look-up' },
    lastFailure: { by: 'session', code: 'gateway.refused' },
  });
});
