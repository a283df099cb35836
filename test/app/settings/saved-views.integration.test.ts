import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSettings } from '../../../main/settings/settings-store.ts';
import { calls } from '../../../shared/contract/index.ts';
import { longestViewName, mostViews, type SavedView } from '../../../shared/settings/saved-view.ts';
import { newPayment, startDesk, value, type RunningDesk } from '../../../tools/app-harness/running-app.ts';

/** Saved views of the list over the desk's own door. */

let desk: RunningDesk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.remove());

const view = (name: string, words = 'chair state:waiting'): SavedView => ({
  id: crypto.randomUUID(),
  name,
  words,
});
const kept = async (): Promise<SavedView[]> => value(await desk.call('desk.read', {})).settings.views;

test('views are kept in their order, and are there after a new start', async () => {
  const views = [view('Chairs'), view('Big ones', '=5000.00'), view('Ada', 'agent:"Ada" days:7')];
  expect(value(await desk.call('settings.change', { views })).settings.views).toEqual(views);
  expect(openSettings(join(desk.folder, 'settings.json'), 'anna').read().settings.views).toEqual(views);
  const turned = views.toReversed();
  await desk.call('settings.change', { views: turned });
  expect(await kept()).toEqual(turned);
});

test('a card number is refused in a name and in the words, and never reaches the disk', async () => {
  for (const one of [view('4111 1111 1111 1111'), view('Card', '4111111111111111 paid')])
    expect(await desk.call('settings.change', { views: [one] })).toMatchObject({
      ok: false,
      error: { code: 'input.card-number' },
    });
  expect(readFileSync(join(desk.folder, 'settings.json'), 'utf8')).not.toMatch(/4111/);
});

test('two views never share a name', async () => {
  const before = await kept();
  const views = [view('Chairs'), view('cHAIRS')];
  expect(await desk.call('settings.change', { views })).toMatchObject({
    ok: false,
    error: { code: 'input.invalid' },
  });
  expect(await kept()).toEqual(before);
});

test('neither more views than a rail holds nor longer names are taken', () => {
  const takes = (views: SavedView[]): boolean => calls['settings.change'].input.safeParse({ views }).success;
  const many = Array.from({ length: mostViews }, (_, index) => view(`View ${index}`));
  expect(takes(many)).toBe(true);
  expect(takes([...many, view('One more')])).toBe(false);
  expect(takes([view('x'.repeat(longestViewName))])).toBe(true);
  expect(takes([view('x'.repeat(longestViewName + 1))])).toBe(false);
  expect(takes([view(' ')])).toBe(false);
  expect(takes([view('All', ' ')])).toBe(false);
});

test('an older settings file, without views, opens with none', () => {
  const file = join(desk.folder, 'older.json');
  const stored = JSON.parse(readFileSync(join(desk.folder, 'settings.json'), 'utf8')) as {
    settings: Record<string, unknown>;
  };
  delete stored.settings['views'];
  writeFileSync(file, JSON.stringify(stored));
  const older = openSettings(file, 'anna');
  expect(older.read().recovery).toBeNull();
  expect(older.read().settings.views).toEqual([]);
});

test('the desk counts what a view would show', async () => {
  value(await desk.call('payments.create', newPayment({ description: 'Blue chair' })));
  value(await desk.call('payments.create', newPayment({ description: 'Red table' })));
  expect(await desk.call('payments.count', { filter: { words: 'chair' } })).toEqual({
    ok: true,
    value: { count: 1, more: false },
  });
  expect(await desk.call('payments.count', { filter: { profileId: 'sandbox' } })).toEqual({
    ok: true,
    value: { count: 2, more: false },
  });
});
