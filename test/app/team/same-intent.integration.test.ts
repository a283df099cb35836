import { beforeAll, describe, expect, test, vi } from 'vitest';
import { startSandbox } from '../../../main/sandbox/start-sandbox.ts';
import { shopAccount, shopId as profileId } from '../../../tools/app-harness/prepared-shop.ts';
import { newPayment, value, type TestApp } from '../../../tools/app-harness/running-app.ts';
import { isPostgresMissing } from '../../../tools/postgres-harness/cluster.ts';
import { agreeWithinMs, startShopOfTeam } from '../../../tools/postgres-harness/join-team.ts';
import type { Proxy } from '../../../tools/postgres-harness/proxy.ts';
import { useTeam } from '../../../tools/postgres-harness/use-team.ts';

const rounds = 5;

describe.skipIf(isPostgresMissing)('two consoles and one customer (needs PostgreSQL)', () => {
  const { team, closing, proxied } = useTeam('file');
  let proxy: Proxy;
  let anna: TestApp;
  let ben: TestApp;

  beforeAll(async () => {
    proxy = await proxied();
    const sandbox = await startSandbox({ port: 0, ...shopAccount, callbackUrl: null });
    closing.push(() => sandbox.close());
    const start = async (agent: string, label: string, port?: number): Promise<TestApp> => {
      const settings = await team.add('console', label, port);
      const app = await startShopOfTeam(agent, settings, { baseUrl: sandbox.baseUrl });
      closing.push(() => app.remove());
      return app;
    };
    anna = await start('anna', 'Counter 1');
    ben = await start('ben', 'Counter 2', proxy.port);
    // Each has to know the other one by its name.
    for (const app of [anna, ben]) await app.value('payments.create', newPayment({ profileId }));
    const labels = async (app: TestApp): Promise<string[] | undefined> =>
      (await app.state()).team?.installations.map(one => one.label);
    for (const app of [anna, ben])
      await vi.waitFor(async () => expect(await labels(app)).toEqual(['Counter 1', 'Counter 2']), {
        timeout: agreeWithinMs,
      });
  }, 90_000);

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
