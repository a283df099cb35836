import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { startSandbox } from '../../../main/sandbox/start-sandbox.ts';
import type { Sandbox } from '../../../main/sandbox/sandbox.ts';
import { listFileOf } from '../../../main/payment-log/sqlite/list/list-file.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { operationSettingsSchema } from '../../../shared/settings/profile.ts';
import { openShop, shopAccount, shopId as profileId } from '../../../tools/app-harness/prepared-shop.ts';
import { newPayment, press, value, type TestApp } from '../../../tools/app-harness/running-app.ts';
import { sendOperation, type OperationChanges } from '../../../tools/app-harness/send-operation.ts';
import { isPostgresMissing } from '../../../tools/postgres-harness/cluster.ts';
import { startHostileAccount } from '../../../tools/postgres-harness/hostile-account.ts';
import { isLevel, startShopOfTeam } from '../../../tools/postgres-harness/join-team.ts';
import type { Proxy } from '../../../tools/postgres-harness/proxy.ts';
import { openInstallation } from '../../../tools/postgres-harness/team-log.ts';
import { useTeam } from '../../../tools/postgres-harness/use-team.ts';

const rounds = 6;

describe.skipIf(isPostgresMissing)('two supervisors at two consoles of a team (needs PostgreSQL)', () => {
  const { team, closing, proxied } = useTeam('file');
  const proxies: Proxy[] = [];
  let sandbox: Sandbox;
  let anna: TestApp;
  let ben: TestApp;

  const start = async (agent: string, label: string): Promise<TestApp> => {
    const proxy = await proxied();
    proxies.push(proxy);
    const limits = { perDay: 'USD 150.00, CHF 150.00' };
    const operations = operationSettingsSchema.parse({ refund: true, limits });
    const profile = { baseUrl: sandbox.baseUrl, operations };
    const app = await startShopOfTeam(agent, await team.add('console', label, proxy.port), profile);
    closing.push(() => app.remove());
    return app;
  };

  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, ...shopAccount, callbackUrl: null, operationDelayMs: 3_000 });
    closing.push(() => sandbox.close());
    anna = await start('anna', 'Counter 1');
    ben = await start('ben', 'Counter 2');
    await openShop(anna, sandbox);
  }, 90_000);

  const paidAt = (app: TestApp, orderNumber: string) =>
    expect
      .poll(async () => {
        const read = await app.request('payments.read', { profileId, orderNumber });
        return read.ok && read.value.payment.state;
      })
      .toBe('paid-unconfirmed');
  /** A payment that both consoles show as paid. */
  const pay = async (currency = 'EUR'): Promise<Payment> => {
    const { payment } = await anna.value('payments.create', newPayment({ profileId, currency }));
    await press(payment);
    const { orderNumber } = payment;
    for (const app of [anna, ben]) await paidAt(app, orderNumber);
    return (await anna.read(orderNumber, profileId)).payment;
  };
  const refund = (app: TestApp, payment: Payment, changes: OperationChanges = {}) =>
    sendOperation(app, payment, changes);
  const operationsAt = async (app: TestApp, { orderNumber }: Payment) =>
    (await app.read(orderNumber, profileId)).payment.operations;
  const sent = ({ paymentIds }: Payment): number =>
    sandbox.operations().filter(one => one.paymentId === paymentIds[0]).length;

  test(
    'two supervisors who refund one payment at the same moment send at most one request, and the other one is named',
    { timeout: 180_000 },
    async () => {
      let once = 0;
      let named = 0;
      for (let round = 0; round < rounds; round += 1) {
        const payment = await pay();
        const both = await Promise.all([refund(anna, payment), refund(ben, payment)]);
        const accepted = both.filter(({ ok }) => ok).length;
        expect(sent(payment)).toBe(accepted);
        expect(accepted).toBeLessThanOrEqual(1);
        once += accepted;
        for (const [at, one] of both.entries()) {
          if (one.ok) continue;
          // A slow one may have the other's evidence already.
          expect(['operation.under-way', 'operation.refused']).toContain(one.error.code);
          const { key, values } = one.error.message;
          if (key !== 'operation.under-way.elsewhere') continue;
          expect(values).toEqual(
            [
              { agent: 'ben', installation: 'Counter 2' },
              { agent: 'anna', installation: 'Counter 1' },
            ][at],
          );
          named += 1;
        }
      }
      expect(named).toBeGreaterThan(0);
      // Otherwise both would have been refused, which is safe, and useless.
      expect(once).toBeGreaterThan(0);
    },
  );

  test('two supervisors who both insist about one open refund send one more request at most', async () => {
    const payment = await pay();
    sandbox.setFaults(['callback-none']);
    value(await refund(anna, payment, { amount: '23.40' }));
    for (const app of [anna, ben])
      await expect.poll(() => operationsAt(app, payment)).toMatchObject([{ state: 'accepted' }]);
    const insist = (app: TestApp) => refund(app, payment, { amount: '50.00', insist: true });
    const both = await Promise.all([insist(anna), insist(ben)]);
    sandbox.setFaults([]);
    expect(both.filter(({ ok }) => ok).length).toBeLessThanOrEqual(1);
    expect(sent(payment)).toBe(1 + both.filter(({ ok }) => ok).length);
  });

  test(
    'a third account that reports each refund as not sent, and writes events of no form, makes no second request',
    { timeout: 180_000 },
    async () => {
      const forger = await openInstallation(team, 'forger', {
        onChange: (_payments, events) => {
          for (const event of events)
            if (event.kind === 'operation.requested')
              void forger.log.append([
                {
                  ...event,
                  id: crypto.randomUUID(),
                  dedupeKey: null,
                  kind: 'operation.refused',
                  body: {
                    intent: event.body.intent,
                    sent: false,
                    code: 'internal',
                    message: '',
                    answer: null,
                  },
                },
              ]);
        },
      });
      const hostile = startHostileAccount(await team.add('console', 'Stolen'));
      try {
        for (let round = 0; round < 4; round += 1) {
          const payment = await pay();
          const part = (app: TestApp) => refund(app, payment, { amount: '20.00' });
          const both = await Promise.all([part(anna), part(ben)]);
          expect(sent(payment)).toBe(1);
          expect(both.filter(({ ok }) => ok)).toHaveLength(1);
        }
        expect(hostile.attacks()).toBeGreaterThan(0);
      } finally {
        await hostile.close();
        await forger.remove();
      }
    },
  );

  test('the limit of a day is that of the person at all consoles, also at the same moment', async () => {
    const payments = [await pay('USD'), await pay('USD')] as const;
    const both = await Promise.all([refund(anna, payments[0]), refund(ben, payments[1])]);
    const accepted = both.filter(({ ok }) => ok).length;
    expect(accepted).toBeLessThanOrEqual(1);
    for (const one of both) if (!one.ok) expect(one.error.code).toBe('operation.limit');
    expect(sent(payments[0]) + sent(payments[1])).toBe(accepted);
    if (accepted === 0) value(await refund(anna, payments[0]));
    for (const app of [anna, ben])
      expect(await refund(app, payments[both[1].ok ? 0 : 1], { amount: '26.61' })).toMatchObject({
        error: { code: 'operation.limit' },
      });
  });

  test('the limit of a day holds while the list of the console is busy', async () => {
    const [one, other] = [await pay('CHF'), await pay('CHF')];
    const list = new Database(listFileOf(ben.logFile));
    list.exec('BEGIN IMMEDIATE');
    try {
      value(await refund(ben, one));
      expect(await refund(ben, other)).toMatchObject({ error: { code: 'operation.limit' } });
    } finally {
      list.close();
    }
    expect(sent(one) + sent(other)).toBe(1);
  });

  test('without the team’s server nothing is sent, also if both supervisors insist', async () => {
    const payment = await pay();
    for (const proxy of proxies) proxy.set('hold');
    const away = { error: { code: 'operation.team-away' } };
    for (const insist of [false, true]) {
      const both = await Promise.all([anna, ben].map(app => refund(app, payment, { insist })));
      expect(both).toMatchObject([away, away]);
    }
    expect(sent(payment)).toBe(0);
    for (const proxy of proxies) {
      proxy.set('forward');
      proxy.cut();
    }
    for (const app of [anna, ben]) {
      await isLevel(app);
      expect(await operationsAt(app, payment)).toEqual([]);
    }
    value(await refund(ben, payment));
  });
});
