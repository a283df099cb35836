import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSettings } from '../../../main/settings/settings-store.ts';
import { type SavedView } from '../../../shared/settings/saved-view.ts';
import { startTestApp, value } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** Saved views of the list, through the requests of the window. */

const app = useApp();

const view = (name: string, words = 'chair state:waiting'): SavedView => ({
  id: crypto.randomUUID(),
  name,
  words,
  columns: null,
  owner: null,
});
const stored = async (): Promise<SavedView[]> => (await app.state()).settings.views;

test('saved views keep their order, and are there after a restart', async () => {
  const views = [view('Chairs'), view('Big ones', '=5000.00'), view('Ada', 'agent:"Ada" days:7')];
  expect((await app.value('settings.change', { views })).settings.views).toEqual(views);
  expect(openSettings(join(app.folder, 'settings.json'), 'anna').read().settings.views).toEqual(views);
  const turned = views.toReversed();
  await app.request('settings.change', { views: turned });
  expect(await stored()).toEqual(turned);
});

test('two saved views cannot have the same name', async () => {
  const before = await stored();
  const views = [view('Chairs'), view('cHAIRS')];
  expect(await app.refusal('settings.change', { views })).toBe('input.invalid');
  expect(await stored()).toEqual(before);
});

test('a person sees their own views and those of everyone; an agent changes only their own', async () => {
  const people = await startTestApp();
  onTestFinished(() => people.remove());
  const { agentId: anna } = await people.state();
  const save = async (views: SavedView[]) => people.request('settings.change', { views });
  const names = async (): Promise<string[]> => (await people.state()).settings.views.map(({ name }) => name);
  const shared = view('Everyone');
  const own = { ...view('Anna alone', 'paid'), owner: anna };
  value(await save([shared, own]));
  const { id: ben } = await people.value('agents.save', {
    id: null,
    name: 'Ben',
    role: 'agent',
    pin: null,
    oldPin: null,
  });
  const { id: cleo } = await people.value('agents.save', {
    id: null,
    name: 'Cleo',
    role: 'supervisor',
    pin: null,
    oldPin: null,
  });
  const signIn = async (id: string) => await people.value('agents.signIn', { id, pin: null });

  await signIn(ben);
  expect(await names()).toEqual(['Everyone']);
  // The same name as a view that Ben does not see.
  const bens = { ...view('Anna alone', 'declined'), owner: ben };
  value(await save([bens, shared]));
  expect(await names()).toEqual(['Anna alone', 'Everyone']);
  for (const refused of [
    [bens],
    [bens, { ...shared, name: 'Renamed' }],
    [bens, shared, view('Another for everyone', 'x')],
    [shared, { ...bens, owner: anna }],
    [shared, bens, { ...own, name: 'Stolen', owner: ben }],
  ])
    expect(await save(refused)).toMatchObject({ ok: false, error: { code: 'agent.not-allowed' } });

  await signIn(cleo);
  value(await save([{ ...shared, name: 'Of the team' }]));
  await signIn(anna);
  expect(await names()).toEqual(['Of the team', 'Anna alone']);

  await people.value('agents.remove', { id: ben, pin: null });
  expect(readFileSync(join(people.folder, 'settings.json'), 'utf8')).not.toContain(bens.id);
});

test('a view of everyone with the name of a person’s own view does not keep them from changing others', async () => {
  const people = await startTestApp();
  onTestFinished(() => people.remove());
  const { agentId: anna } = await people.state();
  const save = async (views: SavedView[]) => people.request('settings.change', { views });
  const seen = async (): Promise<SavedView[]> => (await people.state()).settings.views;
  value(await save([{ ...view('Open'), owner: anna }]));
  const { id: ben } = await people.value('agents.save', {
    id: null,
    name: 'Ben',
    role: 'administrator',
    pin: null,
    oldPin: null,
  });
  await people.value('agents.signIn', { id: ben, pin: null });
  value(await save([view('open')]));
  await people.value('agents.signIn', { id: anna ?? '', pin: null });
  expect((await seen()).map(({ name }) => name).toSorted()).toEqual(['Open', 'open']);
  value(await save([...(await seen()), { ...view('Paid'), owner: anna }]));
  expect(await seen()).toHaveLength(3);
  // A further one of that name is still refused.
  expect(await save([...(await seen()), { ...view('OPEN'), owner: anna }])).toMatchObject({
    ok: false,
    error: { code: 'input.invalid' },
  });
  value(await save((await seen()).map(one => (one.name === 'Open' ? { ...one, name: 'Mine' } : one))));
  expect((await seen()).map(({ name }) => name).toSorted()).toEqual(['Mine', 'Paid', 'open']);
});
