import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openSharedLog } from '../../../main/payment-log/postgres/open-shared-log.ts';
import type { SharedLogSettings } from '../../../main/payment-log/postgres/connection-settings.ts';
import { runStatus } from '../../../main/status/run-status.ts';
import { joiningText } from '../../../main/team/joining-text.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { inWords } from '../../../tools/app-harness/in-words.ts';
import { type TestApp, newPayment, startTestApp } from '../../../tools/app-harness/running-app.ts';
import { isPostgresMissing } from '../../../tools/postgres-harness/cluster.ts';
import type { Proxy } from '../../../tools/postgres-harness/proxy.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';
import { useTeam } from '../../../tools/postgres-harness/use-team.ts';
import { isShipped, joinTeam } from '../../../tools/postgres-harness/join-team.ts';

describe.skipIf(isPostgresMissing)('a console and a shared payment log (needs PostgreSQL)', () => {
  const { team, closing, proxied } = useTeam();

  const start = async (options: Parameters<typeof startTestApp>[1] = {}): Promise<TestApp> => {
    const app = await startTestApp(undefined, options);
    closing.push(() => app.remove());
    return app;
  };
  const standing = async (app: TestApp) => (await app.state()).team;
  const stored = async (): Promise<number> => {
    const [row] = await team.sql<{ n: string }>('SELECT count(*) AS n FROM event');
    return Number(row?.n);
  };

  test('a console joins a shared payment log, passes on what was there before and what comes, verifies, and leaves; the check names the step that fails', async () => {
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
    // The check names the step that fails, and what to do.
    const failing = async (changes: Partial<SharedLogSettings>) => {
      const { steps, canJoin } = await app.value('team.check', {
        text: joiningText({ ...settings, ...changes }),
      });
      expect(canJoin).toBe(false);
      const broken = steps.filter(({ state }) => state === 'broken');
      expect(broken).toHaveLength(1);
      expect(broken[0]?.todo).not.toBeNull();
      return [broken[0]?.name, broken[0]?.finding?.key];
    };
    expect(await failing({ port: 1 })).toEqual(['name', 'team.check.name.refused']);
    expect((await failing({ tls: 'verify-full' }))[0]).toBe('tls');
    expect((await failing({ password: 'wrong' }))[0]).toBe('account');
    expect((await failing({ schema: 'elsewhere' }))[0]).toBe('rights');
    expect(await app.request('team.check', { text: 'hello' })).toMatchObject({
      ok: false,
      error: { code: 'input.invalid', fields: [{ path: 'text' }] },
    });
    expect(
      await app.request('team.join', { text: joiningText({ ...settings, password: 'wrong' }) }),
    ).toMatchObject({ ok: false });
    expect(await standing(app)).toBeNull();

    await joinTeam(app, settings);
    await app.value('payments.create', newPayment());
    await isShipped(app);
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

  test('a console works on while the network is cut, says so, and passes everything on once, also when it joins again with a renewed account', async () => {
    const proxy = await proxied();
    const app = await start();
    const account = await team.add('console', 'Counter 1', proxy.port);
    await joinTeam(app, account);
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
    await isShipped(app);
    // It leaves, and its account is closed.
    await app.value('team.leave', {});
    await team.revoke(account.role);
    await app.value('payments.create', newPayment());
    const { password } = await team.administer(async opened => must(await opened.renew(account.role)));
    const renewed = { ...account, password };
    const { steps } = await app.value('team.check', { text: joiningText(renewed) });
    expect(steps.find(({ name }) => name === 'chain')).toMatchObject({ state: 'good' });
    await joinTeam(app, renewed);
    await app.value('payments.create', newPayment());
    await isShipped(app);
    const [row] = await team.sql<{ n: string; numbers: string; last: string; requests: number }>(
      `SELECT count(*) AS n, count(DISTINCT writer_seq) AS numbers, max(writer_seq) AS last,
         count(*) FILTER (WHERE kind = 'session.requested')::int AS requests FROM event`,
    );
    expect([row?.n, row?.numbers]).toEqual([row?.last, row?.last]);
    expect(row?.requests).toBe(3);
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
    await joinTeam(app, settings);
    const left = await app.request('team.leave', {});
    expect(inWords(left)).toMatchObject({ ok: false, error: { code: 'policy.managed' } });
    expect((await standing(app))?.state).toBe('connected');
  });
});

describe.skipIf(isPostgresMissing)('a computer whose backup was restored (needs PostgreSQL)', () => {
  const { team, closing, proxied } = useTeam();
  let proxy: Proxy;
  let app: TestApp;
  let backup: string;
  const before = newPayment();
  const lost = newPayment();

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
    proxy = await proxied();
    backup = join(newFolder('backup'), 'payments.db');
    app = await startTestApp();
    closing.push(() => app.remove());
    await joinTeam(app, await team.add('console', 'Counter 1', proxy.port));
    await app.value('payments.create', before);
    await isShipped(app);
    await restart(() => copyFileSync(app.logFile, backup));
    await app.value('payments.create', lost);
    await isShipped(app);
  });
  test('a computer whose backup was restored continues as a new installation if it wrote before it could fetch anything back', async () => {
    proxy.set('hold');
    await restart(restore);
    const after = newPayment();
    await app.value('payments.create', after);
    proxy.set('forward');
    proxy.cut();
    await expect.poll(async () => (await app.state()).team?.problem?.code).toBe('log.fork');
    expect((await app.state()).team?.state).toBe('refused');
    await app.value('team.beginChain', {});
    await isShipped(app);
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
