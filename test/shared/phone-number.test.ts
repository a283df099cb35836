import * as fc from 'fast-check';
import { expect, test } from 'vitest';
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
