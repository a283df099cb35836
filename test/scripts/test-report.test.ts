import { expect, test } from 'vitest';
import { expectedTime, skippedLines } from '../../scripts/check/test-report.ts';

/** What `npm test` says at its start and of skipped tests. */

test('npm test says how long it takes on this machine, and how one part is run', () => {
  expect(expectedTime(2)).toMatch(/about 23 minutes on 2 processors.*npm test -- test\/PATH/);
  expect(expectedTime(32)).toContain('about 8 minutes');
});

test('the skipped tests of a missing driver are one line with the reason, others one for each group', () => {
  const skipped = [
    { file: 'test/end-to-end/a.spec.ts', title: 'on electron the list holds' },
    { file: 'test/end-to-end/b.spec.ts', title: 'on electron a slip is printed' },
    { file: 'test/end-to-end/b.spec.ts', title: 'on stand-in a slip is printed' },
    { file: 'test/c.test.ts', title: 'nginx forwards one' },
    { file: 'test/c.test.ts', title: 'nginx forwards two' },
  ];
  expect(skippedLines(skipped, { hasElectron: false, isLinux: true })).toEqual([
    'tests on Electron’s own runtime, which is not in node_modules/electron/dist (2)',
    'test/end-to-end/b.spec.ts: on stand-in … (1)',
    'test/c.test.ts: nginx forwards … (2)',
  ]);
  expect(skippedLines(skipped, { hasElectron: true, isLinux: false })).toHaveLength(4);
});
