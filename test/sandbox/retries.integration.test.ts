import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { sign, formulas } from '../../main/signatures/signature.ts';
import { startSandbox } from '../../main/sandbox/start-sandbox.ts';
import type { SandboxDelivery } from '../../main/sandbox/sandbox.ts';
import { openShop } from './shop.ts';

/** Delivery by the sandbox (§6.2): repeated until 200, three more times at most. */

const deliveriesWhen = async (answers: readonly number[], wanted: number): Promise<SandboxDelivery[]> => {
  let asked = 0;
  const shop = createServer((request, response) => {
    request.resume();
    response.statusCode = answers[Math.min(asked, answers.length - 1)] ?? 200;
    asked += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(shop, 'listening');
  const seen: SandboxDelivery[] = [];
  let enough: () => void = () => undefined;
  const done = new Promise<void>(resolve => (enough = resolve));
  const sandbox = await startSandbox({
    port: 0,
    merchantKey: 'key',
    merchantPassword: 'password',
    callbackUrl: `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`,
    retryIntervals: [1, 2, 3],
    onDelivery: delivery => {
      seen.push(delivery);
      if (seen.length === wanted) enough();
    },
  });
  const order = { number: 'A-1', amount: '10.00', currency: 'EUR', description: 'Lamp' };
  const answer = await fetch(`${sandbox.baseUrl}/api/v1/sessions/`, {
    method: 'POST',
    body: JSON.stringify({
      merchant_key: 'key',
      operation: 'purchase',
      methods: ['card'],
      order,
      cancel_url: 'https://shop.example/',
      success_url: 'https://shop.example/',
      hash: sign(formulas.session, order, 'password', { digest: 'md5', uppercasing: 'unicode' }),
    }),
  });
  expect(answer.status).toBe(200);
  await done;
  await sandbox.close();
  shop.close();
  return seen;
};

test('a callback that is not confirmed with 200 is sent three more times at most', async () => {
  const deliveries = await deliveriesWhen([500], 4);
  expect(deliveries.map(({ attempt, outcome }) => `${attempt} ${outcome}`)).toEqual([
    '1 will-retry',
    '2 will-retry',
    '3 will-retry',
    '4 given-up',
  ]);
});

test('a further attempt goes to the address that replaced the old one', async () => {
  const { sandbox, receiverUrl, raise, received, answerWith, deliveries } = await openShop();
  answerWith(() => {
    sandbox.setCallbackUrl(`${receiverUrl}/replaced`);
    return received.items.length === 0 ? 500 : 200;
  });
  await raise();
  await deliveries.atLeast(2);
  expect(received.items.map(({ path }) => path)).toEqual(['/callbacks', '/callbacks/replaced']);
});

test('a callback that is confirmed is not sent again', async () => {
  const deliveries = await deliveriesWhen([503, 200], 2);
  expect(deliveries.map(({ httpStatus, outcome }) => `${httpStatus} ${outcome}`)).toEqual([
    '503 will-retry',
    '200 confirmed',
  ]);
});
