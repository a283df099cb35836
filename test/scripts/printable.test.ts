import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable, printableJson } from '../../shared/messages/printable.ts';

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
