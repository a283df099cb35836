import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tools/build/steps.ts';

/** Documents refer only to files and headings that exist, in relative links and in code spans with a path. */

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...globSync('docs/**/*.md', { cwd: root }),
];

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The anchors of a document's headings, as GitHub makes them. */
const anchorsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each(documents)('the links of %s have targets', document => {
  const links = [...textOf(document).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter(target => !/^[a-z]+:/.test(target));
  const broken = links.filter(target => {
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? document : join(dirname(document), path);
    if (!existsSync(join(root, file))) return true;
    return anchor !== undefined && !anchorsOf(file).includes(anchor);
  });
  expect(broken).toEqual([]);
});

/** A path from the repository's root; without placeholders, and not in a folder that a command creates. */
const sourcePath = /`((?:main|preload|renderer|shared|test|tools|scripts|docs)\/[\w./-]+)`/g;

test.each(documents.filter(document => document !== 'CHANGELOG.md'))(
  '%s names files that exist',
  document => {
    const missing = [...textOf(document).matchAll(sourcePath)]
      .map(([, path = '']) => path)
      .filter(path => !existsSync(join(root, path)));
    expect(missing).toEqual([]);
  },
);
