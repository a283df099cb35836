import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openSharedLog } from '../../../main/payment-log/postgres/open-shared-log.ts';
import type { SharedLogSettings } from '../../../main/payment-log/postgres/connection-settings.ts';
import { runStatus } from '../../../main/status/run-status.ts';
import { joiningText } from '../../../main/team/joining-text.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { inWords } from '../../../tools/app-harness/in-words.ts';
import { newPayment, startTestApp, type TestApp } from '../../../tools/app-harness/running-app.ts';
import { isPostgresMissing } from '../../../tools/postgres-harness/cluster.ts';
import { startProxy } from '../../../tools/postgres-harness/proxy.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';
import { useTeam } from '../../../tools/postgres-harness/use-team.ts';

describe.skipIf(isPostgresMissing)('a console and a shared payment log (needs PostgreSQL)', () => {
  const { cluster, team, closing } = useTeam();
  const apps: TestApp[] = [];

  afterEach(async () => {
    for (const app of apps.splice(0)) await app.remove();
  });

  const start = async (options: Parameters<typeof startTestApp>[1] = {}): Promise<TestApp> => {
    const app = await startTestApp(undefined, options);
    apps.push(app);
    return app;
  };
  const standing = async (app: TestApp) => (await app.state()).team;
  const joined = async (app: TestApp, settings: SharedLogSettings): Promise<void> => {
    await app.value('team.join', { text: joiningText(settings) });
    await expect.poll(async () => (await standing(app))?.state).toBe('connected');
  };
  const stored = async (): Promise<number> => {
    const [row] = await team.sql<{ n: string }>('SELECT count(*) AS n FROM event');
    return Number(row?.n);
  };

  test('a console joins a shared payment log, passes on what was there before and what comes, verifies, and leaves', async () => {
    const app = await start();
    const first = newPayment();
    await app.value('payments.create', first);
    const settings = await team.add('console', 'Counter 1');
    const text = joiningText(settings);

    const checked = await app.value('team.check', { text });
    expect(checked.steps.map(({ name, state }) => [name, state])).toEqual([
      ['name', 'good'],
      ['tls', 'good'],
      ['account', 'good'],
      ['version', 'good'],
      ['rights', 'good'],
      ['chain', 'good'],
      ['clock', 'good'],
      // Tests run without flushes.
      ['durability', 'attention'],
      ['connections', 'good'],
      ['latency', 'good'],
    ]);
    expect(checked.canJoin).toBe(true);
    expect(await standing(app)).toBeNull();

    await joined(app, settings);
    await app.value('payments.create', newPayment());
    await expect.poll(async () => (await standing(app))?.waiting).toBe(0);
    await expect.poll(async () => (await stored()) === (await standing(app))?.events).toBe(true);
    expect(await app.value('team.verify', {})).toMatchObject({
      isComplete: true,
      report: { problems: [] },
    });

    // The joining text is worthless now, and nothing that the window or a file gets contains a password.
    const used = must(openSharedLog(settings));
    closing.push(() => used.close());
    expect(await used.chainEnds()).toMatchObject({ ok: false, error: { code: 'log.denied' } });
    const told = JSON.stringify([app.notices, await app.request('app.read', {})]);
    expect(told).not.toContain(settings.password);
    expect(readFileSync(join(app.folder, 'settings.json'), 'utf8')).not.toContain('password"');
    expect(await app.appLog()).not.toContain(settings.password);

    const status = JSON.parse((await runStatus(app.folder, { policyFile: '', version: '0.0.0' })).text);
    expect(status).toHaveProperty('sharedLog');

    await app.value('team.leave', {});
    expect(await standing(app)).toBeNull();
    const before = await stored();
    await app.value('payments.create', newPayment());
    expect(await stored()).toBe(before);
    expect((await app.value('log.verify', {})).problems).toEqual([]);
  });

  test('a console works on while the network is cut, says so, and passes everything on once', async () => {
    const proxy = await startProxy(cluster.host, cluster.port);
    closing.push(() => proxy.close());
    const app = await start();
    await joined(app, await team.add('console', 'Counter 1', proxy.port));
    proxy.set('hold');
    const payment = newPayment();
    await app.value('payments.create', payment);
    await expect.poll(async () => (await standing(app))?.state).toBe('unreachable');
    expect(await standing(app)).toMatchObject({ problem: { code: 'log.unreachable' } });
    expect((await standing(app))?.waiting).toBeGreaterThan(0);
    for (let number = 0; number < 3; number += 1)
      await app.value('payments.note', {
        profileId: 'sandbox',
        orderNumber: payment.orderNumber ?? '',
        text: `Note ${number}`,
      });
    expect(app.notices.some(({ name }) => name === 'team.changed')).toBe(true);
    proxy.set('forward');
    proxy.cut();
    await expect.poll(async () => (await standing(app))?.state).toBe('connected');
    await expect.poll(async () => (await standing(app))?.waiting).toBe(0);
    const [row] = await team.sql<{ n: string; numbers: string; last: string }>(
      'SELECT count(*) AS n, count(DISTINCT writer_seq) AS numbers, max(writer_seq) AS last FROM event',
    );
    expect([row?.n, row?.numbers]).toEqual([row?.last, row?.last]);
  });

  test('the check of a shared payment log names the step that fails, and what to do', async () => {
    const app = await start();
    const settings = await team.add('console', 'Counter 1');
    const failing = async (changes: Partial<SharedLogSettings>) => {
      const { steps, canJoin } = await app.value('team.check', {
        text: joiningText({ ...settings, ...changes }),
      });
      expect(canJoin).toBe(false);
      const broken = steps.filter(({ state }) => state === 'broken');
      expect(broken).toHaveLength(1);
      expect(broken[0]?.todo).not.toBeNull();
      return broken[0]?.name;
    };
    expect(await failing({ port: 1 })).toBe('name');
    expect(await failing({ tls: 'verify-full' })).toBe('tls');
    expect(await failing({ password: 'wrong' })).toBe('account');
    expect(await failing({ schema: 'elsewhere' })).toBe('rights');
    expect(await app.request('team.check', { text: 'hello' })).toMatchObject({
      ok: false,
      error: { code: 'input.invalid', fields: [{ path: 'text' }] },
    });
    expect(
      await app.request('team.join', { text: joiningText({ ...settings, password: 'wrong' }) }),
    ).toMatchObject({ ok: false });
    expect(await standing(app)).toBeNull();
  });

  test('a policy fixes the shared log', async () => {
    const policyFile = join(newFolder('policy'), 'policy.json');
    const settings = await team.add('console', 'Counter 1');
    const { host, port, database, schema } = settings;
    const sharedLog = { host, port, database, schema };
    writeFileSync(policyFile, JSON.stringify({ version: 1, sharedLog }), { mode: 0o600 });
    const app = await start({ policyFile });
    const other = await app.request('team.join', { text: joiningText({ ...settings, schema: 'other' }) });
    expect(other).toMatchObject({ ok: false, error: { code: 'policy.managed' } });
    await joined(app, settings);
    const left = await app.request('team.leave', {});
    expect(inWords(left)).toMatchObject({ ok: false, error: { code: 'policy.managed' } });
    expect((await standing(app))?.state).toBe('connected');
  });
});
