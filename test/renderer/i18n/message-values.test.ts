import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../scripts/steps.ts';

/** The values of a message are named at its call as they are in the catalogue. */

const catalogue = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(join(root, 'renderer', 'messages', `${language}.json`), 'utf8')) as Record<
    string,
    string
  >;
/** A text in braces after the name of a plural's branch is no value. */
const namesIn = (message: string): Set<string> =>
  new Set(
    [
      ...message.matchAll(
        /\{\s*([a-z]\w*)\s*,\s*(?:plural|number|select|date|time)|(?<!(?:=\d+|other|one|few|many) )\{([a-z]\w*)\}/gi,
      ),
    ].map(([, typed, plain]) => typed ?? plain ?? ''),
  );

/** Names of the properties of the object literal that begins at `from`; null where it spreads another one. */
const propertiesAt = (source: string, from: number): Set<string> | null => {
  let depth = 0;
  let outer = '';
  for (let at = from; at < source.length; at += 1) {
    const character = source[at] ?? '';
    if ('}])'.includes(character)) depth -= 1;
    if (depth === 0 && at > from) break;
    if (depth === 1) outer += character;
    if ('{[('.includes(character)) depth += 1;
  }
  if (outer.includes('...')) return null;
  return new Set(outer.split(',').map(part => /^\s*(\w+)/.exec(part)?.[1] ?? ''));
};

const english = catalogue('en');
const calls = readdirSync(join(root, 'renderer'), { recursive: true, encoding: 'utf8' })
  .filter(file => /\.tsx?$/.test(file))
  .flatMap(file => {
    const source = readFileSync(join(root, 'renderer', file), 'utf8');
    return [...source.matchAll(/(?<![\w.])t\(\s*'([a-z0-9.-]+)'\s*,\s*\{/g)].map(found => ({
      file,
      key: found[1] ?? '',
      given: propertiesAt(source, found.index + found[0].length - 1),
    }));
  });

test('every message gets all the values that it names', () => {
  expect(calls.length).toBeGreaterThan(100);
  const lacking = calls.flatMap(({ file, key, given }) =>
    [...namesIn(english[key] ?? '')]
      .filter(name => given !== null && !given.has(name))
      .map(name => `${file}: ${key} lacks ${name}`),
  );
  expect(lacking).toEqual([]);
});

test('English and German name the same values', () => {
  const german = catalogue('de');
  const different = Object.keys(english).filter(
    key =>
      [...namesIn(english[key] ?? '')].toSorted().join() !==
      [...namesIn(german[key] ?? '')].toSorted().join(),
  );
  expect(different).toEqual([]);
});
