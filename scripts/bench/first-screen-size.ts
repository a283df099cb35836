import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../steps.ts';

/** What the window has to read before it can draw its first screen: the entry, all it imports at once, and a language. */

const assets = join(root, 'out', 'renderer', 'assets');
const imports = /(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g;
const read = (file: string): string => readFileSync(join(assets, file), 'utf8');

/** The scripts of the built first screen as texts, without the words. */
export const scriptsOfFirstScreen = (): string[] => {
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

/** The words in each language, as texts. */
export const catalogues = (): string[] =>
  readdirSync(assets)
    .filter(file => /^(?:en|de)-.*\.js$/.test(file))
    .map(read);

/** Kilobytes of the built first screen's JavaScript, compressed, in the language that needs most. */
export const sizeOfFirstScreen = (): number => {
  const sizeOf = (text: string): number => gzipSync(text).length / 1024;
  const words = Math.max(...catalogues().map(sizeOf));
  return scriptsOfFirstScreen().reduce((sum, text) => sum + sizeOf(text), words);
};
