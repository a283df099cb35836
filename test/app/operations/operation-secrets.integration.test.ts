import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startRecordingGateway, type RecordingGateway } from '../../../scripts/load/recording-gateway.ts';
import { openPaymentLog } from '../../../main/payment-log/list/open-payment-log.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { operationSettingsSchema, sessionExtrasSchema } from '../../../shared/settings/profile.ts';
import {
  openShop,
  prepareShop,
  shopAccount,
  shopId as profileId,
} from '../../../tools/app-harness/prepared-shop.ts';
import { newPayment, value } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';
import { sendOperation } from '../../../tools/app-harness/send-operation.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';

let gateway: RecordingGateway;
const app = useApp({
  prepare: async folder => {
    gateway = await startRecordingGateway(200);
    await prepareShop(folder, 'anna', {
      baseUrl: gateway.baseUrl,
      extras: sessionExtrasSchema.parse({ recurringInit: true }),
      operations: operationSettingsSchema.parse({ refund: true, recurring: true }),
    });
  },
});
afterAll(() => gateway.close());

/** Every file below a folder, as Latin-1, so that each byte is one character. */
const bytesBelow = (place: string): string =>
  readdirSync(place)
    .map(name => join(place, name))
    .map(path => (statSync(path).isDirectory() ? bytesBelow(path) : readFileSync(path, 'latin1')))
    .join('\n');

test('of a refund and a charge no hash is stored, and no hash, token or password is shown or logged', async () => {
  await openShop(app, gateway);
  const password = shopAccount.merchantPassword;
  const form = newPayment({ profileId });
  const { payment } = await app.value('payments.create', form);
  const { orderNumber } = payment;
  await gateway.pay(payment.link?.url ?? '');
  const read = async (order: string) => await app.read(order, profileId);
  await expect.poll(async () => (await read(orderNumber)).payment.state).toBe('paid-unconfirmed');
  const [paymentId = ''] = (await read(orderNumber)).payment.paymentIds;
  const charged = ['CHARGED-2', 'CHARGED-3'] as const;
  const target = { profileId, orderNumber, paymentIds: [paymentId] };
  const chargeTo = (order: string, amount: string) =>
    sendOperation(app, target, {
      operation: 'recurring',
      amount,
      reason: 'agreed-payment',
      charge: { orderNumber: order, description: 'Second night', consent: 'By letter' },
    });
  const answers: unknown[] = [
    value(await chargeTo(charged[0], '10.00')),
    value(await sendOperation(app, target, { amount: '23.40' })),
    // While the first one has no result, if it is fast enough: refused, with a reason that is shown.
    await chargeTo(charged[1], '11.00'),
  ];
  await expect
    .poll(async () => (await read(orderNumber)).payment.operations.map(({ state }) => state))
    .toContain('done');

  const sent = gateway.arrived.map(({ body }) => JSON.parse(body) as Record<string, string>);
  expect(sent.length).toBeGreaterThanOrEqual(2);
  const hashes = sent.map(({ hash = '' }) => hash);
  const [token = ''] = sent.flatMap(body => body['recurring_token'] ?? []);
  expect([token, ...hashes].filter(text => text.length < 20)).toEqual([]);

  answers.push(
    await read(orderNumber),
    await read(charged[0]),
    await app.value('operations.offer', { profileId, orderNumber }),
    await app.value('operations.series', { profileId, orderNumber }),
    app.notices,
    app.copied,
  );
  const shown = JSON.stringify(answers);
  const logged = await app.appLog();
  for (const secret of [token, password, ...hashes]) {
    expect(shown).not.toContain(secret);
    expect(logged).not.toContain(secret);
  }
  const events: Event[] = [...(await read(orderNumber)).events, ...(await read(charged[0])).events];
  const requests = events.flatMap(event =>
    event.kind === 'operation.requested' ? [JSON.parse(event.body.request) as Record<string, string>] : [],
  );
  expect(requests.length).toBeGreaterThanOrEqual(2);
  for (const secret of [token, ...hashes]) expect(JSON.stringify(requests)).not.toContain(secret);

  await app.close();
  const stored = bytesBelow(app.folder);
  expect(stored).toContain('Second night');
  for (const secret of [password, ...hashes]) expect(stored).not.toContain(secret);
  // The token came with a callback, which the log keeps; nothing else stores it a second time.
  const log = must(await openPaymentLog({ file: app.logFile, writer: 'auditor' }));
  const kinds: string[] = [];
  for (const order of [orderNumber, ...charged])
    for (const event of await log.events(profileId, order))
      if (JSON.stringify(event).includes(token)) kinds.push(event.kind);
  await log.close();
  expect(new Set(kinds)).toEqual(new Set(['callback.received']));
});
