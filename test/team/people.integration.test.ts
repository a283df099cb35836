import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chainsSchema } from '../../main/payment-log/postgres/schema/0001-chains.ts';
import type { SharedLogSettings } from '../../main/payment-log/postgres/settings.ts';
import { openSettings, type SettingsStore } from '../../main/settings/settings-store.ts';
import { openTeamPeople, type TeamPeople } from '../../main/team/people/team-people.ts';
import { profileDefaults, type Profile } from '../../shared/settings/profile.ts';
import { isPostgresMissing, startCluster, type Cluster } from '../../tools/postgres-harness/cluster.ts';
import { startProxy } from '../../tools/postgres-harness/proxy.ts';
import { createTeam, must, type Team } from '../../tools/postgres-harness/shared-log.ts';

const shop: Profile = {
  ...profileDefaults,
  id: 'shop',
  name: 'Shop',
  kind: 'test',
  baseUrl: 'https://pay.example.com',
  merchantKey: 'key',
};

/** An installation of the team: its settings, and what it shares. */
type Desk = {
  settings: SettingsStore;
  people: TeamPeople;
  account: SharedLogSettings;
  signedInGone: boolean[];
};

describe.skipIf(isPostgresMissing)('people and profiles of a team (needs PostgreSQL)', () => {
  let cluster: Cluster;
  let team: Team;
  let folder: string;
  const closing: (() => Promise<unknown> | void)[] = [];

  beforeAll(async () => {
    cluster = await startCluster();
  }, 60_000);
  afterAll(() => cluster?.remove());
  beforeEach(async () => {
    team = await createTeam(cluster);
    folder = mkdtempSync(join(tmpdir(), 'counterfoil-people-'));
  });
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
    await team.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const desk = async (label: string, person: string, port?: number): Promise<Desk> => {
    const account = await team.add('desk', label, port, ['admin']);
    const settings = openSettings(join(folder, label, 'settings.json'), person);
    const { people: shared } = team.open(account);
    const people = openTeamPeople({
      shared,
      settings,
      elapsed: () => performance.now(),
      pollEveryMs: 3_600_000,
    });
    const signedInGone: boolean[] = [];
    people.onChange(isGone => signedInGone.push(isGone));
    closing.push(
      () => settings.close(),
      () => people.close(),
    );
    return { settings, people, account, signedInGone };
  };
  const namesOf = ({ settings }: Desk): string[] => settings.read().agents.map(({ name }) => name);
  const idOf = ({ settings }: Desk, name: string): string =>
    settings.read().agents.find(agent => agent.name === name)?.id ?? '';
  /** A first installation whose people are those of the team: Ada, an administrator with the PIN 1234. */
  const firstDesk = async (port?: number): Promise<{ one: Desk; ada: string }> => {
    const one = await desk('Desk 1', 'Ada', port);
    expect(must(await one.people.importPeople())).toBe(true);
    const ada = idOf(one, 'Ada');
    must(
      await one.people.putPerson(
        { person: ada, pin: null },
        { id: ada, name: 'Ada', role: 'administrator' },
        '1234',
      ),
    );
    return { one, ada };
  };

  test('a profile has one id at all installations, and its later change wins only if it was seen', async () => {
    const one = await desk('Desk 1', 'Ada');
    const two = await desk('Desk 2', 'Bob');
    must(await one.people.putProfile(shop, `/${'ab'.repeat(16)}`, 'Ada'));
    must(await two.people.refresh());
    expect(two.settings.read().profiles).toEqual([shop]);
    expect(two.settings.callbackPath('shop')).toBe(`/${'ab'.repeat(16)}`);
    must(await two.people.putProfile({ ...shop, name: 'Shop A' }, `/${'ab'.repeat(16)}`, 'Bob'));
    expect(await one.people.putProfile({ ...shop, name: 'Shop B' }, '/p', 'Ada')).toMatchObject({
      ok: false,
      error: { code: 'input.invalid', message: { key: 'team.profile.changed' } },
    });
    expect(one.settings.profile('shop')?.name).toBe('Shop A');
    must(await one.people.removeProfile('shop'));
    must(await two.people.refresh());
    expect(two.settings.read().profiles).toEqual([]);
  });

  test('a password is refused by the database too', async () => {
    const { people } = team.open(await team.add('desk', 'Desk 1', undefined, ['admin']));
    const profile = { id: 'shop', body: JSON.stringify({ ...shop, password: 'secret' }), callbackPath: '/p' };
    expect(await people.putProfile(profile, null, 'Ada')).toMatchObject({ ok: false });
    expect(await team.sql('SELECT * FROM profile')).toEqual([]);
  });

  test('people of the first installation are those of the team, and a second one does not replace them', async () => {
    const { one } = await firstDesk();
    const two = await desk('Desk 2', 'Bob');
    expect(must(await two.people.importPeople())).toBe(false);
    must(await two.people.refresh());
    expect(namesOf(two)).toEqual(['Ada']);
    expect(two.signedInGone).toEqual([true]);
    expect(one.signedInGone).not.toContain(true);
    expect(two.settings.read().settings.agent).toBe('Ada');
  });

  test('a PIN is compared in the database, its wrong ones are counted for all installations', async () => {
    const { one, ada } = await firstDesk();
    const two = await desk('Desk 2', 'Bob');
    must(await two.people.refresh());
    must(await two.people.signIn(ada, '1234'));
    expect(await two.people.signIn(ada, null)).toMatchObject({ error: { code: 'agent.wrong-pin' } });
    const wrong = await Promise.all(
      [one, two, one, two, one].map(({ people }) => people.signIn(ada, '9999')),
    );
    expect(wrong.every(({ ok }) => !ok)).toBe(true);
    expect(await one.people.signIn(ada, '1234')).toMatchObject({ error: { code: 'agent.wait' } });
    expect(await two.people.signIn(ada, '1234')).toMatchObject({ error: { code: 'agent.wait' } });
    await team.sql("UPDATE agent SET wait_until = now() - interval '1 second'");
    must(await two.people.signIn(ada, '1234'));
    const [counted] = await team.sql<{ wrong: number }>('SELECT wrong FROM agent');
    expect(counted).toEqual({ wrong: 0 });
  });

  test('a PIN’s hash never leaves the database, and does not sign in', async () => {
    const { one, ada } = await firstDesk();
    const { host, port, database, role, password } = one.account;
    const thief = new Client({ host, port, database, user: role, password: password ?? '' });
    await thief.connect();
    closing.push(() => thief.end());
    await thief.query(`SET search_path = ${team.schema}`);
    for (const statement of [
      'SELECT * FROM agent',
      'UPDATE agent SET pin_hash = NULL',
      'DELETE FROM agent',
      'UPDATE profile SET version = 0',
      "INSERT INTO rule VALUES ('retentionDays', '1')",
      'SELECT keep_1()',
      'UPDATE claim SET until = now()',
      'DELETE FROM erased',
      `SELECT agent_confirm('${ada}', NULL, '${ada}')`,
    ])
      await expect(thief.query(statement), statement).rejects.toMatchObject({ code: '42501' });
    const [stored] = await team.sql<{ hash: Buffer }>('SELECT pin_hash AS hash FROM agent');
    const { rows } = await thief.query('SELECT outcome FROM agent_try_1($1, $2)', [ada, stored?.hash]);
    expect(rows).toEqual([{ outcome: 'wrong' }]);
    const plain = team.open(await team.add('desk', 'Desk 2'));
    expect(await plain.people.setRetention(1)).toMatchObject({ ok: false, error: { code: 'log.denied' } });
    expect(must(await plain.people.hasRight('admin'))).toBe(false);
    expect(must(await team.open(one.account).people.hasRight('admin'))).toBe(true);
  });

  test('a change of people is confirmed by an administrator’s PIN, and an administrator remains', async () => {
    const { one, ada } = await firstDesk();
    const bob = { id: randomUUID(), name: 'Bob', role: 'agent' as const };
    expect(await one.people.putPerson({ person: ada, pin: '0000' }, bob, '5678')).toMatchObject({
      error: { code: 'agent.wrong-pin' },
    });
    must(await one.people.putPerson({ person: ada, pin: '1234' }, bob, '5678'));
    expect(namesOf(one)).toEqual(['Ada', 'Bob']);
    expect(
      await one.people.putPerson(
        { person: bob.id, pin: '5678' },
        { ...bob, role: 'administrator' },
        undefined,
      ),
    ).toMatchObject({ error: { message: { key: 'team.people.denied' } } });
    expect(
      await one.people.putPerson({ person: ada, pin: '1234' }, { ...bob, name: 'ADA' }, undefined),
    ).toMatchObject({ error: { message: { key: 'agents.name-taken' } } });
    expect(
      await one.people.putPerson(
        { person: ada, pin: '1234' },
        { id: ada, name: 'Ada', role: 'agent' },
        undefined,
      ),
    ).toMatchObject({ error: { message: { key: 'agents.last-administrator' } } });
    must(await one.people.changePin(bob.id, '5678', '8765'));
    must(await one.people.signIn(bob.id, '8765'));
    must(await one.people.removePerson({ person: ada, pin: '1234' }, bob.id));
    expect(namesOf(one)).toEqual(['Ada']);
    expect(await one.people.removePerson({ person: ada, pin: '1234' }, ada)).toMatchObject({ ok: false });
  });

  test('without the shared log, a PIN that was used here is admitted, another one is not', async () => {
    const proxy = await startProxy(cluster.host, cluster.port);
    closing.push(() => proxy.close());
    const { one, ada } = await firstDesk();
    const two = await desk('Desk 2', 'Bob', proxy.port);
    must(await two.people.refresh());
    const three = await desk('Desk 3', 'Eve', proxy.port);
    must(await three.people.refresh());
    must(await two.people.signIn(ada, '1234'));
    await proxy.close();
    must(await two.people.signIn(ada, '1234'));
    expect(await two.people.signIn(ada, '9999')).toMatchObject({ error: { code: 'agent.wrong-pin' } });
    expect(await three.people.signIn(ada, '1234')).toMatchObject({ error: { code: 'log.unreachable' } });
    expect(await three.people.signIn(ada, null)).toMatchObject({ error: { code: 'log.unreachable' } });
    expect(await two.people.putProfile(shop, '/p', 'Ada')).toMatchObject({
      error: { code: 'log.unreachable' },
    });
    expect(two.settings.read().agents.map(({ pin }) => pin?.salt)).not.toEqual(
      one.settings.read().agents.map(({ pin }) => pin?.salt),
    );
  });

  test('a log of an earlier version is upgraded, and says so until then', async () => {
    const { schema } = team;
    await team.sql(`DROP SCHEMA ${schema} CASCADE; ${chainsSchema.replaceAll(':schema', schema)}`);
    const { people } = team.open(await team.add('desk', 'Desk 1', undefined, ['admin']));
    expect(await people.read(null)).toMatchObject({ ok: false, error: { code: 'log.outdated' } });
    const upgraded = await team.administer(administration => administration.upgrade());
    expect(upgraded).toMatchObject({ ok: true, value: { from: 1 } });
    expect(must(await people.read(null))).toMatchObject({ profiles: [], agents: [], retentionDays: null });
    must(await people.setRetention(400));
    expect(must(await people.read(null))?.retentionDays).toBe(400);
    expect(must(await people.claim('keeper', 'one', 60_000))).toBe(true);
    expect(must(await people.claim('keeper', 'two', 60_000))).toBe(false);
    expect(must(await people.claim('keeper', 'one', 0))).toBe(true);
    await expect.poll(async () => must(await people.claim('keeper', 'two', 60_000))).toBe(true);
  });
});
