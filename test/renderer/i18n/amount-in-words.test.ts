import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountInWords, numberInWords } from '../../../renderer/i18n/amount-in-words.ts';

test.each([
  [0, 'zero', 'null'],
  [1, 'one', 'eins'],
  [12, 'twelve', 'zwölf'],
  [17, 'seventeen', 'siebzehn'],
  [21, 'twenty-one', 'einundzwanzig'],
  [30, 'thirty', 'dreißig'],
  [66, 'sixty-six', 'sechsundsechzig'],
  [100, 'one hundred', 'einhundert'],
  [101, 'one hundred and one', 'einhunderteins'],
  [123, 'one hundred and twenty-three', 'einhundertdreiundzwanzig'],
  [1000, 'one thousand', 'eintausend'],
  [1005, 'one thousand and five', 'eintausendfünf'],
  [1234, 'one thousand two hundred and thirty-four', 'eintausendzweihundertvierunddreißig'],
  [21_000, 'twenty-one thousand', 'einundzwanzigtausend'],
  [
    999_999,
    'nine hundred and ninety-nine thousand nine hundred and ninety-nine',
    'neunhundertneunundneunzigtausendneunhundertneunundneunzig',
  ],
  [1_000_000, 'one million', 'eine Million'],
  [2_000_001, 'two million and one', 'zwei Millionen eins'],
  [1_000_000_000, 'one billion', 'eine Milliarde'],
  [3_002_000_100, 'three billion two million one hundred', 'drei Milliarden zwei Millionen einhundert'],
])('the amount %d is read as “%s” and “%s”', (n, english, german) => {
  expect(numberInWords(n, 'en')).toBe(english);
  expect(numberInWords(n, 'de')).toBe(german);
});

test('an amount is read with its currency and its hundredths', () => {
  expect(amountInWords(12_340n, 2, 'EUR', 'en')).toBe('one hundred and twenty-three euros and forty cents');
  expect(amountInWords(12_340n, 2, 'EUR', 'de')).toBe('einhundertdreiundzwanzig Euro und vierzig Cent');
  expect(amountInWords(101n, 2, 'GBP', 'en')).toBe('one British pound and one penny');
  expect(amountInWords(100n, 2, 'EUR', 'en')).toBe('one euro');
  expect(amountInWords(100n, 2, 'EUR', 'de')).toBe('ein Euro');
  expect(amountInWords(100n, 2, 'CZK', 'de')).toBe('eine Tschechische Krone');
  expect(amountInWords(50n, 2, 'EUR', 'en')).toBe('zero euros and fifty cents');
});

test('a currency without hundredths has none, and unknown small units are read as figures', () => {
  expect(amountInWords(1200n, 0, 'JPY', 'en')).toBe('one thousand two hundred Japanese yen');
  expect(amountInWords(1_250n, 3, 'KWD', 'en')).toBe('one Kuwaiti dinar and 250/1000');
  expect(amountInWords(1_05n, 2, 'HUF', 'en')).toBe('one Hungarian forint and 5/100');
});

test('an amount that is too large has no words', () => {
  expect(amountInWords(100_000_000_000_000n, 2, 'EUR', 'en')).toBeNull();
  expect(amountInWords(-1n, 2, 'EUR', 'en')).toBeNull();
});

test('no two numbers are read alike, and no number is missing', () => {
  const number = fc.integer({ min: 0, max: 999_999_999_999 });
  fc.assert(
    fc.property(number, number, fc.constantFrom('en' as const, 'de' as const), (one, other, language) => {
      const words = numberInWords(one, language);
      expect(words).not.toMatch(/undefined|_| {2}|^ | $/);
      expect(words === numberInWords(other, language)).toBe(one === other);
    }),
  );
});
