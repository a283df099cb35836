import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from '../../../shared/payment-reducer/fingerprint.ts';

test('the digest of any text is that of the standard', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), text => {
      expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
    }),
    { numRuns: 500 },
  );
});
