import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSettings } from '../../../main/settings/settings-store.ts';
import { ipcRequests } from '../../../shared/contract/index.ts';
import { maxViewNameChars, maxViews, type SavedView } from '../../../shared/settings/saved-view.ts';
import { newPayment, startTestApp, value, type TestApp } from '../../../tools/app-harness/running-app.ts';

/** Saved views of the list, through the requests of the window. */

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.remove());

const view = (name: string, words = 'chair state:waiting'): SavedView => ({
  id: crypto.randomUUID(),
  name,
  words,
});
const stored = async (): Promise<SavedView[]> => value(await app.request('app.read', {})).settings.views;

test('saved views keep their order, and are there after a restart', async () => {
  const views = [view('Chairs'), view('Big ones', '=5000.00'), view('Ada', 'agent:"Ada" days:7')];
  expect(value(await app.request('settings.change', { views })).settings.views).toEqual(views);
  expect(openSettings(join(app.folder, 'settings.json'), 'anna').read().settings.views).toEqual(views);
  const turned = views.toReversed();
  await app.request('settings.change', { views: turned });
  expect(await stored()).toEqual(turned);
});

test('a card number is refused in a name and in the words, and never written to the disk', async () => {
  for (const one of [view('4111 1111 1111 1111'), view('Card', '4111111111111111 paid')])
    expect(await app.request('settings.change', { views: [one] })).toMatchObject({
      ok: false,
      error: { code: 'input.card-number' },
    });
  expect(readFileSync(join(app.folder, 'settings.json'), 'utf8')).not.toMatch(/4111\D{0,2}1111/);
});

test('two saved views cannot have the same name', async () => {
  const before = await stored();
  const views = [view('Chairs'), view('cHAIRS')];
  expect(await app.request('settings.change', { views })).toMatchObject({
    ok: false,
    error: { code: 'input.invalid' },
  });
  expect(await stored()).toEqual(before);
});

test('the number of saved views and the length of a name are limited', () => {
  const takes = (views: SavedView[]): boolean =>
    ipcRequests['settings.change'].input.safeParse({ views }).success;
  const many = Array.from({ length: maxViews }, (_, index) => view(`View ${index}`));
  expect(takes(many)).toBe(true);
  expect(takes([...many, view('One more')])).toBe(false);
  expect(takes([view('x'.repeat(maxViewNameChars))])).toBe(true);
  expect(takes([view('x'.repeat(maxViewNameChars + 1))])).toBe(false);
  expect(takes([view(' ')])).toBe(false);
  expect(takes([view('All', ' ')])).toBe(false);
});

test('an older settings file without saved views is read', () => {
  const file = join(app.folder, 'older.json');
  const stored = JSON.parse(readFileSync(join(app.folder, 'settings.json'), 'utf8')) as {
    settings: Record<string, unknown>;
  };
  delete stored.settings['views'];
  writeFileSync(file, JSON.stringify(stored));
  const older = openSettings(file, 'anna');
  expect(older.read().recovery).toBeNull();
  expect(older.read().settings.views).toEqual([]);
});

test('the payments of a saved view are counted', async () => {
  value(await app.request('payments.create', newPayment({ description: 'Blue chair' })));
  value(await app.request('payments.create', newPayment({ description: 'Red table' })));
  expect(await app.request('payments.count', { filter: { words: 'chair' } })).toEqual({
    ok: true,
    value: { count: 1, more: false },
  });
  expect(await app.request('payments.count', { filter: { profileId: 'sandbox' } })).toEqual({
    ok: true,
    value: { count: 2, more: false },
  });
});
