import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { RequestInput } from '../../../shared/contract/contract.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';
import { openSettings } from '../../../main/settings/settings-store.ts';
import type { SavedView } from '../../../shared/settings/saved-view.ts';
import { value } from '../../../tools/app-harness/running-app.ts';
import { returnPage, returnPageKinds } from '../../../main/return-pages/return-page.ts';

/** Templates, scripts and saved views, through the requests of the window. */

const app = useApp();

const night: RequestInput<'templates.save'> = {
  id: null,
  profileId: 'sandbox',
  name: 'A night',
  amount: '89.00',
  currency: 'EUR',
  description: 'One night, breakfast included',
  methods: ['card'],
};
const listed = async (profileId = 'sandbox') => (await app.value('templates.list', { profileId })).templates;
const templates = async (profileId?: string) => (await listed(profileId)).map(({ name }) => name);

test('a template is stored for its profile, by name, and is there after a restart', async () => {
  await app.value('templates.save', { ...night, name: 'Parking', amount: null });
  await app.value('templates.save', night);
  expect(await templates()).toEqual(['A night', 'Parking']);
  expect(await templates('shop')).toEqual([]);
  const stored = JSON.parse(readFileSync(join(app.folder, 'settings.json'), 'utf8')) as {
    templates: { name: string; amount: string | null }[];
  };
  expect(stored.templates.map(({ name, amount }) => [name, amount])).toEqual([
    ['Parking', null],
    ['A night', '89.00'],
  ]);
});

test('a template contains no customer: such fields are never written to the disk', async () => {
  const { name: _name, ...rest } = night;
  await app.request('templates.save', {
    ...rest,
    name: 'Sneaky',
    customer: { name: 'Anna Nowak' },
    orderNumber: 'CF-1',
  } as unknown as RequestInput<'templates.save'>);
  expect(readFileSync(join(app.folder, 'settings.json'), 'utf8')).not.toMatch(/Nowak|CF-1/);
});

test('two templates of one profile cannot have the same name', async () => {
  expect(await app.request('templates.save', { ...night, name: 'a NIGHT' })).toMatchObject({
    ok: false,
    error: { code: 'input.invalid', fields: [{ path: 'name' }] },
  });
});

test('a template can be renamed, removed and restored', async () => {
  const parking = (await listed()).find(({ name }) => name === 'Parking');
  if (!parking) throw new Error('no template');
  await app.request('templates.save', { ...parking, name: 'Garage' });
  expect(await templates()).toContain('Garage');
  expect(await templates()).not.toContain('Parking');
  await app.request('templates.remove', { id: parking.id });
  expect(await templates()).not.toContain('Garage');
  await app.request('templates.save', { ...parking, name: 'Garage' });
  expect(await listed()).toContainEqual({ ...parking, name: 'Garage' });
});

describe('the merchant’s own scripts', () => {
  const none = { en: {}, de: {} };
  const stored = async () => (await app.state()).settings.sentences;
  const settingsFile = (): string => join(app.folder, 'settings.json');

  test('a script is stored for its state and language, and is there after a restart', async () => {
    const sentences = { en: { expired: 'That link is over; here comes a new one.' }, de: {} };
    await app.request('settings.change', { sentences });
    expect(await stored()).toEqual(sentences);
    expect(openSettings(settingsFile(), 'anna').read().settings.sentences).toEqual(sentences);
    await app.request('settings.change', { sentences: none });
    expect(await stored()).toEqual(none);
  });

  test('an invalid script is refused with its field, and nothing is changed', async () => {
    const refused = await app.request('settings.change', {
      sentences: { en: { expired: 'It was over at {time}.', waiting: 'It works.' }, de: {} },
    });
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'input.invalid', fields: [{ path: 'sentences.en.expired' }] },
    });
    expect(await stored()).toEqual(none);
  });
});

describe('saved views', () => {
  const view = (name: string, words = 'chair state:waiting'): SavedView => ({
    id: crypto.randomUUID(),
    name,
    words,
    columns: null,
    owner: null,
  });
  const stored = async (): Promise<SavedView[]> => (await app.state()).settings.views;
  afterEach(async () => {
    await app.backToFirst();
    await app.value('settings.change', { views: [] });
  });

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
    const { agentId: anna } = await app.state();
    const save = async (views: SavedView[]) => app.request('settings.change', { views });
    const names = async (): Promise<string[]> => (await app.state()).settings.views.map(({ name }) => name);
    const shared = view('Everyone');
    const own = { ...view('Anna alone', 'paid'), owner: anna };
    value(await save([shared, own]));
    const { id: ben } = await app.addPerson('Ben', 'agent');
    const { id: cleo } = await app.addPerson('Cleo', 'supervisor');
    const signIn = async (id: string) => await app.value('agents.signIn', { id, pin: null });

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

    await app.value('agents.remove', { id: ben, pin: null });
    expect(readFileSync(join(app.folder, 'settings.json'), 'utf8')).not.toContain(bens.id);
  });

  test('a view of everyone with the name of a person’s own view does not keep them from changing others', async () => {
    const { agentId: anna } = await app.state();
    const save = async (views: SavedView[]) => app.request('settings.change', { views });
    value(await save([{ ...view('Open'), owner: anna }]));
    const { id: ben } = await app.addPerson('Ben', 'administrator');
    await app.value('agents.signIn', { id: ben, pin: null });
    value(await save([view('open')]));
    await app.value('agents.signIn', { id: anna ?? '', pin: null });
    expect((await stored()).map(({ name }) => name).toSorted()).toEqual(['Open', 'open']);
    value(await save([...(await stored()), { ...view('Paid'), owner: anna }]));
    expect(await stored()).toHaveLength(3);
    // A further one of that name is still refused.
    expect(await save([...(await stored()), { ...view('OPEN'), owner: anna }])).toMatchObject({
      ok: false,
      error: { code: 'input.invalid' },
    });
    value(await save((await stored()).map(one => (one.name === 'Open' ? { ...one, name: 'Mine' } : one))));
    expect((await stored()).map(({ name }) => name).toSorted()).toEqual(['Mine', 'Paid', 'open']);
  });
});

describe('return pages', () => {
  /** The pages that a merchant without a shop puts on a web server. */

  afterEach(() => {
    for (const name of readdirSync(app.saved)) rmSync(at(name));
  });
  const save = (merchant = '') => app.request('profiles.saveReturnPages', { merchant });
  const at = (name: string): string => join(app.saved, name);

  test('both return pages are saved into the chosen folder, with the name of the merchant', async () => {
    expect(value(await save('Käse & Söhne'))).toEqual({ files: ['thank-you.html', 'cancelled.html'] });
    for (const name of ['thank-you.html', 'cancelled.html'])
      expect(readFileSync(at(name), 'utf8')).toContain('Käse &amp; Söhne');
  });

  test('a cancelled dialog saves no return page', async () => {
    app.willSave(null);
    expect(value(await save())).toEqual({ files: [] });
    expect(readdirSync(app.saved)).toEqual([]);
  });

  test('the second return page never replaces a file without a question', async () => {
    writeFileSync(at('cancelled.html'), 'mine');
    app.willSave(at('thank-you.html'), null);
    expect(value(await save())).toEqual({ files: [] });
    expect(existsSync(at('thank-you.html'))).toBe(false);
    expect(readFileSync(at('cancelled.html'), 'utf8')).toBe('mine');
    app.willSave(at('thank-you.html'), at('stopped.html'));
    expect(value(await save())).toEqual({ files: ['thank-you.html', 'stopped.html'] });
    expect(readFileSync(at('cancelled.html'), 'utf8')).toBe('mine');
    // Under the name of the other page.
    app.willSave(at('cancelled.html'), at('cancelled.html'));
    expect(value(await save())).toEqual({ files: [] });
  });

  test('the return pages are not saved into the folder of Counterfoil’s own data', async () => {
    app.willSave(join(app.folder, 'thank-you.html'));
    expect(await save()).toMatchObject({ error: { code: 'file.unwritable' } });
  });

  test('a return page is small, needs no other file, runs nothing, and does not say that a payment was made', () => {
    for (const kind of returnPageKinds) {
      const page = returnPage(kind, null);
      expect(Buffer.byteLength(page)).toBeLessThan(5_000);
      expect(page).not.toMatch(
        /<(?:script|link|img|iframe|form|a|base)\b|\b(?:src|href|on\w+)=|url\(|@import/i,
      );
      expect(page).toMatch(/<html lang="en">[\s\S]*<section lang="de">/);
      const words = page.replace(/<style>[\s\S]*<\/style>/, '').replaceAll(/<[^>]*>/g, ' ');
      expect(words).not.toMatch(
        /\b(?:success\w*|paid|received|complete\w*|approved|failed|declined|bezahlt|erfolg\w*|eingegangen|erhalten)\b/i,
      );
    }
  });
});
