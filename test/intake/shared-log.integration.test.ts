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
import { answering, json } from '../../tools/server-harness/test-server.ts';
import { sandboxProfile } from '../gateway/gateway-server.ts';

/** Intakes with a shared log in PostgreSQL, set up by the commands of an administrator. */

describe.skipIf(isPostgresMissing)('intakes with a shared log (PostgreSQL)', () => {
  let cluster: Cluster;
  let databases = 0;
  let database: { name: string; schema: string };
  let intakes: number;

  beforeAll(async () => {
    cluster = await borrowCluster();
  }, 30_000);
  afterAll(() => cluster.remove());
  beforeEach(async () => {
    databases += 1;
    database = { name: `intake_${databases}`, schema: `cfi_${databases}` };
    intakes = 0;
    await cluster.sql(`CREATE DATABASE ${database.name}`);
  });

  const administrator = (): string[] => ['--host', cluster.folder, '--port', String(cluster.port)];
  const newIntake = async (
    changes: Record<string, unknown> = {},
    port = cluster.port,
  ): Promise<IntakeFolder> => {
    const folder = newFolder();
    intakes += 1;
    const shared = { host: '127.0.0.1', port, ...database };
    folder.configure({ database: { ...shared, role: 'unknown' } });
    if (intakes === 1)
      expect(await folder.command('init', ...administrator())).toMatchObject({ code: 0, stderr: '' });
    const added = await folder.command('add-intake', `Intake ${intakes}`, ...administrator());
    const [role = '', , secret = ''] = added.stdout.trim().split('\n');
    writeFileSync(join(folder.folder, 'database.password'), secret, { mode: 0o600 });
    folder.configure({
      database: { ...shared, role: role.replace('Role: ', ''), password: { file: 'database.password' } },
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
      await cluster.sql<{ order: string }>(
        `SELECT order_number AS "order" FROM ${database.schema}.event WHERE kind = 'callback.received' ORDER BY 1`,
        database.name,
      )
    ).map(({ order }) => order);
  const keptBy = async (running: RunningIntake): Promise<Record<string, number>> => {
    const text = await running.metrics();
    const lines = text.matchAll(/^counterfoil_callbacks_total\{.*kept="(\w+)"\} (\d+)$/gm);
    return Object.fromEntries([...lines].map(([, kept = '', count = '']) => [kept, Number(count)]));
  };

  test('intakes with a shared log acknowledge a callback when it is in the shared log, and both keep one that reaches both', async () => {
    const patient = { acknowledgeWithinMs: 5_000 };
    const [one, two] = [await newIntake(patient), await newIntake(patient)];
    const [first, second] = await Promise.all([one.start(), two.start()]);
    await Promise.all([isShipped(first), isShipped(second)]);
    const body = signedCallbacks(password)();
    expect(await Promise.all([first.post(body), second.post(body)])).toEqual([200, 200]);
    expect(await sharedOrders()).toEqual(['LOAD-1', 'LOAD-1']);
    expect([await keptBy(first), await keptBy(second)]).toEqual([{ shared: 1 }, { shared: 1 }]);
    const [keys] = await cluster.sql<{ writers: number; keys: number }>(
      `SELECT count(DISTINCT writer)::int AS writers, count(DISTINCT dedupe_key)::int AS keys FROM ${database.schema}.event`,
      database.name,
    );
    expect(keys).toEqual({ writers: 2, keys: 1 });
    expect(await one.command('erase', 'live', 'LOAD-1')).toMatchObject({ code: 0 });
    await isShipped(first);
    const [left] = await cluster.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${database.schema}.personal`,
      database.name,
    );
    expect(left).toEqual({ count: 0 });
    expect(await one.command('verify', '--shared')).toMatchObject({ code: 0, stderr: '' });
  });

  test('intakes with a shared log are checked against the server itself, and the cause of a failure is named', async () => {
    const intake = await newIntake();
    const good = await intake.command('check');
    expect(good).toMatchObject({ code: 0, stderr: '' });
    expect(good.stdout).toContain('shared payment log, Rights: This account can read');
    writeFileSync(join(intake.folder, 'database.password'), 'another password');
    const refused = await intake.command('check');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('The server rejected the account or its password.');
    const running = await intake.start();
    await expect.poll(() => running.output()).toContain('"cause":"28P01"');
    await running.end('SIGTERM');
    const elsewhere = await newIntake({}, 1);
    const silent = await elsewhere.command('check');
    expect(silent).toMatchObject({ code: 1 });
    expect(silent.stderr).toContain('The server responds, but PostgreSQL does not.');
  });

  test('intakes with a shared log acknowledge from the journal while PostgreSQL is killed, and ship all of it once afterwards', async () => {
    const intake = await newIntake();
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
    const intake = await newIntake({ acknowledgeWithinMs: 1_500 }, port);
    const strict = await newIntake({ acknowledgeWithinMs: 1_500, strict: true }, port);
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

  test('intakes with a shared log erase in every journal what one of them was asked to erase, and one of them is the keeper', async () => {
    const [one, two] = [await newIntake(), await newIntake()];
    const [first, second] = await Promise.all([one.start(), two.start()]);
    await Promise.all([isShipped(first), isShipped(second)]);
    const body = signedCallbacks(password)();
    expect(await Promise.all([first.post(body), second.post(body)])).toEqual([200, 200]);
    await Promise.all([isShipped(first), isShipped(second)]);
    expect(await one.command('erase', 'live', 'LOAD-1')).toMatchObject({ code: 0 });
    const personalIn = ({ journal }: IntakeFolder): number => {
      const opened = new Database(journal, { readonly: true });
      const count = opened.prepare<[], number>('SELECT count(*) FROM personal').pluck().get() ?? 0;
      opened.close();
      return count;
    };
    expect(personalIn(one)).toBe(0);
    await expect.poll(() => personalIn(two)).toBe(0);
    const keepers = async () =>
      new Set(
        (await Promise.all([first.health(), second.health()])).map(
          ({ health: { shared } }) => shared?.keeper,
        ),
      );
    await expect.poll(keepers).toEqual(new Set(['active', 'waiting']));
    const asAdministrator = async (...args: string[]): Promise<string> => {
      const done = await one.command(...args, ...administrator());
      expect(done, args.join(' ')).toMatchObject({ code: 0, stderr: '' });
      return done.stdout;
    };
    const lines = (await asAdministrator('installations')).trim().split('\n');
    expect(lines.map(line => JSON.parse(line) as unknown)).toMatchObject([
      { kind: 'intake', label: 'Intake 1', events: 3, toErase: 0, revoked: false },
      { kind: 'intake', label: 'Intake 2', events: 1, toErase: 0, revoked: false },
    ]);
    expect(await asAdministrator('retention', '400')).toContain('400 days');
    expect(await asAdministrator('retention', 'never')).toContain('not erased');
    expect(await asAdministrator('init')).toContain('restored');
    expect(await asAdministrator('add-console', 'Till 1', '--may', 'admin,eraser')).toContain(
      'counterfoil-join-1.',
    );
    const role = `${database.schema}_for_till_1`;
    expect(await asAdministrator('grant', role, '--may', 'keeper')).toContain(role);
    expect(await one.command('grant', role, '--may', 'everything', ...administrator())).toMatchObject({
      code: 2,
    });
    expect(await one.command('retention', '0', ...administrator())).toMatchObject({ code: 2 });
    for (const each of [one, two]) expect(await each.command('verify')).toMatchObject({ code: 0 });
    expect(await one.command('verify', '--shared')).toMatchObject({ code: 0, stderr: '' });
  }, 90_000);

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
    await cluster.sql(
      `INSERT INTO ${database.schema}.profile (id, body, callback_path, changed_by) VALUES ('${id}', '${body}', '/${id}', 'Ada')`,
      database.name,
    );
  };

  test('an intake with a shared log signs for its configured server alone, and says that the shared profile names another', async () => {
    const [gateway, other] = [
      await answering(json({ status: 'settled', order: {} })),
      await answering(json({ status: 'settled', order: {} })),
    ];
    const secondPath = callbackPath.replaceAll('0', '1');
    const profiles = [
      intakeProfile(gateway.port),
      intakeProfile(gateway.port, { id: 'second', callbackPath: secondPath }),
    ];
    const intake = await newIntake({ confirmPaid: true, profiles });
    await shareProfile('live', other.port);
    await shareProfile('second', gateway.port);
    const running = await intake.start();
    await isShipped(running);
    await expect.poll(async () => (await running.health()).health.otherServers).toEqual(['live']);
    const next = signedCallbacks(password);
    expect(await running.post(next())).toBe(200);
    const second = running.url.replace(callbackPath, secondPath);
    await fetch(second, { method: 'POST', body: new URLSearchParams(next()) });
    // The status of the first one would have been checked before.
    await expect.poll(() => gateway.requests.length).toBe(1);
    expect(other.requests).toEqual([]);
    expect(running.output()).toContain('names another server');
    expect(await running.metrics()).toContain('counterfoil_other_servers 1');
  });

  test('intakes with a shared log look up what was reported as paid, one of them for all', async () => {
    const gateway = await answering(json({ status: 'settled', order: {} }));
    const confirming = { confirmPaid: true, profiles: [intakeProfile(gateway.port)] };
    const [one, two] = [await newIntake(confirming), await newIntake(confirming)];
    await shareProfile('live', gateway.port);
    const [first, second] = await Promise.all([one.start(), two.start()]);
    await Promise.all([isShipped(first), isShipped(second)]);
    const next = signedCallbacks(password);
    const post = async (callback: string) =>
      expect(await Promise.all([first.post(callback), second.post(callback)])).toEqual([200, 200]);
    await post(next());
    const observed = () =>
      cluster.sql(`SELECT 1 FROM ${database.schema}.event WHERE kind = 'status.observed'`, database.name);
    await expect.poll(observed).toHaveLength(1);
    // The other one has decided about the first callback when it has decided about a second one.
    await post(next());
    await expect.poll(observed).toHaveLength(2);
    expect(gateway.requests).toHaveLength(2);
  });

  test('intakes with a shared log ship poisoned callbacks, join by a text, and are refused when revoked', async () => {
    const intake = await newIntake();
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
    const added = await intake.command('add-console', 'Till 3', ...administrator());
    const text = added.stdout.trim().split('\n').at(-1) ?? '';
    expect(text).toMatch(/^counterfoil-join-1\./);
    expect(
      JSON.parse(Buffer.from(text.slice('counterfoil-join-1.'.length), 'base64url').toString()),
    ).toMatchObject({
      host: '127.0.0.1',
      port: cluster.port,
      database: database.name,
      schema: database.schema,
      role: `${database.schema}_for_till_3`,
      password: expect.stringMatching(/^[\w-]{32}$/),
    });
    expect(await intake.command('init', ...administrator())).toMatchObject({ code: 0 });
    expect(await intake.command('revoke', 'unknown_role', ...administrator())).toMatchObject({ code: 2 });
    expect(await intake.command('add-console', ...administrator())).toMatchObject({ code: 2 });
    const [{ role } = { role: '' }] = await cluster.sql<{ role: string }>(
      `SELECT role FROM ${database.schema}.installation WHERE kind = 'intake'`,
      database.name,
    );
    expect(await intake.command('revoke', role, ...administrator())).toMatchObject({ code: 0 });
    await expect.poll(async () => (await running.health()).health.shared?.state).toBe('refused');
    expect(await running.post(signedCallbacks(password)())).toBe(200);
    expect((await keptBy(running))['journal']).toBe(1);
    expect(running.output()).not.toContain(role);
  });
});
