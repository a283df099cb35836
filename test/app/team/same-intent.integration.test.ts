import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Sandbox } from '../../../main/sandbox/sandbox.ts';
import { startSandbox } from '../../../main/sandbox/start-sandbox.ts';
import { joiningText } from '../../../main/team/joining-text.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import {
  openShop,
  prepareShop,
  shopAccount,
  shopId as profileId,
} from '../../../tools/app-harness/prepared-shop.ts';
import { newPayment, startTestApp, value, type TestApp } from '../../../tools/app-harness/running-app.ts';
import { borrowCluster } from '../../../tools/postgres-harness/borrowed-cluster.ts';
import { isPostgresMissing, type Cluster } from '../../../tools/postgres-harness/cluster.ts';
import { startProxy, type Proxy } from '../../../tools/postgres-harness/proxy.ts';
import { createTeam, type Team } from '../../../tools/postgres-harness/shared-log.ts';

/** Time within which the consoles agree, milliseconds. */
const timeout = 20_000;
const rounds = 5;

describe.skipIf(isPostgresMissing)('two consoles and one customer (needs PostgreSQL)', () => {
  let cluster: Cluster;
  let team: Team;
  let proxy: Proxy;
  let sandbox: Sandbox;
  let folder: string;
  let anna: TestApp;
  let ben: TestApp;

  const start = async (name: string, label: string, port: number): Promise<TestApp> => {
    const place = join(folder, name);
    mkdirSync(place);
    await prepareShop(place, name, { baseUrl: sandbox.baseUrl });
    const app = await startTestApp(place);
    await openShop(app);
    await app.value('team.join', { text: joiningText(await team.add('console', label, port)) });
    const connected = { state: 'connected', waiting: 0, others: { isLevel: true } };
    await vi.waitFor(async () => expect((await app.state()).team).toMatchObject(connected), {
      timeout,
    });
    return app;
  };

  beforeAll(async () => {
    folder = newFolder('intent');
    cluster = await borrowCluster();
    team = await createTeam(cluster);
    proxy = await startProxy(cluster.host, cluster.port);
    sandbox = await startSandbox({ port: 0, ...shopAccount, callbackUrl: null });
    anna = await start('anna', 'Counter 1', cluster.port);
    ben = await start('ben', 'Counter 2', proxy.port);
    // Each has to know the other one by its name.
    for (const app of [anna, ben]) await app.value('payments.create', newPayment({ profileId }));
    const labels = async (app: TestApp): Promise<string[] | undefined> =>
      (await app.state()).team?.installations.map(one => one.label);
    for (const app of [anna, ben])
      await vi.waitFor(async () => expect(await labels(app)).toEqual(['Counter 1', 'Counter 2']), {
        timeout,
      });
  }, 90_000);
  afterAll(async () => {
    for (const app of [anna, ben]) await app?.remove();
    await sandbox?.close();
    await proxy?.close();
    await team?.close();
    await cluster?.remove();
  });

  const create = (app: TestApp, customer: { name?: string; email?: string }, allowSameIntent = false) =>
    app.request('payments.create', newPayment({ profileId, customer, allowSameIntent }));

  test(
    'two consoles that send a link for one customer and amount at the same moment send exactly one, and the other one asks',
    { timeout: 120_000 },
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        const customer = { name: `Ada King the ${round}th`, email: `ada${round}@example.com` };
        const both = await Promise.all([create(anna, customer), create(ben, customer)]);
        expect(both.filter(({ ok }) => ok)).toHaveLength(1);
        const refused = both.find(one => !one.ok);
        expect(refused).toMatchObject({
          error: { code: 'payment.same-intent', details: { customer: customer.name } },
        });
        const installation = both[0]?.ok ? 'Counter 1' : 'Counter 2';
        expect(refused).toMatchObject({ error: { details: { installation } } });
      }
    },
  );

  test('a console that was asked may create another link', async () => {
    const customer = { email: 'max@example.com' };
    value(await create(anna, customer));
    expect(await create(ben, customer)).toMatchObject({ error: { code: 'payment.same-intent' } });
    value(await create(ben, customer, true));
  });

  test('a team’s server that cannot be reached blocks no link', async () => {
    proxy.set('hold');
    const customer = { email: 'eve@example.com' };
    value(await create(anna, customer));
    value(await create(ben, customer));
    proxy.set('forward');
  });
});
