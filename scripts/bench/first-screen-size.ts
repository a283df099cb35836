import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../../tools/build/steps.ts';

/** The code that the window loads before its first screen: the entry, its static imports, and a language. */

const assets = join(root, 'out', 'renderer', 'assets');
const imports = /(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g;
const read = (file: string): string => readFileSync(join(assets, file), 'utf8');

/** The scripts of the built first screen as texts, without the catalogues. */
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

/** The catalogue of each language, as text. */
export const catalogues = (): string[] =>
  readdirSync(assets)
    .filter(file => /^(?:en|de)-.*\.js$/.test(file))
    .map(read);

/** Size of the built first screen's JavaScript, compressed kilobytes, in the largest language. */
export const sizeOfFirstScreen = (): number => {
  const sizeOf = (text: string): number => gzipSync(text).length / 1024;
  const words = Math.max(...catalogues().map(sizeOf));
  return scriptsOfFirstScreen().reduce((sum, text) => sum + sizeOf(text), words);
};
