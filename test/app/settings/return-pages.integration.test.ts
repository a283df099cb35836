import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { returnPage, returnPageKinds } from '../../../main/return-pages/return-page.ts';
import { value } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** The pages that a merchant without a shop puts on a web server. */

const app = useApp();
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
