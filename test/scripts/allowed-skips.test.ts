import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allowedSkips, unexpectedSkips } from '../../scripts/check/allowed-skips.ts';
import { root } from '../../tools/build/steps.ts';

/** What a run may skip. */

const titles = (
  skipped: readonly [string, string][],
  platform: NodeJS.Platform,
  place: { isRoot?: boolean; isComplete?: boolean; isInstalled?: boolean } = {},
): string[] =>
  unexpectedSkips(
    skipped.map(([file, title]) => ({ file, title })),
    { platform, isRoot: false, isComplete: false, isInstalled: false, ...place },
  ).map(({ title }) => title);

test('every file that may be skipped exists', () => {
  const files = allowedSkips.flatMap(({ files = [] }) => files);
  expect(files.filter(file => !existsSync(join(root, file)))).toEqual([]);
});

test('a run on Linux without Wine, lintian, PostgreSQL or Electron’s runtime is not complete', () => {
  const skipped: [string, string][] = [
    ['test/packing/other-systems.integration.test.ts', 'the Windows installer (makensis, Wine) installs'],
    ['test/intake/package.integration.test.ts', 'the Debian package has nothing (lintian)'],
    ['test/team/ship.integration.test.ts', 'shipping to a shared log (needs PostgreSQL) ships'],
    ['test/end-to-end/payments/refund.spec.ts', 'on electron a slip is printed'],
  ];
  expect(titles(skipped, 'linux')).toEqual(skipped.map(([, title]) => title));
  expect(titles(skipped, 'darwin')).toEqual(['on electron a slip is printed']);
});

test('what needs root may be skipped without root alone', () => {
  const skipped: [string, string][] = [['test/packing/debian.integration.test.ts', 'the package for Debian']];
  expect(titles(skipped, 'linux')).toEqual([]);
  expect(titles(skipped, 'linux', { isRoot: true })).toEqual(['the package for Debian']);
});

test('where every program is installed, nothing that needs one may be skipped', () => {
  const skipped: [string, string][] = [
    ['test/app/reports/accountant.integration.test.ts', 'LibreOffice reads the local CSV'],
    ['test/sandbox/python-client.integration.test.ts', 'the signatures of Python'],
    ['test/packing/other-systems.integration.test.ts', 'the Windows installer (makensis, Wine) installs'],
  ];
  const all = skipped.map(([, title]) => title);
  expect(titles(skipped, 'linux')).toEqual(all.slice(2));
  expect(titles(skipped, 'linux', { isComplete: true, isRoot: true })).toEqual(all);
  const electron: [string, string][] = [['test/end-to-end/payments/refund.spec.ts', 'on electron a slip']];
  expect(titles(electron, 'linux', { isComplete: true, isRoot: true })).toEqual([]);
});

test('where an installed application is tested, its tests may not be skipped, and those of the checkout may', () => {
  const skipped: [string, string][] = [
    ['test/end-to-end/payments/main-job.spec.ts', 'on stand-in the main job'],
    ['test/end-to-end/runtime/process.spec.ts', 'an installed program opens no debugger'],
  ];
  expect(titles(skipped, 'linux')).toEqual(['on stand-in the main job']);
  expect(titles(skipped, 'linux', { isInstalled: true })).toEqual(['an installed program opens no debugger']);
});
