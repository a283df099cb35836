import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { hashPin } from '../../main/credentials/pin.ts';
import type { SharedPeople } from '../../main/payment-log/postgres/shared-people.ts';
import type { SharedLogSettings } from '../../main/payment-log/postgres/connection-settings.ts';
import { openSettings, type SettingsStore } from '../../main/settings/settings-store.ts';
import type { PeopleChange } from '../../main/team/people/people-copy.ts';
import { emptyCopy } from '../../main/team/people/merge-people.ts';
import { openTeamPeople, type TeamPeople } from '../../main/team/people/team-people.ts';
import { profileDefaults, type Profile } from '../../shared/settings/profile.ts';
import { fail } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';
import { useTeam } from '../../tools/postgres-harness/use-team.ts';

const shop: Profile = {
  ...profileDefaults,
  id: 'shop',
  name: 'Shop',
  kind: 'test',
  baseUrl: 'https://pay.example.com',
  merchantKey: 'key',
};

/** An installation of the team: its settings, and what it shares. */
type Installed = {
  settings: SettingsStore;
  people: TeamPeople;
  account: SharedLogSettings;
  changes: PeopleChange[];
  /** The keychain, by profile. */
  passwords: Map<string, string>;
  /** Its connection. */
  answering: SharedPeople | null;
  isKeychainLocked: boolean;
  isConnected: boolean;
};

describe.skipIf(isPostgresMissing)('people and profiles of a team (needs PostgreSQL)', () => {
  const { team, closing, signIn } = useTeam();
  let folder: string;
  beforeEach(() => {
    folder = newFolder('people');
  });

  const openConsole = async (label: string, person: string, port?: number): Promise<Installed> => {
    const account = await team.add('console', label, port, ['admin']);
    const settings = openSettings(join(folder, label, 'settings.json'), person);
    const { people: shared } = team.open(account);
    const passwords = new Map<string, string>();
    const people = openTeamPeople({
      shared: () => made.answering,
      requester: () => person,
      isConnected: () => made.isConnected,
      settings,
      elapsed: () => performance.now(),
      formerName: name => `${name} (until now)`,
      passwords: {
        copy: async (from, to) => void passwords.set(to, passwords.get(to) ?? passwords.get(from) ?? ''),
        remove: async id => {
          if (made.isKeychainLocked) return fail('keychain.locked', msg('error.keychain.locked'));
          passwords.delete(id);
          return { ok: true, value: undefined };
        },
      },
      pollEveryMs: 3_600_000,
    });
    const changes: PeopleChange[] = [];
    people.onChange(change => changes.push(change));
    closing.push(() => settings.close());
    closing.push(() => people.close());
    const made: Installed = {
      settings,
      people,
      account,
      changes,
      passwords,
      answering: shared,
      isKeychainLocked: false,
      isConnected: true,
    };
    return made;
  };
  /** The first installation shares its people and profiles, a later one takes those of the team. */
  const share = async ({ people }: Installed): Promise<void> => {
    const isFirst = must(await people.plan()).people.length === 0;
    must(await people.share(isFirst ? { person: null, pin: null } : null));
  };
  const bob = { id: randomUUID(), name: 'Bob', role: 'agent' as const };
  const namesOf = ({ settings }: Installed): string[] => settings.read().agents.map(({ name }) => name);
  const idOf = ({ settings }: Installed, name: string): string =>
    settings.read().agents.find(agent => agent.name === name)?.id ?? '';
  /** A first installation whose people are those of the team: Ada, an administrator with the PIN 1234. */
  const firstConsole = async (port?: number): Promise<{ one: Installed; ada: string }> => {
    const one = await openConsole('Counter 1', 'Ada', port);
    await share(one);
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
    const one = await openConsole('Counter 1', 'Ada');
    const two = await openConsole('Counter 2', 'Bob');
    await share(one);
    must(await one.people.putProfile(shop, `/${'ab'.repeat(16)}`, 'Ada'));
    await share(two);
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

  test('a later change of the saved views wins only if it was seen; the views of everyone are limited', async () => {
    const one = await openConsole('Counter 1', 'Ada');
    const two = await openConsole('Counter 2', 'Bob');
    await share(one);
    await share(two);
    const view = (name: string) => ({ id: randomUUID(), name, words: name, columns: null, owner: null });
    const viewsOf = ({ settings }: Installed): string[] =>
      settings.read().settings.views.map(({ name }) => name);
    must(await one.people.putViews([view('One')], 'Ada'));
    expect(await two.people.putViews([view('Two')], 'Bob')).toMatchObject({
      ok: false,
      error: { code: 'input.invalid', message: { key: 'team.views.changed' } },
    });
    expect([viewsOf(one), viewsOf(two)]).toEqual([['One'], ['One']]);
    const both = await Promise.all([
      one.people.putViews([view('A')], 'Ada'),
      two.people.putViews([view('B')], 'Bob'),
    ]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    await one.people.refresh();
    expect(viewsOf(one)).toEqual(viewsOf(two));
    const many = Array.from({ length: 21 }, (_, index) => view(`View ${index}`));
    expect(await one.people.putViews(many, 'Ada')).toMatchObject({ ok: false });
  });

  test('a local profile continues as the shared one of the same account, and keeps its id for earlier payments', async () => {
    const one = await openConsole('Counter 1', 'Ada');
    one.settings.change(stored => ({ ...stored, profiles: [shop] }));
    await share(one);
    expect(one.settings.read().team?.profiles).toEqual({ shop: 1 });
    const two = await openConsole('Counter 2', 'Bob');
    const template = { id: randomUUID(), name: 'Room', profileId: 'mine', currency: 'EUR' };
    two.settings.change(stored => ({
      ...stored,
      profiles: [
        { ...shop, id: 'mine', name: 'My shop' },
        { ...shop, id: 'extra', merchantKey: 'other' },
      ],
      templates: [{ ...template, amount: null, description: '', methods: [] }],
      settings: { ...stored.settings, activeProfileId: 'mine' },
    }));
    two.passwords.set('mine', 'correct horse');
    expect(must(await two.people.plan()).profiles).toEqual(['Shop']);
    // Interrupted after it was chosen: the rest follows when the shared log answers again.
    const { answering } = two;
    two.answering = null;
    two.settings.change(stored => ({
      ...stored,
      team: { ...emptyCopy, pending: [{ id: 'extra', to: null }] },
    }));
    expect(await two.people.refresh()).toMatchObject({ ok: false, error: { code: 'log.unreachable' } });
    expect(two.people.sharing()).toMatchObject({ isPending: true });
    expect(two.settings.profile('mine')?.name).toBe('My shop');
    two.answering = answering;
    must(await two.people.refresh());
    expect(two.people.sharing()).toMatchObject({ isPending: false, profiles: ['extra', 'shop'] });
    const { profiles, templates, settings } = two.settings.read();
    expect(profiles.map(({ id, name }) => [id, name])).toEqual([
      ['extra', 'Shop'],
      ['shop', 'Shop'],
      ['mine', 'My shop (until now)'],
    ]);
    expect(templates.map(({ profileId }) => profileId)).toEqual(['shop']);
    expect(settings.activeProfileId).toBe('shop');
    expect(Object.fromEntries(two.passwords)).toEqual({ mine: 'correct horse', shop: 'correct horse' });
    must(await one.people.refresh());
    expect(one.settings.profile('extra')?.merchantKey).toBe('other');
  });

  test('an account of the team gets no second profile from an installation that adds its own', async () => {
    const one = await openConsole('Counter 1', 'Ada');
    one.settings.change(stored => ({ ...stored, profiles: [shop] }));
    await share(one);
    const two = await openConsole('Counter 2', 'Bob');
    two.settings.change(stored => ({ ...stored, profiles: [{ ...shop, id: 'mine', merchantKey: 'KEY' }] }));
    must(await two.people.share({ person: idOf(one, 'Ada'), pin: null }));
    expect(namesOf(two)).toEqual(['Ada', 'Bob']);
    expect(two.settings.read().profiles.map(({ id, name }) => `${id}: ${name}`)).toEqual([
      'shop: Shop',
      'mine: Shop (until now)',
    ]);
    expect(await team.sql('SELECT id FROM profile')).toEqual([{ id: 'shop' }]);
  });

  test('a password is not used for another server that a profile names later', async () => {
    const one = await openConsole('Counter 1', 'Ada');
    const two = await openConsole('Counter 2', 'Bob');
    one.settings.change(stored => ({ ...stored, profiles: [shop] }));
    await share(one);
    await share(two);
    two.passwords.set('shop', 'correct horse');
    must(await one.people.putProfile({ ...shop, merchantKey: 'new key' }, '/p', 'Ada'));
    must(await two.people.refresh());
    expect(two.passwords.has('shop')).toBe(true);
    must(await one.people.putProfile({ ...shop, baseUrl: 'https://other.example' }, '/p', 'Ada'));
    must(await two.people.refresh());
    expect(two.settings.profile('shop')?.baseUrl).toBe('https://other.example');
    expect(two.passwords.has('shop')).toBe(false);
    // While the keychain is locked, the profile waits; people do not.
    two.isKeychainLocked = true;
    must(await one.people.putProfile({ ...shop, baseUrl: 'https://third.example' }, '/p', 'Ada'));
    must(await one.people.putPerson({ person: idOf(one, 'Ada'), pin: null }, bob, undefined));
    must(await two.people.refresh());
    expect(namesOf(two)).toEqual(['Ada', 'Bob']);
    expect(two.settings.profile('shop')?.baseUrl).toBe('https://other.example');
    two.isKeychainLocked = false;
    must(await two.people.refresh());
    expect(two.settings.profile('shop')?.baseUrl).toBe('https://third.example');
  });

  test('people of a later installation are added with their PINs, by an administrator of the team', async () => {
    const { ada } = await firstConsole();
    const two = await openConsole('Counter 2', 'Bob');
    const bob = idOf(two, 'Bob');
    const pin = await hashPin('5678');
    two.settings.change(stored => ({
      ...stored,
      agents: stored.agents.map(agent => ({ ...agent, role: 'administrator', pin })),
    }));
    const plan = must(await two.people.plan());
    expect([plan.people, plan.newPeople].map(people => people.map(({ name }) => name))).toEqual([
      ['Ada'],
      ['Bob'],
    ]);
    const added = (person: string, pin: string) => two.people.share({ person, pin });
    expect(await added(bob, '5678')).toMatchObject({ ok: false });
    expect(await added(ada, '9999')).toMatchObject({ error: { code: 'agent.wrong-pin' } });
    expect(two.people.sharing()).toBeNull();
    must(await added(ada, '1234'));
    expect(namesOf(two)).toEqual(['Ada', 'Bob']);
    expect(two.changes.map(({ isSignedInGone }) => isSignedInGone)).toEqual([false]);
    // What would prove the PIN in the database is no longer on the disk.
    expect(two.settings.read().agents.find(({ id }) => id === bob)?.pin?.hash).not.toBe(pin.hash);
    must(await two.people.signIn(bob, '5678'));
  });

  test('a person who loses rights or gets another PIN elsewhere has to sign in again, own changes leave the session', async () => {
    const { one, ada } = await firstConsole();
    const bob = { id: randomUUID(), name: 'Bob', role: 'supervisor' as const };
    const byAda = { person: ada, pin: '1234' };
    must(await one.people.putPerson(byAda, bob, '5678'));
    const two = await openConsole('Counter 2', 'Eve');
    await share(two);
    must(await two.people.signIn(bob.id, '5678'));
    two.settings.change(stored => ({ ...stored, settings: { ...stored.settings, agent: 'Bob' } }));
    const changed = async (): Promise<boolean | undefined> => {
      must(await two.people.refresh());
      return two.changes.at(-1)?.isSignedInChanged;
    };
    must(await one.people.putPerson(byAda, { ...bob, role: 'administrator' }, undefined));
    expect(await changed()).toBe(false);
    must(await one.people.putPerson(byAda, { ...bob, role: 'agent' }, undefined));
    expect(await changed()).toBe(true);
    // Others are read while an own change is on its way too.
    const polling = async (): Promise<void> => {
      for (let round = 0; round < 60; round += 1) must(await two.people.refresh());
    };
    const [changing] = await Promise.all([two.people.changePin(bob.id, '5678', '8765'), polling()]);
    must(changing);
    expect(two.changes.filter(({ isSignedInChanged }) => isSignedInChanged)).toHaveLength(1);
    expect(await changed()).toBe(false);
    must(await one.people.putPerson(byAda, { ...bob, role: 'agent' }, '4321'));
    expect(await changed()).toBe(true);
    expect(one.changes.some(({ isSignedInChanged }) => isSignedInChanged)).toBe(false);
  });

  test('a password is refused by the database too', async () => {
    const { people } = team.open(await team.add('console', 'Counter 1', undefined, ['admin']));
    const profile = { id: 'shop', body: JSON.stringify({ ...shop, password: 'secret' }), callbackPath: '/p' };
    expect(await people.putProfile(profile, null, 'Ada')).toMatchObject({ ok: false });
    expect(await team.sql('SELECT * FROM profile')).toEqual([]);
  });

  test('people of the first installation are those of the team, and a second one does not replace them', async () => {
    const { one } = await firstConsole();
    const two = await openConsole('Counter 2', 'Bob');
    await share(two);
    expect(namesOf(two)).toEqual(['Ada']);
    expect(two.changes.map(({ isSignedInGone }) => isSignedInGone)).toEqual([true]);
    expect(one.changes.some(({ isSignedInGone }) => isSignedInGone)).toBe(false);
    expect(two.settings.read().settings.agent).toBe('Ada');
  });

  test('a PIN is compared in the database; after wrong ones their installation waits, and no other one', async () => {
    const { one, ada } = await firstConsole();
    const two = await openConsole('Counter 2', 'Bob');
    await share(two);
    must(await two.people.signIn(ada, '1234'));
    expect(await two.people.signIn(ada, null)).toMatchObject({ error: { code: 'agent.wrong-pin' } });
    const wrong = await Promise.all(
      [two, two, two, two, two].map(({ people }) => people.signIn(ada, '9999')),
    );
    expect(wrong.every(({ ok }) => !ok)).toBe(true);
    expect(await two.people.signIn(ada, '1234')).toMatchObject({ error: { code: 'agent.wait' } });
    must(await one.people.signIn(ada, '1234'));
    const counted = () => team.administer(async by => must(await by.installations()).map(of => of.wrongPins));
    expect(await counted()).toEqual([0, 5]);
    // Many accounts do not give many attempts.
    await team.sql('UPDATE agent_attempt SET wrong = 50 WHERE wrong > 0');
    expect(await one.people.signIn(ada, '1234')).toMatchObject({ error: { code: 'agent.wait' } });
    await team.sql("UPDATE agent_attempt SET wait_until = NULL, tried_at = now() - interval '31 seconds'");
    must(await two.people.signIn(ada, '1234'));
    expect(await counted()).toEqual([0, 0]);
  });

  test('a PIN’s hash never leaves the database, and does not sign in', async () => {
    const { one, ada } = await firstConsole();
    const thief = await signIn(one.account);
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
    const plain = team.open(await team.add('console', 'Counter 2'));
    expect(await plain.people.setRetention(1)).toMatchObject({ ok: false, error: { code: 'log.denied' } });
    expect(must(await plain.people.hasRight('admin'))).toBe(false);
    expect(must(await team.open(one.account).people.hasRight('admin'))).toBe(true);
  });

  test('a change of people is confirmed by an administrator’s PIN, and an administrator remains', async () => {
    const { one, ada } = await firstConsole();
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

  test('a PIN that was never used here is answered while the server is known to be away, though it answers nothing', async () => {
    const { ada } = await firstConsole();
    const two = await openConsole('Counter 2', 'Bob');
    await share(two);
    two.isConnected = false;
    two.answering = two.answering && { ...two.answering, salt: () => new Promise(() => undefined) };
    expect(await two.people.signIn(ada, '1234')).toMatchObject({
      error: { code: 'log.unreachable', message: { key: 'team.sign-in.unknown' } },
    });
  });

  test('an installation has a task until its time is over, and another one then', async () => {
    const shared = team.open(await team.add('console', 'Counter 1', undefined, ['admin', 'keeper']));
    const { people } = shared;
    for (const chain of ['one', 'two']) must(await shared.join(chain, () => undefined));
    must(await people.setRetention(400));
    expect(must(await people.read(null))?.retentionDays).toBe(400);
    expect(must(await people.claim('keeper', 'one', 60_000))).toBe(true);
    expect(must(await people.claim('keeper', 'two', 60_000))).toBe(false);
    expect(must(await people.claim('keeper', 'one', 0))).toBe(true);
    await expect.poll(async () => must(await people.claim('keeper', 'two', 60_000))).toBe(true);
  });
});
