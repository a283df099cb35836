import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { currencyCodes, exponentOf } from '../../../shared/money/currencies.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { readAmount } from '../../../shared/money/typed-amount.ts';
import { readWire, wireAmount } from '../../../shared/money/wire-amount.ts';
import { inWords } from '../../../tools/app-harness/in-words.ts';

const minorOf = (text: string, locale = 'en', currency = 'EUR'): bigint | string => {
  const read = readAmount(text, locale, currency);
  return read.ok ? read.value.minor : inEnglish(read.error.message);
};

describe('an amount as typed', () => {
  it.each([
    ['1234.50', 123_450n],
    ['1,234.50', 123_450n],
    ['1.234,50', 123_450n],
    ['1 234,50', 123_450n],
    ['1\u00a0234,50', 123_450n],
    ['1\u202f234.50', 123_450n],
    ...Array.from("'’‘ʼ´`", mark => [`1${mark}234.50`, 123_450n] as const),
    ['12，5', 1_250n],
    ['12\u200e.50', 1_250n],
    ['0.01', 1n],
    ['000999999999999', 99_999_999_999_900n],
    ['12,-', 1_200n],
    ['50,--', 5_000n],
    ['12.-', 1_200n],
    ['1234,5', 123_450n],
    ['1234', 123_400n],
    ['1,234,567.89', 123_456_789n],
    ['1.234.567', 123_456_700n],
    ['0,05', 5n],
    [' 12.5 ', 1_250n],
    ['١٢٣٫٥٠', 12_350n],
    ['۱٬۲۳۴٫۵', 123_450n],
    ['１２．５０', 1_250n],
  ] as const)('the typed amount %j has one reading, so it is read in every locale', (text, minor) => {
    for (const locale of ['en', 'de', 'fr', 'de-CH', 'pl', 'ar-EG', 'en-IN', 'sv', 'es'])
      expect(minorOf(text, locale)).toBe(minor);
  });

  it.each([
    ['€50', 'EUR', 'en'],
    ['50 €', 'EUR', 'de'],
    ['50EUR', 'EUR', 'en'],
    ['eur 50,00', 'EUR', 'de'],
    ['$50', 'USD', 'en'],
    ['US$50', 'USD', 'en-GB'],
    ['$50', 'CAD', 'en'],
    ['£50', 'GBP', 'de'],
    ['50 zł', 'PLN', 'pl'],
    ['50 Kč', 'CZK', 'cs'],
    ['50 kr.', 'DKK', 'da'],
    ['50 ₹', 'INR', 'en-IN'],
  ])('the typed amount %j in %s is read like the figures alone', (text, currency, locale) => {
    expect(minorOf(text, locale, currency)).toBe(5_000n);
  });

  it('an amount as typed with one separator before three digits is read by the locale', () => {
    expect(minorOf('1,234', 'en')).toBe(123_400n);
    expect(minorOf('1.234', 'de')).toBe(123_400n);
    expect(minorOf('1,234', 'en', 'JPY')).toBe(1_234n);
    expect(minorOf('1,234', 'de', 'KWD')).toBe(1_234n);
    expect(minorOf('1.234', 'en', 'KWD')).toBe(1_234n);
    expect(minorOf('1 234', 'fr')).toBe(123_400n);
    expect(minorOf('1.234,–', 'de')).toBe(123_400n);
    // The Arabic decimal mark never groups digits.
    expect(minorOf('1٫234', 'en', 'KWD')).toBe(1_234n);
  });

  it.each([
    ['1,234', 'de', 'EUR', '1234 or 1,234', '1234 or 1234,00. EUR has 2 decimals.'],
    ['1.234', 'en', 'EUR', '1234 or 1.234', '1234 or 1234.00. EUR has 2 decimals.'],
    ['1.234', 'fr', 'EUR', '1234 or 1,234', '1234 or 1234,00. EUR has 2 decimals.'],
    ['1,234', 'de-CH', 'CHF', '1234 or 1.234', '1234 or 1234.00. CHF has 2 decimals.'],
    ['1,234', 'en', 'KWD', '1234 or 1.234', '1234 or 1234.000, or 1.234'],
    ['1.234', 'en', 'JPY', '1234 or 1.234', 'Enter 1234. JPY has no decimals.'],
  ])(
    '%s in %s for %s could be two amounts: both are named, with what to type instead',
    (text, locale, currency, both, hint) => {
      const read = inWords(readAmount(text, locale, currency));
      if (read.ok) throw new Error('It was read.');
      expect(read.error.code).toBe('input.invalid');
      expect(read.error.message).toBe(`“${text}” could mean ${both}.`);
      expect(read.error.hint).toContain(hint);
      expect(read.error.fields).toEqual([
        { path: 'amount', message: `${read.error.message} ${read.error.hint}` },
      ]);
    },
  );

  it('an amount as typed follows the grouping of India', () => {
    expect(minorOf('1,23,45,678.50', 'en-IN', 'INR')).toBe(1_234_567_850n);
    expect(minorOf('1,23,45,678.50', 'en', 'INR')).toContain('is not a valid amount');
  });

  it.each(['12,34,5', '1,23.50', '1 2', '0,123,456', '1,234.567,89', '1 234,567.89', '12.345.6', '1٫2٫3'])(
    '%s is refused: its groups are misplaced',
    text => expect(minorOf(text)).toContain('is not a valid amount'),
  );

  it.each([
    ['', 'amount is missing'],
    ['-5', 'cannot have a sign'],
    ['+5', 'cannot have a sign'],
    ['−5.00', 'cannot have a sign'],
    ['(5)', 'cannot have a sign'],
    ['12-', 'cannot have a sign'],
    ['€-5', 'only contain digits'],
    ['5 EUR EUR', 'only contain digits'],
    ['EUR', 'only contain digits'],
    ['5 euros', 'only contain digits'],
    ['$5', 'names another currency than EUR'],
    ['5 usd', 'names another currency than EUR'],
    ['1e3', 'only contain digits'],
    ['0x10', 'only contain digits'],
    ['Infinity', 'only contain digits'],
    ['.50', 'between two digits'],
    ['5.', 'between two digits'],
    ['1..5', 'between two digits'],
    ['0', 'greater than zero'],
    ['0.00', 'greater than zero'],
    ['12.345', 'could mean 12345 or 12.345'],
    ['12.3456', '2 decimals'],
    ['0.005', '2 decimals'],
    ['1234567890123', 'too many digits'],
  ])('the typed amount %j is refused, with the reason', (text, why) => expect(minorOf(text)).toContain(why));

  it('an amount as typed has as many fraction digits as its currency allows', () => {
    expect(minorOf('5.25', 'en', 'JPY')).toContain('no decimals');
    expect(minorOf('5.2500', 'en', 'KWD')).toContain('3 decimals');
    expect(minorOf('5.250', 'en', 'KWD')).toBe(5_250n);
  });

  it('an invalid locale is accepted for a typed amount', () =>
    expect(minorOf('1,234', 'no such locale!')).toBe(123_400n));
});

const currency = fc.constantFrom(...currencyCodes);
const locale = fc.constantFrom(
  'en',
  'de',
  'fr',
  'de-CH',
  'pl',
  'ar-EG',
  'fa',
  'hi',
  'en-IN',
  'sv',
  'es',
  'bn',
);
const minor = fc.bigInt({ min: 1n, max: 999_999_999_999n });
/** Minor units with the currency's digits: what a program would type. */
const plainly = (minor: bigint, code: string): string => {
  const own = exponentOf(code) ?? 0;
  const figures = minor.toString().padStart(own + 1, '0');
  return own === 0 ? figures : `${figures.slice(0, -own)}.${figures.slice(-own)}`;
};

it('an amount never changes from the form to minor units to the wire and back, as any locale writes it', () => {
  fc.assert(
    fc.property(minor, currency, locale, (minor, code, locale) => {
      const own = exponentOf(code) ?? 0;
      const typed = new Intl.NumberFormat(locale, {
        minimumFractionDigits: own,
        maximumFractionDigits: own,
      }).format(plainly(minor, code) as Intl.StringNumericLiteral);
      const read = readAmount(typed, locale, code);
      if (!read.ok) throw new Error(inEnglish(read.error.message));
      expect(read.value.minor).toBe(minor);
      const wire = wireAmount(minor, code, 'own-digits');
      expect(wire.ok && wire.value).toBe(plainly(minor, code));
      expect(wire.ok && readWire(wire.value, code)).toBe(minor);
    }),
    { numRuns: 500 },
  );
});

it('an amount is refused by a rule or read back as the same', () => {
  const rule = fc.constantFrom('two-digits', 'own-digits', 'integer', null);
  fc.assert(
    fc.property(minor, currency, rule, (minor, code, rule) => {
      const wire = wireAmount(minor, code, rule);
      if (wire.ok) expect(readWire(wire.value, code)).toBe(minor);
      else expect(exponentOf(code)).not.toBe(2);
    }),
  );
});

it('any typed amount gives a refusal or an amount, never an exception', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom(...Array.from("0123456789., '’-٫٬٣")) }),
  );
  fc.assert(
    fc.property(text, locale, currency, (text, locale, code) => {
      const read = readAmount(text, locale, code);
      expect(read.ok ? read.value.minor > 0n : read.error.code === 'input.invalid').toBe(true);
    }),
    { numRuns: 1000 },
  );
});

it('the wire form of an amount has two fraction digits (§2.2), with any rule for other currencies', () => {
  for (const rule of ['two-digits', 'own-digits', 'integer', null] as const) {
    expect(wireAmount(5n, 'EUR', rule)).toEqual({ ok: true, value: '0.05' });
    expect(wireAmount(123_400n, 'USD', rule)).toEqual({ ok: true, value: '1234.00' });
  }
});

it('the wire form of an amount in a currency without two digits is refused until the profile has a rule', () => {
  for (const code of ['JPY', 'KWD', 'CLF']) {
    const wire = inWords(wireAmount(100n, code, null));
    expect(wire.ok ? [] : [wire.error.code, wire.error.fields?.[0]?.path]).toEqual([
      'input.invalid',
      'currency',
    ]);
    expect(wire.ok ? '' : wire.error.hint).toContain('profile’s settings');
  }
});

it('the wire form of an amount uses the rule of the profile', () => {
  const wire = (
    minor: bigint,
    code: string,
    rule: 'two-digits' | 'own-digits' | 'integer',
  ): string | undefined => {
    const written = wireAmount(minor, code, rule);
    return written.ok ? written.value : written.error.fields?.[0]?.path;
  };
  expect(wire(1200n, 'JPY', 'two-digits')).toBe('1200.00');
  expect(wire(1200n, 'JPY', 'own-digits')).toBe('1200');
  expect(wire(12_500n, 'CLF', 'own-digits')).toBe('1.2500');
  expect(wire(12_501n, 'CLF', 'own-digits')).toBe('1.2501');
  expect(wire(1200n, 'JPY', 'integer')).toBe('1200');
  expect(wire(5250n, 'KWD', 'two-digits')).toBe('5.25');
  expect(wire(5255n, 'KWD', 'two-digits')).toBe('amount');
  expect(wire(5255n, 'KWD', 'own-digits')).toBe('5.255');
  expect(wire(5000n, 'KWD', 'integer')).toBe('5');
  expect(wire(5255n, 'KWD', 'integer')).toBe('amount');
});

it('the wire form of an amount refuses zero and less', () => {
  expect(wireAmount(0n, 'EUR', null).ok).toBe(false);
  expect(wireAmount(-1n, 'EUR', null).ok).toBe(false);
});

it('the wire form of an amount is read by any rule that wrote it', () => {
  expect(readWire('100', 'EUR')).toBe(10_000n);
  expect(readWire('100.0', 'EUR')).toBe(10_000n);
  expect(readWire('100.00', 'EUR')).toBe(10_000n);
  expect(readWire('1200.00', 'JPY')).toBe(1200n);
  for (const wire of ['', '1,00', '-1.00', '1e2', '1.005', ' 1', '.5', '٣'])
    expect(readWire(wire, 'EUR')).toBeNull();
  expect(readWire('1.00', 'XXX')).toBeNull();
});

const shown = (wire: string, currency: string, locale: string): string =>
  formatMoney(wire, currency, locale).replaceAll(/\s/g, ' ');

it('a displayed amount has the format of the locale, with a sign that means one currency, or the code', () => {
  expect(shown('1234.5', 'EUR', 'en')).toBe('€1,234.50');
  expect(shown('1234.50', 'EUR', 'de')).toBe('1.234,50 €');
  expect(shown('1.00', 'USD', 'en-US')).toBe('$1.00');
  expect(shown('1.00', 'USD', 'en-GB')).toBe('USD 1.00');
  expect(shown('1.00', 'SEK', 'sv')).toBe('1,00 SEK');
  expect(shown('1200', 'JPY', 'en')).toBe('¥1,200');
  expect(shown('5.25', 'KWD', 'en')).toBe('KWD 5.250');
});

it('a displayed amount loses no digit: neither an extra one nor one beyond the precision of a float', () => {
  expect(shown('878.265', 'EUR', 'en')).toBe('€878.265');
  expect(shown('1200.00', 'JPY', 'en')).toBe('¥1,200.00');
  expect(shown('9007199254740993.01', 'EUR', 'en')).toBe('€9,007,199,254,740,993.01');
});

it('a displayed amount is shown as received if it is no decimal or the currency is unknown', () => {
  expect(shown('12,5x', 'EUR', 'en')).toBe('12,5x EUR');
  expect(formatMoney('12,5x', '', 'en')).toBe('12,5x');
  expect(formatMoney('1234.5', '', 'en')).toBe('1,234.5');
  expect(shown('1234.5', '€', 'de')).toBe('1.234,5 €');
  expect(shown('1234.5', 'EUR', 'no such locale!')).toBe('€1,234.50');
});

it('currencies have the digits of ISO 4217', () => {
  expect(['USD', 'GBP', 'CHF', 'SEK', 'CAD', 'AUD', 'PLN'].map(exponentOf)).toEqual([2, 2, 2, 2, 2, 2, 2]);
  expect(['EUR', 'JPY', 'KWD', 'CLF', 'UGX', 'XCG', 'BGN'].map(exponentOf)).toEqual([2, 0, 3, 4, 0, 2, 2]);
  expect(['XXX', 'XAU', 'XTS', 'ABC', ''].map(exponentOf)).toEqual([null, null, null, null, null]);
});
