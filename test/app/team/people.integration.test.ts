import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { joiningText } from '../../../main/team/joining-text.ts';
import {
  addShop,
  newPayment,
  startTestApp,
  value,
  type TestApp,
} from '../../../tools/app-harness/running-app.ts';
import { isPostgresMissing } from '../../../tools/postgres-harness/cluster.ts';
import { startProxy } from '../../../tools/postgres-harness/proxy.ts';
import { useTeam } from '../../../tools/postgres-harness/use-team.ts';

/** Time within which a change is at the other consoles, milliseconds: they look every 5 seconds. */
const timeout = 12_000;

describe.skipIf(isPostgresMissing)('people and profiles in the consoles of a team (needs PostgreSQL)', () => {
  const { cluster, team, closing } = useTeam();
  let one: TestApp;

  const start = async (): Promise<TestApp> => {
    const app = await startTestApp();
    closing.push(() => app.remove());
    return app;
  };
  const state = async (app: TestApp) => value(await app.request('app.read', {}));
  const namesIn = async (app: TestApp): Promise<string[]> =>
    value(await app.request('app.lock', {})).agents.map(({ name }) => name);
  const idOf = async (app: TestApp, name: string): Promise<string> =>
    value(await app.request('app.lock', {})).agents.find(agent => agent.name === name)?.id ?? '';
  const joined = async (app: TestApp, label: string, port?: number, rights = ['admin' as const]) => {
    const text = joiningText(await team.add('console', label, port, rights));
    value(await app.request('team.join', { text }));
    await expect.poll(async () => (await state(app)).team?.state, { timeout }).toBe('connected');
  };
  const share = async (app: TestApp): Promise<void> => {
    const { people } = value(await app.request('team.plan', {}));
    await app.request('team.share', { adding: people.length === 0 ? { person: null, pin: null } : null });
  };

  beforeEach(async () => {
    one = await start();
  });

  test('a person added at one console signs in at the other, and is locked out once removed', async () => {
    const { agentId: anna } = await state(one);
    await joined(one, 'Counter 1');
    expect((await state(one)).sharing).toBeNull();
    await share(one);
    expect((await state(one)).sharing).toMatchObject({ arePeopleShared: true });
    value(await one.request('agents.save', { id: anna, name: 'anna', role: 'administrator', pin: '1234' }));

    const two = await start();
    await joined(two, 'Counter 2');
    await share(two);
    // The person of this console is not one of the team: a person has to sign in.
    expect(await two.request('app.read', {})).toMatchObject({ ok: false, error: { code: 'app.locked' } });
    expect(two.outside.reloads).toBe(1);

    const grace = value(
      await one.request('agents.save', {
        id: null,
        name: 'Grace',
        role: 'supervisor',
        pin: '2468',
        oldPin: '1234',
      }),
    );
    await expect.poll(() => namesIn(two), { timeout }).toEqual(['anna', 'Grace']);
    expect(await two.request('agents.signIn', { id: grace.id, pin: '1111' })).toMatchObject({
      ok: false,
      error: { code: 'agent.wrong-pin' },
    });
    value(await two.request('agents.signIn', { id: grace.id, pin: '2468' }));
    // Her role holds at the other console too.
    expect(await two.request('team.leave', {})).toMatchObject({
      ok: false,
      error: { code: 'agent.not-allowed' },
    });
    value(await two.request('payments.create', newPayment()));
    value(await two.request('agents.save', { id: grace.id, name: 'Grace', pin: '8642', oldPin: '2468' }));
    expect((await state(two)).agents.map(({ name }) => name)).toEqual(['anna', 'Grace']);

    value(await one.request('agents.remove', { id: grace.id, pin: '1234' }));
    await expect.poll(() => two.outside.reloads, { timeout }).toBe(2);
    expect(await two.request('app.read', {})).toMatchObject({ ok: false, error: { code: 'app.locked' } });
    expect(await two.request('agents.signIn', { id: grace.id, pin: '8642' })).toMatchObject({ ok: false });
    value(await two.request('agents.signIn', { id: anna, pin: '1234' }));
    const signedOut = async () =>
      value(
        await two.request('activity.list', { person: 'Grace', group: 'sign-ins', before: null }),
      ).rows.map(({ agent, action, details }) => [agent, action, details.reason]);
    await expect.poll(signedOut, { timeout }).toContainEqual(['Grace', 'signed-out', 'team']);
    // The rule of the team is shown beside the own one.
    expect((await state(two)).sharing?.retentionDays).toBeNull();
    await team.administer(administration => administration.setRetention(30));
    await expect.poll(async () => (await state(two)).sharing?.retentionDays, { timeout }).toBe(30);
    const settings = readFileSync(join(two.folder, 'settings.json'), 'utf8');
    const [stored] = await team.sql<{ hash: string; salt: string }>(
      "SELECT encode(pin_hash, 'hex') AS hash, encode(pin_salt, 'hex') AS salt FROM agent",
    );
    expect(settings).not.toContain(stored?.hash);
    expect(settings).not.toContain(stored?.salt);
  });

  test('without the server, people of a team sign in with the PIN that they used here, and change nothing', async () => {
    const proxy = await startProxy(cluster.host, cluster.port);
    closing.push(() => proxy.close());
    const { agentId: anna } = await state(one);
    value(await one.request('agents.save', { id: anna, name: 'anna', pin: '1234' }));
    await joined(one, 'Counter 1', proxy.port);
    await share(one);
    // It was set before the console joined: it is known here once it was checked in the database.
    expect(await one.request('team.leave', {})).toMatchObject({
      error: { message: { key: 'team.leave.pin' } },
    });
    value(await one.request('agents.signOut', {}));
    value(await one.request('agents.signIn', { id: anna, pin: '1234' }));
    const grace = value(
      await one.request('agents.save', { id: null, name: 'Grace', pin: '2468', oldPin: '1234' }),
    );
    await proxy.close();
    await expect.poll(async () => (await state(one)).team?.state, { timeout }).toBe('unreachable');
    expect(
      await one.request('agents.save', { id: null, name: 'Eve', pin: null, oldPin: '1234' }),
    ).toMatchObject({ error: { code: 'log.unreachable' } });
    value(await one.request('agents.signOut', {}));
    expect(value(await one.request('app.lock', {})).isTeamUnreachable).toBe(true);
    expect(await one.request('agents.signIn', { id: grace.id, pin: '2468' })).toMatchObject({
      error: { code: 'log.unreachable', message: { key: 'team.sign-in.unknown' } },
    });
    expect(await one.request('agents.signIn', { id: anna, pin: '9999' })).toMatchObject({
      error: { code: 'agent.wrong-pin' },
    });
    value(await one.request('agents.signIn', { id: anna, pin: '1234' }));
    // What stays after leaving: the same people, with the PINs that are known here.
    value(await one.request('team.leave', {}));
    const alone = await state(one);
    expect([alone.team, alone.sharing]).toEqual([null, null]);
    expect(alone.agents.map(({ name, hasPin }) => [name, hasPin])).toEqual([
      ['anna', true],
      ['Grace', true],
    ]);
    value(await one.request('agents.save', { id: grace.id, name: 'Grace', pin: '1357', oldPin: '1234' }));
    value(await one.request('agents.signIn', { id: grace.id, pin: '1357' }));
  });

  test('a profile is added once, changed anywhere, and removed everywhere', async () => {
    const id = await addShop(one);
    await joined(one, 'Counter 1');
    await share(one);
    expect((await state(one)).sharing?.profiles).toEqual([id]);
    const two = await start();
    const local = await addShop(two);
    const orderNumber = 'BEFORE-1';
    value(await two.request('payments.create', newPayment({ orderNumber })));
    await joined(two, 'Counter 2', undefined, []);
    const plan = value(await two.request('team.plan', {}));
    expect(plan).toMatchObject({
      mayChange: false,
      profiles: [],
      newPeople: [],
    });
    await share(two);
    const anna = await idOf(two, 'anna');
    value(await two.request('agents.signIn', { id: anna, pin: null }));
    const { profiles, settings } = await state(two);
    expect(profiles.find(one => one.id === id)).toMatchObject({ name: 'Shop', password: 'this-run-only' });
    expect(profiles.find(one => one.id === local)?.name).toMatch(/^Shop \(until /);
    expect(settings.activeProfileId).toBe('sandbox');
    const [draft] = (await state(one)).profiles.filter(one => one.id === id);
    if (!draft) throw new Error('The profile is missing.');
    const { id: _id, password: _password, ...profile } = draft;
    value(
      await one.request('profiles.save', { id, profile: { ...profile, name: 'Shop A' }, password: null }),
    );
    const shown = async () => (await state(two)).profiles.find(one => one.id === id)?.name;
    await expect.poll(shown, { timeout }).toBe('Shop A');
    expect(
      await two.request('profiles.save', { id, profile: { ...profile, name: 'Shop B' }, password: null }),
    ).toMatchObject({ error: { code: 'log.denied', message: { key: 'team.people.no-right' } } });
    value(await one.request('profiles.remove', { id }));
    await expect.poll(shown, { timeout }).toBeUndefined();
    const read = await two.request('payments.read', { profileId: 'sandbox', orderNumber });
    expect(value(read).payment.orderNumber).toBe(orderNumber);
  });
});
