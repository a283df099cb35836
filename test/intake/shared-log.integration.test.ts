import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { signedCallbacks } from '../../scripts/load/callbacks.ts';
import { newIntake as newFolder } from '../../tools/intake-harness/new-intake.ts';
import {
  callbackPath,
  password,
  type IntakeFolder,
  type RunningIntake,
} from '../../tools/intake-harness/running-intake.ts';
import { borrowCluster } from '../../tools/postgres-harness/borrowed-cluster.ts';
import { isPostgresMissing, type Cluster } from '../../tools/postgres-harness/cluster.ts';
import { startProxy } from '../../tools/postgres-harness/proxy.ts';
import { createTeam, type Team } from '../../tools/postgres-harness/shared-log.ts';
import { answering, json } from '../../tools/server-harness/test-server.ts';
import { sandboxProfile } from '../gateway/gateway-server.ts';

/** Intakes with a shared log in PostgreSQL. */

describe.skipIf(isPostgresMissing)('intakes with a shared log (PostgreSQL)', () => {
  let cluster: Cluster;
  let team: Team;

  beforeAll(async () => {
    cluster = await borrowCluster();
  }, 30_000);
  afterAll(() => cluster.remove());
  beforeEach(async () => {
    team = await createTeam(cluster);
  });

  const newIntake = async (label: string, changes: object = {}, port?: number): Promise<IntakeFolder> => {
    const folder = newFolder();
    folder.configure({
      database: folder.sharing(await team.add('intake', label, port, ['keeper'])),
      ...changes,
    });
    return folder;
  };
  const isShipped = (running: RunningIntake) =>
    expect
      .poll(async () => (await running.health()).health.shared, { timeout: 20_000, interval: 20 })
      .toMatchObject({ state: 'connected', waitingEvents: 0 });
  const sharedOrders = async (): Promise<string[]> =>
    (
      await team.sql<{ order: string }>(
        `SELECT order_number AS "order" FROM event WHERE kind = 'callback.received' ORDER BY 1`,
      )
    ).map(({ order }) => order);
  const keptBy = async (running: RunningIntake): Promise<Record<string, number>> => {
    const text = await running.metrics();
    const lines = text.matchAll(/^counterfoil_callbacks_total\{.*kept="(\w+)"\} (\d+)$/gm);
    return Object.fromEntries([...lines].map(([, kept = '', count = '']) => [kept, Number(count)]));
  };

  test('intakes with a shared log acknowledge a callback when it is there, both keep one that reaches both, and both erase it when one is asked to', async () => {
    const patient = { acknowledgeWithinMs: 5_000 };
    const [one, two] = [await newIntake('Intake 1', patient), await newIntake('Intake 2', patient)];
    const [first, second] = await Promise.all([one.start(), two.start()]);
    await Promise.all([isShipped(first), isShipped(second)]);
    const body = signedCallbacks(password)();
    expect(await Promise.all([first.post(body), second.post(body)])).toEqual([200, 200]);
    expect(await sharedOrders()).toEqual(['LOAD-1', 'LOAD-1']);
    expect([await keptBy(first), await keptBy(second)]).toEqual([{ shared: 1 }, { shared: 1 }]);
    const keys =
      'SELECT count(DISTINCT writer)::int AS writers, count(DISTINCT dedupe_key)::int AS keys FROM event';
    expect(await team.sql(keys)).toEqual([{ writers: 2, keys: 1 }]);
    expect(await one.command('erase', 'live', 'LOAD-1')).toMatchObject({ code: 0 });
    const personalIn = ({ journal }: IntakeFolder): number => {
      const opened = new Database(journal, { readonly: true });
      const count = opened.prepare<[], number>('SELECT count(*) FROM personal').pluck().get() ?? 0;
      opened.close();
      return count;
    };
    expect(personalIn(one)).toBe(0);
    await expect.poll(() => personalIn(two)).toBe(0);
    await isShipped(first);
    expect(await team.sql('SELECT * FROM personal')).toEqual([]);
    const keepers = async () =>
      new Set(
        (await Promise.all([first.health(), second.health()])).map(
          ({ health: { shared } }) => shared?.keeper,
        ),
      );
    await expect.poll(keepers).toEqual(new Set(['active', 'waiting']));

    const administer = (...args: string[]) =>
      one.command(...args, '--host', cluster.folder, '--port', String(cluster.port));
    const listed = await administer('installations');
    expect(
      listed.stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as unknown),
    ).toMatchObject([
      { kind: 'intake', label: 'Intake 1', events: 3, toErase: 0, revoked: false },
      { kind: 'intake', label: 'Intake 2', events: 1, toErase: 0, revoked: false },
    ]);
    expect((await administer('retention', 'never')).stdout).toContain('not erased');
    const added = await administer('add-console', 'Till 3');
    const role = `${team.schema}_for_till_3`;
    const [, code = ''] = /^counterfoil-join-1\.(.*)$/m.exec(added.stdout) ?? [];
    expect(JSON.parse(Buffer.from(code, 'base64url').toString())).toMatchObject({
      host: '127.0.0.1',
      port: cluster.port,
      database: team.database,
      schema: team.schema,
      role,
      password: expect.stringMatching(/^[\w-]{32}$/),
    });
    for (const wrong of [
      ['grant', role, '--may', 'everything'],
      ['retention', '0'],
      ['revoke', 'unknown_role'],
      ['add-console'],
    ])
      expect(await administer(...wrong)).toMatchObject({ code: 2 });
    expect(await two.command('verify')).toMatchObject({ code: 0 });
    expect(await one.command('verify', '--shared')).toMatchObject({ code: 0, stderr: '' });
  }, 90_000);

  test('intakes with a shared log are checked against the server itself, and the cause of a failure is named', async () => {
    const intake = await newIntake('Intake 1');
    const good = await intake.command('check');
    expect(good).toMatchObject({ code: 0, stderr: '' });
    expect(good.stdout).toContain('shared payment log, Rights: This account can read');
    writeFileSync(join(intake.folder, 'database.password'), 'another password');
    const refused = await intake.command('check');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('The server rejected the account or its password.');
    const running = await intake.start();
    await expect.poll(() => running.output()).toContain('"cause":"28P01"');
  });

  test('intakes with a shared log acknowledge from the journal while PostgreSQL is killed, and ship all of it once afterwards', async () => {
    const intake = await newIntake('Intake 1');
    let running = await intake.start();
    await isShipped(running);
    const next = signedCallbacks(password);
    const acknowledged: string[] = [];
    const post = async (): Promise<void> => {
      const body = next();
      const sent = await running.post(body).catch(() => null);
      if (sent === 200) acknowledged.push(new URLSearchParams(body).get('order_number') ?? '');
    };
    const load = async (count: number): Promise<void> => {
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let sent = 0; sent < count; sent += 1) await post();
        }),
      );
    };
    const loading = load(30);
    await expect.poll(() => acknowledged.length, { timeout: 20_000, interval: 2 }).toBeGreaterThan(20);
    await cluster.kill();
    await loading;
    expect(acknowledged).toHaveLength(240);
    expect(await running.health()).toMatchObject({
      status: 200,
      health: { shared: { state: 'unreachable' } },
    });
    expect((await keptBy(running))['journal']).toBeGreaterThan(0);
    // The intake is killed as well, while callbacks arrive.
    const dying = load(30);
    await expect.poll(() => acknowledged.length, { timeout: 20_000, interval: 2 }).toBeGreaterThan(260);
    await running.end('SIGKILL');
    await dying;
    await cluster.start();
    running = await intake.start();
    await isShipped(running);
    const orders = await sharedOrders();
    expect(acknowledged.filter(order => !orders.includes(order))).toEqual([]);
    expect(new Set(orders).size).toBe(orders.length);
    await running.end('SIGTERM');
    expect(await intake.command('verify', '--shared')).toMatchObject({ code: 0 });
  }, 60_000);

  test('intakes with a shared log answer in time while packets vanish; a strict one answers 503', async () => {
    const proxy = await startProxy('127.0.0.1', cluster.port);
    onTestFinished(() => proxy.close());
    const { port } = proxy;
    const intake = await newIntake('Usual', { acknowledgeWithinMs: 1_500 }, port);
    const strict = await newIntake('Strict', { acknowledgeWithinMs: 1_500, strict: true }, port);
    const [usual, refusing] = await Promise.all([intake.start(), strict.start()]);
    await Promise.all([isShipped(usual), isShipped(refusing)]);
    const next = signedCallbacks(password);
    expect(await Promise.all([usual.post(next()), refusing.post(next())])).toEqual([200, 200]);
    proxy.set('hold');
    expect(await Promise.all([usual.post(next()), refusing.post(next())])).toEqual([200, 503]);
    proxy.set('forward');
    proxy.cut();
    await Promise.all([isShipped(usual), isShipped(refusing)]);
    expect(await sharedOrders()).toEqual(['LOAD-1', 'LOAD-2', 'LOAD-3', 'LOAD-4']);
    expect(await keptBy(refusing)).toEqual({ shared: 1, refused: 1 });
  });

  const intakeProfile = (port: number, changes = {}) => ({
    id: 'live',
    name: 'Shop',
    callbackPath,
    password: { file: 'live.password' },
    gateway: `http://127.0.0.1:${port}`,
    ...changes,
  });
  const shareProfile = async (id: string, port: number): Promise<void> => {
    const { id: _id, ...profile } = sandboxProfile(port, { id });
    const body = JSON.stringify(profile).replaceAll("'", "''");
    await team.sql(
      `INSERT INTO profile (id, body, callback_path, changed_by) VALUES ('${id}', '${body}', '/${id}', 'Ada')`,
    );
  };

  test('an intake with a shared log signs for its configured server alone, and one of them looks up for all what was reported as paid', async () => {
    const [gateway, other] = [
      await answering(json({ status: 'settled', order: {} })),
      await answering(json({ status: 'settled', order: {} })),
    ];
    const secondPath = callbackPath.replaceAll('0', '1');
    const profiles = [
      intakeProfile(gateway.port),
      intakeProfile(gateway.port, { id: 'second', callbackPath: secondPath }),
    ];
    const confirming = { confirmPaid: true, profiles };
    const both = [await newIntake('Intake 1', confirming), await newIntake('Intake 2', confirming)];
    await shareProfile('live', other.port);
    await shareProfile('second', gateway.port);
    const running = await Promise.all(both.map(intake => intake.start()));
    await Promise.all(running.map(isShipped));
    const next = signedCallbacks(password);
    const post = async (path: string): Promise<void> => {
      const body = new URLSearchParams(next());
      const sent = running.map(({ url }) => fetch(url.replace(callbackPath, path), { method: 'POST', body }));
      for (const { status } of await Promise.all(sent)) expect(status).toBe(200);
    };
    await post(callbackPath);
    await post(secondPath);
    const observed = () => team.sql("SELECT 1 FROM event WHERE kind = 'status.observed'");
    await expect.poll(observed).toHaveLength(1);
    // Both have decided about the earlier callbacks when they have decided about this one.
    await post(secondPath);
    await expect.poll(observed).toHaveLength(2);
    expect(gateway.requests).toHaveLength(2);
    expect(other.requests).toEqual([]);
    for (const one of running) {
      await expect.poll(async () => (await one.health()).health.otherServers).toEqual(['live']);
      expect(one.output()).toContain('names another server');
      expect(await one.metrics()).toContain('counterfoil_other_servers 1');
    }
  });

  test('an intake with a shared log ships poisoned callbacks, and receives when its account is revoked', async () => {
    const account = await team.add('intake', 'Intake 1');
    const intake = newFolder();
    intake.configure({ database: intake.sharing(account) });
    const running = await intake.start();
    await isShipped(running);
    const post = (body: string): Promise<number> =>
      running.post(body, { 'content-type': 'application/json' });
    expect(
      await Promise.all([
        post(String.raw`{"id":"p-1","order_number":"A\u0000B","hash":"1"}`),
        post(String.raw`{"id":"\udc00","order_number":"A\ud800B","hash":"1"}`),
        post(String.raw`{"order_number":"A\\u0000B","customer_name":"\u0000\u202e","hash":"1"}`),
        // No index of a database takes it.
        post(JSON.stringify({ id: 'p-2', order_number: randomBytes(8_000).toString('hex'), hash: '1' })),
        running.post(signedCallbacks(password)()),
      ]),
    ).toEqual([200, 200, 200, 200, 200]);
    await isShipped(running);
    expect(await sharedOrders()).toHaveLength(5);
    expect(await intake.command('verify', '--shared')).toMatchObject({ code: 0, stderr: '' });
    await team.revoke(account.role);
    await expect.poll(async () => (await running.health()).health.shared?.state).toBe('refused');
    expect(await running.post(signedCallbacks(password)())).toBe(200);
    expect((await keptBy(running))['journal']).toBe(1);
    expect(running.output()).not.toContain(account.role);
  });
});
