import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { containsCardNumber, maskCardNumbers } from '../../shared/card-number.ts';

/** The digits with a valid check digit, computed independently of the code under test. */
const withCheckDigit = (digits: readonly number[]): string => {
  for (let check = 0; check < 10; check += 1) {
    const all = [...digits, check];
    const sum = all
      .toReversed()
      .map((digit, place) => (place % 2 === 1 ? ([0, 2, 4, 6, 8, 1, 3, 5, 7, 9][digit] ?? 0) : digit))
      .reduce((total, digit) => total + digit, 0);
    if (sum % 10 === 0) return all.join('');
  }
  throw new Error('No check digit fits.');
};
const numbers = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 18 })
  .map(withCheckDigit);

describe('a card number is found', () => {
  it('a card number is found with any 13 to 19 digits, without gaps, within other words', () => {
    fc.assert(
      fc.property(numbers, number => {
        expect(containsCardNumber(number)).toBe(true);
        expect(containsCardNumber(`card ${number}, thanks`)).toBe(true);
        expect(containsCardNumber(`x${number}y`)).toBe(true);
      }),
    );
  });

  it('a card number is found with spaces, dashes and dots anywhere between its digits', () => {
    const gap = fc.constantFrom('', ' ', '-', '.', '\u00a0', ' – ', '\n', '  ');
    fc.assert(
      fc.property(numbers, fc.array(gap, { minLength: 18, maxLength: 18 }), (number, gaps) => {
        expect(containsCardNumber(number.replaceAll(/\d/g, digit => digit + (gaps.pop() ?? '')))).toBe(true);
      }),
    );
  });

  it.each([
    '4111 1111 1111 1111 12/28 123',
    '4111 1111 1111 1111 12 28 123',
    'Amex 3782-822463-10005',
    '５５５５５５５５５５５５４４４４',
    '٤١١١ ١١١١ ١١١١ ١١١١',
    '4111\u200b1111\u200b1111\u200b1111',
    'order 77 4111111111111111',
  ])('a card number is found in %s', text => expect(containsCardNumber(text)).toBe(true));
});

const separators = '/ _ , ; : | * \' " # = & ( x + %20 &nbsp;'.split(' ');
test.each([...separators, ' / ', '    '])(
  'a card number with "%s" between its groups is refused and masked',
  gap => {
    for (const groups of [
      ['4111', '1111', '1111', '1111'],
      ['3782', '822463', '10005'],
    ]) {
      const written = `Card ${groups.join(gap)} ok`;
      expect(containsCardNumber(written)).toBe(true);
      expect(maskCardNumbers(written)).toMatch(/^Card (?:411111\*{6}1111|378282\*{5}0005) ok$/);
    }
  },
);

test('a card number of circled digits is masked, and other circled digits stay', () => {
  expect(maskCardNumbers('④①①① ①①①① ①①①① ①①①①')).toBe('411111******1111');
  expect(maskCardNumbers('10 m² of step ① for shop 12345678')).toBe('10 m² of step ① for shop 12345678');
});

describe('no card number is found in', () => {
  it.each([
    ['a wrong check digit', '4111 1111 1111 1112'],
    ['a masked number', '411111******1111'],
    ['a masked number in groups', '4111 11XX XXXX 1111'],
    ['a uuid', '50a1361a-7c2e-11f1-b8d4-0242ac120002'],
    ['a uuid of digits alone', '41111111-1111-1111-1111-111111111111'],
    ['a longer run that has one inside', '00004111111111111111'],
    ['an RRN', '123456789012'],
    ['an amount', '1.234.567,89'],
    ['a date and time', '2026-11-20 22:49:13.123'],
    ['order numbers with a comma', '4711,4712,4713,47145'],
    ['groups with different separators', '4111/1111,1111/1111'],
    ['nothing', ''],
  ])('no card number is found in %s', (_, text) => expect(containsCardNumber(text)).toBe(false));

  it('a text of eight megabytes is checked in bounded time', () => {
    expect(containsCardNumber('1 '.repeat(4_000_000).slice(0, 100) + 'a '.repeat(4_000_000))).toBe(false);
  });
});

test.each([
  '1%20',
  '1+',
  '%25',
  '%2520',
  '1%252520',
  '\\u00a0',
  '1\\n',
  '&nbsp;1',
  '1- ',
  '1',
  '1 ',
  '1   ',
  '4111 ',
  '41111111-1111-',
  '٤',
  '４',
  '1\u200b',
  '-',
  'a1',
])('a text of 300 kB of "%s" is scanned once, for finding and for masking', piece => {
  // A scan that starts again at each character would exceed the time limit of the test.
  const text = piece.repeat(300_000 / piece.length);
  const masked = maskCardNumbers(text);
  expect(masked.length).toBeLessThanOrEqual(text.length);
  expect(containsCardNumber(text)).toBe(containsCardNumber(piece.repeat(100)));
});

it('masking of card numbers shows six and four digits of every card number, and no card number', () => {
  const gap = fc.constantFrom('', ' ', '-', '.', '\u00a0', '  ');
  fc.assert(
    fc.property(
      numbers,
      fc.array(gap, { minLength: 18, maxLength: 18 }),
      fc.constantFrom('Paid with ', 'Größe 12: ', ''),
      (number, gaps, before) => {
        const written = before + number.replaceAll(/\d/g, digit => digit + (gaps.pop() ?? ''));
        fc.pre(before !== 'Größe 12: ' || containsCardNumber(written));
        expect(containsCardNumber(maskCardNumbers(written, true))).toBe(false);
      },
    ),
  );
  expect(maskCardNumbers('Visa 4111 1111 1111 1111, exp 01/30')).toBe('Visa 411111******1111, exp 01/30');
  expect(maskCardNumbers('٤١١١١١١١١١١١١١١١')).toBe('411111******1111');
});

it.each([
  ['4111%201111%201111%201111', '411111******1111'],
  ['card%204111+1111+1111+1111', 'card%20411111******1111'],
  ['a=%224111%25201111%25201111%25201111%22', 'a=%22411111******1111%22'],
  ['4111%2D1111%2d1111%C2%A01111', '411111******1111'],
  [String.raw`4111\u00a01111\u20111111\n1111`, '411111******1111'],
  ['4111&nbsp;1111&nbsp;1111&nbsp;1111', '411111******1111'],
])('masking of card numbers reads %s, as a URL, JSON or HTML writes it', (text, masked) => {
  expect(maskCardNumbers(text)).toBe(masked);
});

it('masking of card numbers leaves other text as it is: identifiers, times, numbers that begin like no card', () => {
  for (const text of [
    '9d1b1111-1111-4111-8111-111111111111',
    '1700000000003',
    'room 12, 2026-03-02 10:11:12',
    '411111******1111',
    '',
  ])
    expect(maskCardNumbers(text)).toBe(text);
});

it('masking of card numbers takes time in proportion to the text', () => {
  const costly = ['4 '.repeat(50_000), '4'.repeat(100_000), '4- '.repeat(33_000), '41111111 '.repeat(11_000)];
  for (const text of costly) expect(typeof maskCardNumbers(text)).toBe('string');
});
