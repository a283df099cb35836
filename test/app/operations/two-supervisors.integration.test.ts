import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startSandbox } from '../../../main/sandbox/start-sandbox.ts';
import type { Sandbox } from '../../../main/sandbox/sandbox.ts';
import { joiningText } from '../../../main/team/joining-text.ts';
import type { RequestInput } from '../../../shared/contract/contract.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { prepareShop, shopAccount, shopId as profileId } from '../../../tools/app-harness/prepared-shop.ts';
import {
  newPayment,
  refundForm,
  startTestApp,
  value,
  type TestApp,
} from '../../../tools/app-harness/running-app.ts';
import { borrowCluster } from '../../../tools/postgres-harness/borrowed-cluster.ts';
import { isPostgresMissing, type Cluster } from '../../../tools/postgres-harness/cluster.ts';
import { startProxy, type Proxy } from '../../../tools/postgres-harness/proxy.ts';
import { createTeam, type Team } from '../../../tools/postgres-harness/shared-log.ts';

/** Time within which the consoles agree, milliseconds. */
const timeout = 20_000;
const rounds = 20;

describe.skipIf(isPostgresMissing)('two supervisors at two consoles of a team (needs PostgreSQL)', () => {
  let cluster: Cluster;
  let team: Team;
  let proxy: Proxy;
  let sandbox: Sandbox;
  let folder: string;
  let anna: TestApp;
  let ben: TestApp;

  const shopOf = async (app: TestApp) => {
    const { profiles, receiver, team: standing } = value(await app.request('app.read', {}));
    return { profile: profiles.find(({ id }) => id === profileId), receiver, standing };
  };
  const start = async (name: string, label: string, port: number): Promise<TestApp> => {
    const place = join(folder, name);
    mkdirSync(place);
    await prepareShop(place, name, { baseUrl: sandbox.baseUrl });
    const app = await startTestApp(place);
    const { profile } = await shopOf(app);
    if (!profile) throw new Error('The profile is missing.');
    const password = shopAccount.merchantPassword;
    value(await app.request('profiles.save', { id: profileId, profile, password, thisRunOnly: true }));
    const text = joiningText(await team.add('console', label, port));
    value(await app.request('team.join', { text }));
    const connected = { state: 'connected', waiting: 0, replica: { isLevel: true } };
    await vi.waitFor(async () => expect((await shopOf(app)).standing).toMatchObject(connected), { timeout });
    return app;
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'counterfoil-supervisors-'));
    cluster = await borrowCluster();
    team = await createTeam(cluster);
    proxy = await startProxy(cluster.host, cluster.port);
    sandbox = await startSandbox({ port: 0, ...shopAccount, callbackUrl: null, operationDelayMs: 3_000 });
    anna = await start('anna', 'Counter 1', cluster.port);
    ben = await start('ben', 'Counter 2', proxy.port);
    const { receiver } = await shopOf(anna);
    sandbox.setCallbackUrl(receiver.addresses.find(one => one.profileId === profileId)?.url ?? null);
  }, 90_000);
  afterAll(async () => {
    for (const app of [anna, ben]) await app?.remove();
    await sandbox?.close();
    await proxy?.close();
    await team?.close();
    await cluster?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const paidAt = (app: TestApp, orderNumber: string) =>
    expect
      .poll(
        async () => {
          const read = await app.request('payments.read', { profileId, orderNumber });
          return read.ok && read.value.payment.state;
        },
        { timeout },
      )
      .toBe('paid-unconfirmed');
  /** A payment that both consoles show as paid. */
  const pay = async (): Promise<Payment> => {
    const { payment } = value(await anna.request('payments.create', newPayment({ profileId })));
    await fetch(payment.link?.url ?? '', { method: 'POST', body: new URLSearchParams({ scenario: 'pay' }) });
    const { orderNumber } = payment;
    for (const app of [anna, ben]) await paidAt(app, orderNumber);
    return value(await anna.request('payments.read', { profileId, orderNumber })).payment;
  };
  const refund = (app: TestApp, payment: Payment, changes: Partial<RequestInput<'operations.send'>> = {}) =>
    app.request('operations.send', refundForm(payment, changes));
  const sent = ({ paymentIds }: Payment): number =>
    sandbox.operations().filter(one => one.paymentId === paymentIds[0]).length;

  test(
    'two supervisors who refund one payment at the same moment send at most one request, and the other one is named',
    { timeout: 180_000 },
    async () => {
      let once = 0;
      for (let round = 0; round < rounds; round += 1) {
        const payment = await pay();
        const both = await Promise.all([refund(anna, payment), refund(ben, payment)]);
        const accepted = both.filter(({ ok }) => ok).length;
        expect(sent(payment)).toBe(accepted);
        expect(accepted).toBeLessThanOrEqual(1);
        once += accepted;
        const refusals = both.map(one => !one.ok && { code: one.error.code, ...one.error.message });
        const named = (agent: string, installation: string) => ({
          code: 'operation.under-way',
          key: 'operation.under-way.elsewhere',
          values: { agent, installation },
        });
        expect([false, named('ben', 'Counter 2')]).toContainEqual(refusals[0]);
        expect([false, named('anna', 'Counter 1')]).toContainEqual(refusals[1]);
      }
      // Otherwise both would have been refused, which is safe, and useless.
      expect(once).toBeGreaterThan(rounds / 2);
    },
  );

  test('two supervisors each refund a part, one after the other, without waiting for more than the result', async () => {
    const payment = await pay();
    value(await refund(anna, payment, { amount: '23.40' }));
    expect(await refund(ben, payment, { amount: '100.00' })).toMatchObject({
      error: { code: 'operation.under-way' },
    });
    const states = async () =>
      value(
        await ben.request('payments.read', { profileId, orderNumber: payment.orderNumber }),
      ).payment.operations.map(({ state }) => state);
    await expect.poll(states, { timeout }).toContain('done');
    value(await refund(ben, payment, { amount: '100.00' }));
    expect(sent(payment)).toBe(2);
  });

  test('without the team’s server, a supervisor’s refund is refused, and sent only on insisting', async () => {
    const payment = await pay();
    proxy.set('hold');
    expect(await refund(ben, payment)).toMatchObject({
      error: { code: 'operation.under-way', message: { key: 'operation.team-away' } },
    });
    expect(sent(payment)).toBe(0);
    const { operations } = value(await refund(ben, payment, { insist: true })).payment;
    expect(operations.map(({ agent, state }) => [agent, state])).toEqual([
      ['ben', 'not-sent'],
      ['ben', 'accepted'],
    ]);
    expect(sent(payment)).toBe(1);
    proxy.set('forward');
    proxy.cut();
    // The other one shows both later.
    const shown = async () =>
      value(
        await anna.request('payments.read', { profileId, orderNumber: payment.orderNumber }),
      ).payment.operations.map(({ agent }) => agent);
    await expect.poll(shown, { timeout }).toEqual(['ben', 'ben']);
  });
});
