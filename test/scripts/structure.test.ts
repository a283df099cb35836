import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import {
  folderCircles,
  importCircles,
  oversized,
  structureProblems,
  sameNames,
  readsOnce,
  upwardImports,
  waitsForClock,
} from '../../scripts/check/structure.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';

test('the source tree has no circular import, no file over its limit and no crowded folder', () => {
  expect(structureProblems()).toEqual([]);
});

test.each(['git on the path', 'no git'])('an unpacked archive is checked too, with %s', which => {
  const folder = newFolder('archive');
  try {
    if (which === 'no git') vi.stubEnv('PATH', folder);
    mkdirSync(join(folder, 'main', 'app'), { recursive: true });
    writeFileSync(join(folder, 'main', 'app', 'long.ts'), '\n'.repeat(401));
    expect(structureProblems(folder)).toEqual(['main/app/long.ts: 401 lines, limit 400']);
  } finally {
    vi.unstubAllEnvs();
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

test('an import of a test by a tool or a script is found, and one of a script by a tool', () => {
  const files = new Map([
    ['tools/a.ts', "import { b } from '../scripts/b.ts';\nimport { c } from '../shared/c.ts';"],
    ['scripts/b.ts', "import { a } from '../tools/a.ts';\nimport { t } from '../test/t.ts';"],
    ['test/t.ts', "import { a } from '../tools/a.ts';"],
  ]);
  expect(upwardImports(files)).toEqual(['tools/a.ts imports scripts/b.ts', 'scripts/b.ts imports test/t.ts']);
});

test('a long file and a crowded folder are found', () => {
  const long = new Map([['main/long.ts', 'x\n'.repeat(401)]]);
  expect(oversized(long)).toEqual(['main/long.ts: 401 lines, limit 400']);
  const crowded = new Map(Array.from({ length: 21 }, (_, index) => [`main/x/${index}.ts`, '']));
  expect(oversized(crowded)).toEqual(['main/x: 21 files, limit 20']);
  const top = new Map(Array.from({ length: 9 }, (_, index) => [`scripts/${index}.ts`, '']));
  expect(oversized(top)).toEqual(['scripts: 9 files, limit 8']);
});

test('two files of main, or of the renderer, do not share a name', () => {
  const files = new Map(
    [
      'main/a/list.ts',
      'main/b/list.ts',
      'renderer/list.tsx',
      'shared/list.ts',
      'main/a/index.ts',
      'main/index.ts',
    ].map(file => [file, '']),
  );
  expect(sameNames(files)).toEqual(['main/a/list.ts and main/b/list.ts have the same name']);
});

test('a test that compares what the window shows without waiting for it is found, with its line', () => {
  const once =
    "\n  expect(await box(page, 'new.amount').inputValue()).toBe('77');\n  expect(\n    await rows.count(),\n  ).toBe(2);";
  const waits =
    "await expect.poll(() => box(page, 'new.amount').inputValue()).toBe('77');\nexpect(await log.events()).toBe(1);";
  expect(
    readsOnce(
      new Map([
        ['test/end-to-end/a.spec.ts', once],
        ['test/end-to-end/b.spec.ts', waits],
      ]),
    ),
  ).toEqual([
    expect.stringMatching(/a\.spec\.ts:2 reads the window once/),
    expect.stringMatching(/a\.spec\.ts:3 reads the window once/),
  ]);
});

test('a test that waits for the clock is found: a fixed sleep, and an upper bound on a duration', () => {
  const bad = [
    'await delay(200);',
    'await new Promise(resolve => setTimeout(resolve, 150));',
    'expect(performance.now() - startedAt).toBeLessThan(2_500);',
  ];
  const texts = (text: string) => [
    ['test/a.test.ts', text],
    ['test/timing/a.timing.ts', text],
    ['test/b.test.ts', `vi.useFakeTimers();\n${text}`],
  ];
  for (const text of bad)
    expect(waitsForClock(new Map(texts(text) as [string, string][]))).toEqual([
      expect.stringContaining('test/a.test.ts:1 waits for the clock'),
    ]);
});
