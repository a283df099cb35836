import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { containsCardNumber } from '../../shared/card-number.ts';
import { readPhoneNumber } from '../../shared/phone-number.ts';

test('a number with + and the country code is read in the usual notations', () => {
  for (const text of ['+49 171 5550123', '+49-171-5550123', ' +49 (171) 555 01 23', '+49/171/5550123']) {
    expect(readPhoneNumber(text)).toBe('+491715550123');
  }
});

test('a number is never completed by a guess', () => {
  for (const text of ['0171 5550123', '0049 171 5550123', '+49 (0)171 5550123', '49 171 5550123', '']) {
    expect(readPhoneNumber(text)).toBeNull();
  }
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
  for (const start of inUse) {
    for (let last = 0; last < 100; last += 1) {
      const text = `${start}${String(last).padStart(2, '0')}`;
      expect(readPhoneNumber(text), text).toBe(text.replaceAll(' ', ''));
    }
  }
});
