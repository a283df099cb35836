import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tools/build/steps.ts';
import { requestNames } from '../../shared/contract/contract.ts';
import en from '../../shared/messages/en.json' with { type: 'json' };
import { isAfterFirstScreen } from '../../shared/messages/window-texts.ts';

/** The files that the window's entry imports, without those that it loads on demand. */
const filesOfFirstScreen = (): string[] => {
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file) || !/\.tsx?$/.test(file)) return;
    found.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [, path = ''] of text.matchAll(/\bfrom '(\.[^']+)'/g)) visit(join(dirname(file), path));
  };
  visit(join(root, 'renderer', 'index.tsx'));
  return [...found].filter(file => file.startsWith(join(root, 'renderer')));
};

test('the first screen and the frame around all screens use only texts that are loaded with them', () => {
  // Some requests have the name of a text.
  const requests: readonly string[] = requestNames;
  const keys = Object.keys(en).filter(key => !requests.includes(key));
  const late = filesOfFirstScreen().flatMap(file => {
    const text = readFileSync(file, 'utf8');
    const named = keys.filter(key => text.includes(`'${key}'`));
    const prefixes = [...text.matchAll(/`([a-z-]+(?:\.[a-z-]+)*\.)\$\{/g)].map(([, prefix = '']) => prefix);
    const built = keys.filter(key => prefixes.some(prefix => key.startsWith(prefix)));
    return [...named, ...built]
      .filter(isAfterFirstScreen)
      .map(key => `${file.slice(root.length + 1)}: ${key}`);
  });
  expect(late).toEqual([]);
});

test('a text of another screen is not loaded with the first one', () => {
  expect(isAfterFirstScreen('receiver.port')).toBe(true);
  expect(isAfterFirstScreen('new.title')).toBe(false);
});
