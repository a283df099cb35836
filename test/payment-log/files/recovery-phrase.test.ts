import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { newLogKey } from '../../../main/payment-log/sqlite/key/log-key.ts';
import { readPhrase, recoveryPhrase } from '../../../main/payment-log/sqlite/key/recovery-phrase.ts';

const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytes => Buffer.from(bytes).toString('hex'));

test('the 24 words of a recovery phrase are the key, however they are typed', () => {
  fc.assert(
    fc.property(key, one => {
      const words = recoveryPhrase(one);
      expect(words).toHaveLength(24);
      const typed = [
        words.join(' '),
        words.join('\n').toUpperCase(),
        words.map((word, at) => `${at + 1}. ${word}`).join('\t'),
        words.map(word => (word.length > 4 ? word.slice(0, 4) : word)).join(', '),
      ];
      for (const text of typed) expect(readPhrase(text)).toEqual({ ok: true, key: one });
    }),
  );
});

test('the words of the standard', () => {
  // The first vector of BIP 39 for 256 bits.
  expect(recoveryPhrase('00'.repeat(32)).join(' ')).toBe(`${'abandon '.repeat(23)}art`);
});

test('a wrong recovery phrase is reported with its cause: the number of words, the first unknown word, or the checksum', () => {
  const words = recoveryPhrase('00'.repeat(32));
  expect(readPhrase(words.slice(1).join(' '))).toEqual({ ok: false, problem: 'count', count: 23 });
  expect(readPhrase(words.with(6, 'zzzz').join(' '))).toEqual({ ok: false, problem: 'word', position: 7 });
  expect(readPhrase(words.with(23, 'zoo').join(' '))).toEqual({ ok: false, problem: 'checksum' });
  // A checksum of eight bits finds all but one of 256 mistakes.
  const found = Array.from({ length: 50 }, () => recoveryPhrase(newLogKey()).toReversed().join(' '));
  expect(found.filter(text => readPhrase(text).ok).length).toBeLessThan(4);
});
