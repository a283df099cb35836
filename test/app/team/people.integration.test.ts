import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, newPayment, startTestApp, value } from '../../../tools/app-harness/running-app.ts';
import { isPostgresMissing } from '../../../tools/postgres-harness/cluster.ts';
import { agreeWithinMs as timeout, joinTeam } from '../../../tools/postgres-harness/join-team.ts';
import { useTeam } from '../../../tools/postgres-harness/use-team.ts';
import type { SavedView } from '../../../shared/settings/saved-view.ts';

describe.skipIf(isPostgresMissing)('people and profiles in the consoles of a team (needs PostgreSQL)', () => {
  const { team, closing } = useTeam();
  let one: TestApp;

  const start = async (): Promise<TestApp> => {
    const app = await startTestApp();
    closing.push(() => app.remove());
    return app;
  };
  const state = async (app: TestApp) => await app.state();
  const namesIn = async (app: TestApp): Promise<string[]> =>
    (await app.value('app.lock', {})).agents.map(({ name }) => name);
  const joined = async (app: TestApp, label: string): Promise<void> =>
    joinTeam(app, await team.add('console', label, undefined, ['admin']));
  const share = async (app: TestApp): Promise<void> => {
    const { people } = await app.value('team.plan', {});
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
    await one.value('agents.save', { id: anna, name: 'anna', role: 'administrator', pin: '1234' });

    const two = await start();
    await joined(two, 'Counter 2');
    await share(two);
    // The person of this console is not one of the team: a person has to sign in.
    expect(await two.refusal('app.read', {})).toBe('app.locked');
    expect(two.outside.reloads).toBe(1);

    const grace = await one.addPerson('Grace', 'supervisor', '2468', '1234');
    await expect.poll(() => namesIn(two), { timeout }).toEqual(['anna', 'Grace']);
    expect(await two.refusal('agents.signIn', { id: grace.id, pin: '1111' })).toBe('agent.wrong-pin');
    await two.value('agents.signIn', { id: grace.id, pin: '2468' });
    // Her role holds at the other console too.
    expect(await two.refusal('team.leave', {})).toBe('agent.not-allowed');
    await two.value('payments.create', newPayment());
    await two.value('agents.save', { id: grace.id, name: 'Grace', pin: '8642', oldPin: '2468' });
    expect((await state(two)).agents.map(({ name }) => name)).toEqual(['anna', 'Grace']);

    await one.value('agents.remove', { id: grace.id, pin: '1234' });
    await expect.poll(() => two.outside.reloads, { timeout }).toBe(2);
    expect(await two.refusal('app.read', {})).toBe('app.locked');
    expect(await two.request('agents.signIn', { id: grace.id, pin: '8642' })).toMatchObject({ ok: false });
    await two.value('agents.signIn', { id: anna, pin: '1234' });
    const signedOut = async () =>
      (await two.value('activity.list', { person: 'Grace', group: 'sign-ins', before: null })).rows.map(
        ({ agent, action, details }) => [agent, action, details.reason],
      );
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

  const view = (name: string, words = name.toLowerCase(), owner: string | null = null): SavedView => ({
    id: crypto.randomUUID(),
    name,
    words,
    columns: null,
    owner,
  });
  const viewsOf = async (app: TestApp): Promise<SavedView[]> => (await state(app)).settings.views;
  const namesOf = async (app: TestApp) => (await viewsOf(app)).map(({ name }) => name);
  const save = (app: TestApp, views: SavedView[]) => app.request('settings.change', { views });
  /** Joins and shares; the first person of the team signs in. */
  const joinViews = async (app: TestApp, label: string): Promise<void> => {
    await joined(app, label);
    await share(app);
    const [first] = (await app.value('app.lock', {})).agents;
    if (first && !(await app.request('app.read', {})).ok)
      await app.value('agents.signIn', { id: first.id, pin: null });
    await expect.poll(async () => (await state(app)).sharing?.areViewsShared, { timeout }).toBe(true);
  };

  test('a console that joins adds its views to those for everyone, and keeps them when it leaves; a personal one stays on its computer', async () => {
    const chairs = view('Chairs');
    value(await save(one, [chairs, view('Due', 'open days:7')]));
    const two = await start();
    await joinViews(one, 'Counter 1');
    value(await save(two, [view('The same', 'chairs'), view('due', 'open days:30'), view('Lamps')]));
    await joinViews(two, 'Counter 2');
    const all = ['Chairs', 'Due', 'due (2)', 'Lamps'];
    const sortedOf = async (app: TestApp) => (await namesOf(app)).toSorted();
    expect(await sortedOf(two)).toEqual(all.toSorted());
    await expect.poll(() => namesOf(one), { timeout }).toEqual(all);
    const { agentId } = await state(one);
    value(await save(one, [view('Mine', 'mine', agentId), ...(await viewsOf(one)), view('Tables')]));
    await expect.poll(() => sortedOf(two), { timeout }).toEqual([...all, 'Tables'].toSorted());
    const seats = { ...chairs, name: 'Seats', columns: ['amount' as const, 'state' as const] };
    const left = (await viewsOf(two)).filter(({ name }) => name !== 'Lamps');
    value(
      await save(
        two,
        left.map(one => (one.id === chairs.id ? seats : one)),
      ),
    );
    const shared = ['Due', 'Seats', 'Tables', 'due (2)'];
    await expect.poll(() => sortedOf(one), { timeout }).toEqual([...shared, 'Mine'].toSorted());
    expect(await viewsOf(one)).toContainEqual(seats);
    await two.value('team.leave', {});
    expect((await state(two)).sharing).toBeNull();
    expect(await sortedOf(two)).toEqual(shared);
    // From now on they are those of that computer.
    value(await save(two, [view('Alone')]));
    expect(await sortedOf(one)).toEqual([...shared, 'Mine'].toSorted());
  });
});
