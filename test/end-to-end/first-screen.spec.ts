import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { root } from '../../scripts/steps.ts';

/** What the window has to read before it can draw its first screen: the entry, all it imports at once, and a language. */

const folder = join(root, 'out', 'renderer');
const imports = /(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g;

const filesOfFirstScreen = (): string[] => {
  const files = new Set<string>();
  const add = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const [, name] of readFileSync(join(folder, 'assets', file), 'utf8').matchAll(imports))
      if (name) add(name);
  };
  for (const [, name] of readFileSync(join(folder, 'index.html'), 'utf8').matchAll(/assets\/([\w.-]+\.js)/g))
    if (name) add(name);
  return [...files];
};

test('the first screen needs at most 250 KB of JavaScript, compressed, and no schemas', () => {
  const read = (file: string): Buffer => readFileSync(join(folder, 'assets', file));
  const sizeOf = (text: Buffer): number => gzipSync(text).length / 1024;
  const texts = filesOfFirstScreen().map(read);
  expect(texts.length).toBeGreaterThan(1);
  const catalogues = readdirSync(join(folder, 'assets')).filter(file => /^(?:en|de)-.*\.js$/.test(file));
  expect(catalogues).toHaveLength(2);
  const words = Math.max(...catalogues.map(file => sizeOf(read(file))));
  expect(texts.reduce((sum, text) => sum + sizeOf(text), words)).toBeLessThan(250);
  expect(texts.some(text => text.includes('ZodObject'))).toBe(false);
});
