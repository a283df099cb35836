import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { root } from '../../../tools/build/steps.ts';

/** The code that the window loads before its first screen: the entry, its static imports, and a language. */

const assets = join(root, 'out', 'renderer', 'assets');
const imports = /(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g;
const read = (file: string): string => readFileSync(join(assets, file), 'utf8');

/** The scripts of the built first screen as texts, without the catalogues. */
const scriptsOfFirstScreen = (): string[] => {
  const texts = new Map<string, string>();
  const add = (file: string): void => {
    if (texts.has(file)) return;
    const text = read(file);
    texts.set(file, text);
    for (const [, name] of text.matchAll(imports)) if (name) add(name);
  };
  const page = readFileSync(join(assets, '..', 'index.html'), 'utf8');
  for (const [, name] of page.matchAll(/assets\/([\w.-]+\.js)/g)) if (name) add(name);
  return [...texts.values()];
};

/** The catalogue of each language, as text. */
const catalogues = (): string[] =>
  readdirSync(assets)
    .filter(file => /^(?:en|de)-.*\.js$/.test(file))
    .map(read);

/** Size of the built first screen's JavaScript, compressed kilobytes, in the largest language. */
const sizeOfFirstScreen = (): number => {
  const sizeOf = (text: string): number => gzipSync(text).length / 1024;
  const words = Math.max(...catalogues().map(sizeOf));
  return scriptsOfFirstScreen().reduce((sum, text) => sum + sizeOf(text), words);
};

test('the first screen needs at most 269 KB of JavaScript and texts, compressed, and no schemas', () => {
  const scripts = scriptsOfFirstScreen();
  expect(scripts.length).toBeGreaterThan(1);
  expect(catalogues()).toHaveLength(2);
  expect(sizeOfFirstScreen()).toBeLessThan(269);
  expect(scripts.some(text => text.includes('ZodObject'))).toBe(false);
});

test('the first requests are sent by a small script that waits for no other', () => {
  const page = readFileSync(join(root, 'out', 'renderer', 'index.html'), 'utf8');
  const script = /<script async [^>]*src="\.\/(assets\/bootstrap-prefetch-[\w-]+\.js)"/.exec(page)?.[1] ?? '';
  expect(script).not.toBe('');
  expect(readFileSync(join(root, 'out', 'renderer', script), 'utf8').length).toBeLessThan(10_000);
});
