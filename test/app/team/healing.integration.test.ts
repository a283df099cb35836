import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { joiningText } from '../../../main/team/joining-text.ts';
import { newPayment, startTestApp, value, type TestApp } from '../../../tools/app-harness/running-app.ts';
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

  const standing = async () => value(await app.request('app.read', {})).team;
  const becomes = (state: string) =>
    expect.poll(async () => (await standing())?.state, { timeout: 15_000 }).toBe(state);
  const isShipped = () => expect.poll(async () => (await standing())?.waiting, { timeout: 15_000 }).toBe(0);
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
    backup = join(mkdtempSync(join(tmpdir(), 'counterfoil-backup-')), 'payments.db');
    app = await startTestApp();
    closing.push(
      () => proxy.close(),
      () => app.remove(),
    );
    const text = joiningText(await team.add('console', 'Counter 1', proxy.port));
    value(await app.request('team.join', { text }));
    value(await app.request('payments.create', before));
    await isShipped();
    await restart(() => copyFileSync(app.logFile, backup));
    value(await app.request('payments.create', lost));
    await isShipped();
  });
  test('a computer whose backup was restored continues as a new installation if it wrote before it could fetch anything back', async () => {
    proxy.set('hold');
    await restart(restore);
    const after = newPayment();
    value(await app.request('payments.create', after));
    proxy.set('forward');
    proxy.cut();
    await becomes('refused');
    expect((await standing())?.problem?.code).toBe('log.fork');
    value(await app.request('team.beginChain', {}));
    await becomes('connected');
    await isShipped();
    expect(await exists(after.orderNumber)).toBe(true);
    const numbers = await team.sql<{ n: string }>('SELECT DISTINCT order_number AS n FROM event ORDER BY 1');
    expect(numbers.map(({ n }) => n)).toEqual(
      expect.arrayContaining([before.orderNumber, lost.orderNumber, after.orderNumber]),
    );
    const shared = team.open(await team.add('console', 'Reader'));
    expect(must(await shared.verify()).problems).toEqual([]);
    expect(value(await app.request('log.verify', {})).problems).toEqual([]);
  });
});
