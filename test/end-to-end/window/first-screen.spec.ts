import { expect, test } from 'vitest';
import {
  catalogues,
  scriptsOfFirstScreen,
  sizeOfFirstScreen,
} from '../../../scripts/bench/first-screen-size.ts';

test('the first screen needs at most 260 KB of JavaScript and texts, compressed, and no schemas', () => {
  const scripts = scriptsOfFirstScreen();
  expect(scripts.length).toBeGreaterThan(1);
  expect(catalogues()).toHaveLength(2);
  expect(sizeOfFirstScreen()).toBeLessThan(260);
  expect(scripts.some(text => text.includes('ZodObject'))).toBe(false);
});
