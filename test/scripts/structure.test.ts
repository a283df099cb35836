import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { folderCircles, importCircles, oversized, structureProblems } from '../../scripts/structure.ts';

test('the source tree has no circular import, no file over its limit and no crowded folder', () => {
  expect(structureProblems()).toEqual([]);
});

test.each(['git on the path', 'no git'])('an unpacked archive is checked too, with %s', which => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-archive-'));
  try {
    if (which === 'no git') vi.stubEnv('PATH', folder);
    mkdirSync(join(folder, 'main', 'app'), { recursive: true });
    writeFileSync(join(folder, 'main', 'app', 'long.ts'), '\n'.repeat(401));
    expect(structureProblems(folder)).toEqual(['main/app/long.ts: 401 lines, limit 400']);
  } finally {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  }
});

test('a circular import is found, through types too', () => {
  const files = new Map([
    ['main/a.ts', "import { b } from './b.ts';"],
    ['main/b.ts', "export type { C } from '../shared/c.ts';"],
    ['shared/c.ts', "import type { A } from '../main/a.ts';"],
    ['shared/d.ts', "import { c } from './c.ts';"],
  ]);
  expect(importCircles(files)).toEqual(['main/a.ts -> main/b.ts -> shared/c.ts -> main/a.ts']);
});

test('a circle between folders is found, and files on top count one by one', () => {
  const files = new Map([
    ['main/app/context.ts', ''],
    ['main/app/create.ts', "import { a } from './one/a.ts';\nimport { b } from './two/b.ts';"],
    ['main/app/one/a.ts', "import { b } from '../two/b.ts';\nimport { context } from '../context.ts';"],
    ['main/app/two/b.ts', ''],
    ['main/app/two/c.ts', "import { context } from '../context.ts';\nimport { b } from './b.ts';"],
  ]);
  expect(folderCircles(files, 'main/app')).toEqual([]);
  files.set('main/app/two/d.ts', "import type { A } from '../one/a.ts';");
  expect(importCircles(files)).toEqual([]);
  expect(folderCircles(files, 'main/app')).toEqual(['main/app/one -> main/app/two -> main/app/one']);
});

test('a long file and a crowded folder are found', () => {
  const long = new Map([['main/long.ts', 'x\n'.repeat(401)]]);
  expect(oversized(long)).toEqual(['main/long.ts: 401 lines, limit 400']);
  const crowded = new Map(Array.from({ length: 21 }, (_, index) => [`main/x/${index}.ts`, '']));
  expect(oversized(crowded)).toEqual(['main/x: 21 files, limit 20']);
});
