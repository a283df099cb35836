import { describe, expect, test } from 'vitest';
import { joiningText } from '../../../main/team/joining-text.ts';
import { newPayment, startTestApp, type TestApp } from '../../../tools/app-harness/running-app.ts';
import { isPostgresMissing } from '../../../tools/postgres-harness/cluster.ts';
import { useTeam } from '../../../tools/postgres-harness/use-team.ts';

describe.skipIf(isPostgresMissing)('erasing at consoles of a team (needs PostgreSQL)', () => {
  const { team, closing } = useTeam();

  const isConnected = async (app: TestApp): Promise<boolean> => {
    const now = (await app.state()).team;
    return now?.state === 'connected' && now.waiting === 0;
  };

  test('what one console of a team erases is erased at the others; without the right nothing is', async () => {
    const [one, two] = [await startTestApp(), await startTestApp()];
    closing.push(
      () => one.remove(),
      () => two.remove(),
    );
    for (const [app, label, rights] of [
      [one, 'Counter 1', ['eraser']],
      [two, 'Counter 2', []],
    ] as const) {
      const settings = await team.add('console', label, undefined, rights);
      await app.value('team.join', { text: joiningText(settings) });
      await expect.poll(() => isConnected(app)).toBe(true);
    }
    const order = { profileId: 'sandbox', orderNumber: 'ERASE-1' };
    const customer = { name: 'Jörg Müller', email: 'jm@example.com' };
    await two.value('payments.create', newPayment({ orderNumber: order.orderNumber, customer }));
    await expect.poll(() => isConnected(two)).toBe(true);
    const events = async (app: TestApp): Promise<string> =>
      JSON.stringify(await app.value('payments.read', order));
    expect(await events(two)).toContain('jm@example.com');
    expect(await two.refusal('log.erase', order)).toBe('log.denied');
    expect(await events(two)).toContain('jm@example.com');
    await one.value('log.erase', order);
    await expect.poll(() => events(two)).not.toContain('jm@example.com');
    expect(await team.sql('SELECT 1 FROM personal')).toEqual([]);
    // The journal of the other console follows within seconds.
    await expect.poll(() => team.sql('SELECT 1 FROM erased')).toEqual([]);
  });
});
