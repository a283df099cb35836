import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { containsCardNumber } from '../../shared/card-number.ts';
import { completePhoneNumber, readPhoneNumber } from '../../shared/phone-number.ts';

test('a number with + and the country code is read in the usual notations', () => {
  for (const text of ['+49 171 5550123', '+49-171-5550123', ' +49 (171) 555 01 23', '+49/171/5550123'])
    expect(readPhoneNumber(text)).toBe('+491715550123');
});

test('a number is never completed by a guess', () => {
  for (const text of ['0171 5550123', '0049 171 5550123', '+39 (0)6 1234567', '49 171 5550123', ''])
    expect(readPhoneNumber(text)).toBeNull();
});

test('a 0 that is not dialled from abroad is left out, in the countries that have one', () => {
  for (const text of ['+49 (0)171 5550123', '+49 0171 5550123', '+49(0171)5550123', '+490171 5550123'])
    expect(readPhoneNumber(text), text).toBe('+491715550123');
  expect(readPhoneNumber('+44 (0) 20 7946 0018')).toBe('+442079460018');
  expect(readPhoneNumber('+39 06 1234567')).toBe('+39061234567');
  expect(readPhoneNumber('+49 00171 5550123')).toBeNull();
});

test('a national number is completed by the country of the merchant only, as it was typed', () => {
  expect(completePhoneNumber('0171 5550 123', '+49 30 1234567')).toBe('+49 171 5550 123');
  expect(completePhoneNumber('(0171) 555-0123', '+49 (0)30 1234567')).toBe('+49 (171) 555-0123');
  expect(completePhoneNumber('020 7946 0018', '+442079460000')).toBe('+44 20 7946 0018');
  expect(completePhoneNumber('+43 0664 123456', '+49 30 1234567')).toBe('+43 664 123456');
  for (const home of ['', '030 1234567', '+39 06 1234567', '+1 212 5550123'])
    expect(completePhoneNumber('0171 5550 123', home), home).toBe('0171 5550 123');
  for (const text of ['0049 171 5550123', '171 5550123', '0171', '04111 1111 1111 1111', '+49 171 5550123'])
    expect(completePhoneNumber(text, '+49 30 1234567'), text).toBe(text);
});

test('a completed number can be read and completes to itself; one with + keeps its country', () => {
  const typed = fc.string({ unit: fc.constantFrom('+', '0', '1', '4', '9', ' ', '-', '(', ')', '/') });
  fc.assert(
    fc.property(
      typed,
      fc.constantFrom('+49 30 1234567', '+44 20 79460018', '+39 06 1234567', ''),
      (text, home) => {
        const shown = completePhoneNumber(text, home);
        if (shown === text) return;
        expect(readPhoneNumber(shown)).toMatch(/^\+[1-9]\d{6,14}$/);
        expect(completePhoneNumber(shown, home)).toBe(shown);
        const digits = text.replaceAll(/\D/g, '');
        if (text.trim().startsWith('+'))
          expect(shown.replaceAll(/\D/g, '').slice(0, 2)).toBe(digits.slice(0, 2));
        expect(digits.endsWith(shown.replaceAll(/\D/g, '').slice(3))).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('any typed text is read as + and 7 to 15 digits, or not at all', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('+', '0', '1', '4', '9', ' ', '-', '(', ')', '.', '/', 'x') }),
      text => {
        const read = readPhoneNumber(text);
        if (read !== null) expect(read).toMatch(/^\+[1-9]\d{6,14}$/);
      },
    ),
  );
});

test('a card number with + before it is no telephone number', () => {
  for (const card of [
    '378282246310005',
    '371449635398431',
    '341111111111111',
    '30569309025904',
    '36006666333344',
    '38520000023237',
    '213112345678904',
    '135410014004955',
  ]) {
    expect(containsCardNumber(card), card).toBe(true);
    expect(readPhoneNumber(`+${card}`), card).toBeNull();
    expect(readPhoneNumber(`+${card.slice(0, 4)} ${card.slice(4, 10)}-${card.slice(10)}`), card).toBeNull();
  }
});

test('a telephone number that passes the check of card numbers by chance stays accepted', () => {
  const inUse = [
    '+49 1512 345678',
    '+49 30 1234567',
    '+43 664 123456',
    '+39 347 123456',
    '+381 63 12345',
    '+1 212 55501',
    '+34 612 34567',
    '+372 5123 45',
    '+380 50 12345',
    '+30 697 123456',
    '+62 812 3456789',
  ];
  for (const start of inUse)
    for (let last = 0; last < 100; last += 1) {
      const text = `${start}${String(last).padStart(2, '0')}`;
      expect(readPhoneNumber(text), text).toBe(text.replaceAll(' ', ''));
    }
});
