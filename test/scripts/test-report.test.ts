import { expect, test } from 'vitest';
import { expectedTime, skippedLines } from '../../scripts/check/test-report.ts';

/** What `npm test` says at its start and of skipped tests. */

test('npm test says how long it takes on this machine, and how one part is run', () => {
  expect(expectedTime(2)).toMatch(/about 23 minutes on 2 processors.*npm test -- test\/PATH/);
  expect(expectedTime(32)).toContain('about 8 minutes');
});

test('skipped tests are one line for each group of a file', () => {
  const skipped = [
    { file: 'test/end-to-end/b.spec.ts', title: 'on stand-in a slip is printed' },
    { file: 'test/c.test.ts', title: 'nginx forwards one' },
    { file: 'test/c.test.ts', title: 'nginx forwards two' },
  ];
  expect(skippedLines(skipped)).toEqual([
    'test/end-to-end/b.spec.ts: on stand-in … (1)',
    'test/c.test.ts: nginx forwards … (2)',
  ]);
});
