import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable, printableJson } from '../../shared/messages/printable.ts';
import { expectedTime, skippedLines } from '../../scripts/check/test-report.ts';

/** The output of commands cannot control a terminal. */

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u001b', '\u009b', '\u0007', '\u202e', '\u2066', '\u200f', '\n', '\r', 'a', '"', '\\'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});

test('No control character and no bidirectional one is printed, and JSON has the same value', () => {
  fc.assert(
    fc.property(hostile, text => {
      expect(printable(text)).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      const json = printableJson({ text, list: [text] }, 2);
      expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      expect(JSON.parse(json)).toEqual({ text, list: [text] });
    }),
  );
});

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
