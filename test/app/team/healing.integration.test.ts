import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { joiningText } from '../../../main/team/joining-text.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { newPayment, startTestApp, type TestApp } from '../../../tools/app-harness/running-app.ts';
import { isPostgresMissing } from '../../../tools/postgres-harness/cluster.ts';
import { startProxy, type Proxy } from '../../../tools/postgres-harness/proxy.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';
import { useTeam } from '../../../tools/postgres-harness/use-team.ts';

describe.skipIf(isPostgresMissing)('a computer whose backup was restored (needs PostgreSQL)', () => {
  const { cluster, team, closing } = useTeam();
  let proxy: Proxy;
  let app: TestApp;
  let backup: string;
  const before = newPayment();
  const lost = newPayment();

  const standing = async () => (await app.state()).team;
  const becomes = (state: string) => expect.poll(async () => (await standing())?.state).toBe(state);
  const isShipped = () => expect.poll(async () => (await standing())?.waiting).toBe(0);
  const exists = async (orderNumber = ''): Promise<boolean> =>
    (await app.request('payments.read', { profileId: 'sandbox', orderNumber })).ok;
  const restart = async (work: () => void): Promise<void> => {
    await app.close();
    work();
    app = await startTestApp(app.folder);
  };
  const restore = (): void => {
    for (const end of ['-wal', '-shm']) rmSync(`${app.logFile}${end}`, { force: true });
    copyFileSync(backup, app.logFile);
  };

  /** A joined console whose payment log lost one payment. */
  beforeEach(async () => {
    proxy = await startProxy(cluster.host, cluster.port);
    backup = join(newFolder('backup'), 'payments.db');
    app = await startTestApp();
    closing.push(
      () => proxy.close(),
      () => app.remove(),
    );
    const text = joiningText(await team.add('console', 'Counter 1', proxy.port));
    await app.value('team.join', { text });
    await app.value('payments.create', before);
    await isShipped();
    await restart(() => copyFileSync(app.logFile, backup));
    await app.value('payments.create', lost);
    await isShipped();
  });
  test('a computer whose backup was restored continues as a new installation if it wrote before it could fetch anything back', async () => {
    proxy.set('hold');
    await restart(restore);
    const after = newPayment();
    await app.value('payments.create', after);
    proxy.set('forward');
    proxy.cut();
    await becomes('refused');
    expect((await standing())?.problem?.code).toBe('log.fork');
    await app.value('team.beginChain', {});
    await becomes('connected');
    await isShipped();
    expect(await exists(after.orderNumber)).toBe(true);
    const numbers = await team.sql<{ n: string }>('SELECT DISTINCT order_number AS n FROM event ORDER BY 1');
    expect(numbers.map(({ n }) => n)).toEqual(
      expect.arrayContaining([before.orderNumber, lost.orderNumber, after.orderNumber]),
    );
    const shared = team.open(await team.add('console', 'Reader'));
    expect(must(await shared.verify()).problems).toEqual([]);
    expect((await app.value('log.verify', {})).problems).toEqual([]);
  });
});
