import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { joiningText } from '../../../main/team/joining-text.ts';
import type { SharedLogSettings } from '../../../main/payment-log/postgres/connection-settings.ts';
import { newPayment, startTestApp, value, type TestApp } from '../../../tools/app-harness/running-app.ts';
import { isPostgresMissing } from '../../../tools/postgres-harness/cluster.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';
import { useTeam } from '../../../tools/postgres-harness/use-team.ts';

describe.skipIf(isPostgresMissing)('a console that joins again (needs PostgreSQL)', () => {
  const { team } = useTeam();
  let app: TestApp;
  let account: SharedLogSettings;

  const standing = async () => value(await app.request('app.read', {})).team;
  const create = async (): Promise<string> =>
    value(await app.request('payments.create', newPayment())).payment.orderNumber;
  const isShipped = async (): Promise<void> => {
    await expect.poll(async () => (await standing())?.state, { timeout: 15_000 }).toBe('connected');
    await expect.poll(async () => (await standing())?.waiting, { timeout: 15_000 }).toBe(0);
  };
  const join = async (settings: SharedLogSettings) => {
    const text = joiningText(settings);
    const { steps } = value(await app.request('team.check', { text }));
    value(await app.request('team.join', { text }));
    return steps.find(({ name }) => name === 'chain');
  };
  /** How often each payment was requested, as the shared log has it. */
  const requests = async () =>
    Object.fromEntries(
      (
        await team.sql<{ order: string; times: number }>(
          `SELECT order_number AS order, count(DISTINCT id)::int AS times FROM event
           WHERE kind = 'session.requested' GROUP BY 1`,
        )
      ).map(({ order, times }) => [order, times]),
    );

  beforeEach(async () => {
    app = await startTestApp();
    account = await team.add('console', 'Counter 1');
    expect(await join(account)).toMatchObject({ state: 'good' });
  });
  afterEach(() => app.remove());

  test('a console that joins again with its renewed account writes again, though it had left and the account had been closed', async () => {
    const before = await create();
    await isShipped();
    value(await app.request('team.leave', {}));
    await team.revoke(account.role);
    const meanwhile = await create();
    const { password } = await team.administer(async opened => must(await opened.renew(account.role)));
    expect(await join({ ...account, password })).toMatchObject({ state: 'good' });
    await isShipped();
    const after = await create();
    await isShipped();
    expect(await requests()).toEqual({ [before]: 1, [meanwhile]: 1, [after]: 1 });
  });
});
