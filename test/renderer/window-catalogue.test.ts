import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isPrintedOnly } from '../../shared/messages/window-texts.ts';
import en from '../../shared/messages/en.json' with { type: 'json' };

test('no text that the window could show is left out of its catalogues', () => {
  const root = join(import.meta.dirname, '../..');
  const leftOut = Object.keys(en).filter(isPrintedOnly);
  expect(leftOut.length).toBeGreaterThan(100);
  const files = globSync(['renderer/**/*.{ts,tsx}', 'shared/**/*.ts', 'main/app/**/*.ts'], {
    cwd: root,
  })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => !/message-values|window-texts/.test(file));
  const used = files.flatMap(file => {
    const source = readFileSync(join(root, file), 'utf8');
    return (
      [...source.matchAll(/['`]([a-z][\w.-]*\.[\w.${}-]*)['`]/g)]
        .map(([, key = '']) => key)
        // An event's kind may have the form of a key.
        .filter(key => isPrintedOnly(key) && (key in en || key.includes('${')))
        .map(key => `${file}: ${key}`)
    );
  });
  // These are formatted by main, into a file.
  const inFiles = /^main\/app\/(?:reports\/report-setup|scheduled-export\/changed-figures)\.ts/;
  expect(used.filter(one => !inFiles.test(one))).toEqual([]);
});
