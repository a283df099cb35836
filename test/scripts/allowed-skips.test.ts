import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allowedSkips, unexpectedSkips } from '../../scripts/check/allowed-skips.ts';
import { root } from '../../tools/build/steps.ts';

/** What a run of the workflow may skip. */

const titles = (skipped: readonly [string, string][], platform: NodeJS.Platform, isRoot = false): string[] =>
  unexpectedSkips(
    skipped.map(([file, title]) => ({ file, title })),
    { platform, isRoot },
  ).map(({ title }) => title);

test('every file that may be skipped exists', () => {
  const files = allowedSkips.flatMap(({ files = [] }) => files);
  expect(files.filter(file => !existsSync(join(root, file)))).toEqual([]);
});

test('a run on Linux without Wine, lintian, PostgreSQL or Electron’s runtime is not complete', () => {
  const skipped: [string, string][] = [
    ['test/packing/installer.integration.test.ts', 'the Windows installer (makensis, Wine) installs'],
    ['test/intake/package.integration.test.ts', 'the Debian package has nothing (lintian)'],
    ['test/team/ship.integration.test.ts', 'shipping to a shared log (needs PostgreSQL) ships'],
    ['test/end-to-end/payments/slips.spec.ts', 'on electron a slip is printed'],
  ];
  expect(titles(skipped, 'linux')).toEqual(skipped.map(([, title]) => title));
  expect(titles(skipped, 'darwin')).toEqual(['on electron a slip is printed']);
});

test('what needs root may be skipped without root alone', () => {
  const skipped: [string, string][] = [['test/packing/debian.integration.test.ts', 'the package for Debian']];
  expect(titles(skipped, 'linux')).toEqual([]);
  expect(titles(skipped, 'linux', true)).toEqual(['the package for Debian']);
});

test('a run with LISTED_SKIPS=true fails if it skipped a test that is not on the list; another run reports it', () => {
  const run = (listed: string) =>
    spawnSync(
      process.execPath,
      ['scripts/check/test.ts', 'test/scripts/allowed-skips.test.ts', '-t', 'every file that may be skipped'],
      { cwd: root, encoding: 'utf8', env: { ...process.env, LISTED_SKIPS: listed } },
    );
  const strict = run('true');
  expect(strict.stdout).toContain('NOT ALLOWED test/scripts/allowed-skips.test.ts');
  expect(strict.status).toBe(1);
  expect(run('').status).toBe(0);
}, 120_000);
