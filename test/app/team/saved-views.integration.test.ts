import { beforeEach, describe, expect, test } from 'vitest';
import { joiningText } from '../../../main/team/joining-text.ts';
import { type SavedView } from '../../../shared/settings/saved-view.ts';
import { startTestApp, value, type TestApp } from '../../../tools/app-harness/running-app.ts';
import { isPostgresMissing } from '../../../tools/postgres-harness/cluster.ts';
import { useTeam } from '../../../tools/postgres-harness/use-team.ts';

/** Time within which a change is at the other consoles, milliseconds: they look every 2 seconds. */
const timeout = 25_000;

const view = (name: string, words = name.toLowerCase(), owner: string | null = null): SavedView => ({
  id: crypto.randomUUID(),
  name,
  words,
  columns: null,
  owner,
});

describe.skipIf(isPostgresMissing)('saved views of a team (needs PostgreSQL)', () => {
  const { team, closing } = useTeam();
  let one: TestApp;
  let two: TestApp;

  const start = async (): Promise<TestApp> => {
    const app = await startTestApp();
    closing.push(() => app.remove());
    return app;
  };
  const state = async (app: TestApp) => await app.state();
  const viewsOf = async (app: TestApp): Promise<SavedView[]> => (await state(app)).settings.views;
  const namesOf = async (app: TestApp) => (await viewsOf(app)).map(({ name }) => name);
  const save = (app: TestApp, views: SavedView[]) => app.request('settings.change', { views });
  /** Joins; the first person of the team signs in. */
  const joinTeam = async (app: TestApp, label: string, port?: number): Promise<void> => {
    const text = joiningText(await team.add('console', label, port, ['admin']));
    await app.value('team.join', { text });
    await expect.poll(async () => (await state(app)).team?.state, { timeout }).toBe('connected');
    const { people } = await app.value('team.plan', {});
    await app.request('team.share', { adding: people.length === 0 ? { person: null, pin: null } : null });
    const [first] = (await app.value('app.lock', {})).agents;
    if (first && !(await app.request('app.read', {})).ok)
      await app.value('agents.signIn', { id: first.id, pin: null });
    await expect.poll(async () => (await state(app)).sharing?.areViewsShared, { timeout }).toBe(true);
  };

  beforeEach(async () => {
    [one, two] = [await start(), await start()];
  });

  test('a view for everyone is at the other console of the team; a personal one stays on its computer', async () => {
    await joinTeam(one, 'Counter 1');
    await joinTeam(two, 'Counter 2');
    const { agentId } = await state(one);
    const chairs = view('Chairs');
    value(await save(one, [view('Mine', 'mine', agentId), chairs, view('Tables')]));
    await expect.poll(() => namesOf(two), { timeout }).toEqual(['Chairs', 'Tables']);
    const [first, second] = await viewsOf(two);
    if (!first || !second) throw new Error('The views are missing.');
    value(await save(two, [second, { ...first, name: 'Seats', columns: ['amount', 'state'] }]));
    await expect.poll(() => namesOf(one), { timeout }).toEqual(['Mine', 'Tables', 'Seats']);
    expect((await viewsOf(one))[2]).toEqual({ ...chairs, name: 'Seats', columns: ['amount', 'state'] });
    value(await save(one, (await viewsOf(one)).slice(0, 2)));
    await expect.poll(() => namesOf(two), { timeout }).toEqual(['Tables']);
  });

  test('a console that joins adds its views to those of the team, and keeps all of them when it leaves', async () => {
    const chairs = view('Chairs');
    value(await save(one, [chairs, view('Due', 'open days:7')]));
    await joinTeam(one, 'Counter 1');
    value(await save(two, [view('The same', 'chairs'), view('due', 'open days:30'), view('Lamps')]));
    await joinTeam(two, 'Counter 2');
    const all = ['Chairs', 'Due', 'due (2)', 'Lamps'];
    expect((await namesOf(two)).toSorted()).toEqual(all.toSorted());
    await expect.poll(() => namesOf(one), { timeout }).toEqual(all);
    await two.value('team.leave', {});
    expect((await state(two)).sharing).toBeNull();
    expect((await namesOf(two)).toSorted()).toEqual(all.toSorted());
    // From now on they are those of that computer.
    value(await save(two, [view('Alone')]));
    expect(await namesOf(one)).toEqual(all);
  });
});
