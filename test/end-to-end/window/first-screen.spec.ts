import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../tools/build/steps.ts';
import {
  catalogues,
  scriptsOfFirstScreen,
  sizeOfFirstScreen,
} from '../../../scripts/bench/first-screen-size.ts';

test('the first screen needs at most 265 KB of JavaScript and texts, compressed, and no schemas', () => {
  const scripts = scriptsOfFirstScreen();
  expect(scripts.length).toBeGreaterThan(1);
  expect(catalogues()).toHaveLength(2);
  expect(sizeOfFirstScreen()).toBeLessThan(265);
  expect(scripts.some(text => text.includes('ZodObject'))).toBe(false);
});

test('the first requests are sent by a small script that waits for no other', () => {
  const page = readFileSync(join(root, 'out', 'renderer', 'index.html'), 'utf8');
  const script = /<script async [^>]*src="\.\/(assets\/bootstrap-prefetch-[\w-]+\.js)"/.exec(page)?.[1] ?? '';
  expect(script).not.toBe('');
  expect(readFileSync(join(root, 'out', 'renderer', script), 'utf8').length).toBeLessThan(10_000);
});
