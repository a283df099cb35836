import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactPersonalData } from '../../../main/app/reports/reports-feature.ts';

/** What a handover note shows of a text that an agent typed. */

const redacted = (text: string): string => redactPersonalData(text, 'CF-1001', ['Jane van Doe']);

test.each([
  ['a web address', 'See https://pay.example/auth/secret now', 'See ••• now'],
  ['an address without a scheme', 'www.pay.example/a?b=c', '•••'],
  ['an e-mail address', 'wrote to <jane.doe@shop.example>, no answer', 'wrote to <•••>, no answer'],
  ['a telephone number', 'call +49 (30) 1234-567 at 9', 'call ••• at 9'],
  ['a number in brackets', 'call (030) 1234567, please', 'call •••, please'],
  ['an account number', 'IBAN ends in 12345678.', 'IBAN ends in •••.'],
  ['a card number', '4111 1111 1111 1111', '•••'],
  ["each part of the customer's name", 'JANE asked, van Doe paid', '••• asked, ••• ••• paid'],
])('a note hides %s', (_, text, shown) => expect(redacted(text)).toBe(shown));

test.each([
  ['the order number', 'About CF-1001, again'],
  ['a date', 'on 2026-11-23, or 24.12.2026, or 12/24/2026'],
  ['an amount', "123.40 EUR, 1'234'567.89 CHF, 12 345.00 PLN"],
  ['a short number', 'room 12, floor 3, 16:00'],
  ['digits within a word', 'A1234567, 1234567B, 1234567-x, x_1234567'],
  ['a name within a word', 'Janet, Doew'],
])('a note shows %s', (_, text) => expect(redacted(text)).toBe(text));

test('a note shows an order number that looks like a telephone number', () =>
  expect(redactPersonalData('About 030 1234567 and 030 7654321', '030 1234567', [])).toBe(
    'About 030 1234567 and •••',
  ));

/** Numbers by one regular expression with backtracking. */
const numbers = /(?<![\p{L}\d_-])\+?\(?\d[\d\s()/.-]*\d(?![\p{L}\d_-])/gu;

test('in the text of a note, the numbers that are hidden are those that one regular expression finds', () => {
  const text = fc.string({
    unit: fc.constantFrom('1', '2', '34', ' ', '+', '(', ')', '/', '.', '-', '_', 'a', ',', 'é', '𝒜'),
    maxLength: 60,
  });
  fc.assert(
    fc.property(text, written => {
      const expected = written.replaceAll(numbers, run => {
        const isStored = run.replaceAll(/\D/g, '').length < 6 || redactPersonalData(run, '', []) === run;
        return isStored ? run : '•••';
      });
      expect(redactPersonalData(written, '', [])).toBe(expected);
    }),
  );
});

test.each(['1- ', '1-', '1', '+1', '(', ' 1_', '1.234', 'a@', 'a', 'www', 'Jane', '𝒜1 '])(
  'a note of a megabyte of "%s" is read in linear time',
  piece => {
    const text = piece.repeat(1_000_000 / piece.length);
    expect(redacted(text).length).toBeLessThanOrEqual(text.length);
  },
);
