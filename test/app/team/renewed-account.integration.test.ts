import { beforeEach, describe, expect, test } from 'vitest';
import { joiningText } from '../../../main/team/joining-text.ts';
import type { SharedLogSettings } from '../../../main/payment-log/postgres/connection-settings.ts';
import { newPayment } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';
import { isPostgresMissing } from '../../../tools/postgres-harness/cluster.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';
import { useTeam } from '../../../tools/postgres-harness/use-team.ts';

describe.skipIf(isPostgresMissing)('a console that joins again (needs PostgreSQL)', () => {
  const { team } = useTeam();
  const app = useApp({ each: 'test' });
  let account: SharedLogSettings;

  const standing = async () => (await app.state()).team;
  const create = async (): Promise<string> =>
    (await app.value('payments.create', newPayment())).payment.orderNumber;
  const isShipped = async (): Promise<void> => {
    await expect.poll(async () => (await standing())?.state).toBe('connected');
    await expect.poll(async () => (await standing())?.waiting).toBe(0);
  };
  const join = async (settings: SharedLogSettings) => {
    const text = joiningText(settings);
    const { steps } = await app.value('team.check', { text });
    await app.value('team.join', { text });
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
    account = await team.add('console', 'Counter 1');
    expect(await join(account)).toMatchObject({ state: 'good' });
  });

  test('a console that joins again with its renewed account writes again, though it had left and the account had been closed', async () => {
    const before = await create();
    await isShipped();
    await app.value('team.leave', {});
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
