import { expect, test } from 'vitest';
import { readAmountExceptions } from '../../../shared/money/amount-rules.ts';
import { currencyCodes, currencyStatus } from '../../../shared/money/currencies.ts';
import { decimalOf } from '../../../shared/money/signed-amount.ts';
import { amountText, formatAmount } from '../../../shared/money/format-amount.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { decimalReadings, readAmount } from '../../../shared/money/typed-amount.ts';
import {
  amountRules,
  exactAmount,
  sameAmount,
  wireAmount,
  wireForms,
  wireOf,
} from '../../../shared/money/wire-amount.ts';

/** The written forms of amounts, and the currencies they can have. */

test.each([
  ['EUR', 'current'],
  ['CLF', 'current'],
  ['XCG', 'current'],
  ['ANG', 'withdrawn'],
  ['BGN', 'withdrawn'],
  ['DEM', 'withdrawn'],
  ['ZWL', 'withdrawn'],
  ['XXX', null],
  ['eur', null],
  ['', null],
])('the status of the currency %j is %j', (code, status) => {
  expect(currencyStatus(code)).toBe(status);
});

test('currencies in the selection are those for payments: no index units, fund codes, metals and replaced ones', () => {
  expect(currencyCodes).toEqual([...currencyCodes].sort());
  expect(currencyCodes.length).toBeGreaterThan(140);
  for (const code of ['EUR', 'XCG']) expect(currencyCodes).toContain(code);
  const excluded = 'ANG BGN BOV CHE CHW CLF COU MXV USN UYI UYW XAG XAU XPD XPT XBA XDR XSU XTS XXX';
  for (const code of excluded.split(' ')) expect(currencyCodes).not.toContain(code);
});

test('an amount fills the form in the notation of the locale, without grouping, with every digit', () => {
  expect(amountText('1234.50', 'de')).toBe('1234,50');
  expect(amountText('1234.50', 'en')).toBe('1234.50');
  expect(amountText('0.12345678901234567890', 'en')).toBe('0.12345678901234567890');
  expect(amountText('12,5x', 'de')).toBe('12,5x');
  expect(amountText(`0.${'1'.repeat(30)}`, 'en')).toBe(`0.${'1'.repeat(30)}`);
});

test('an amount without its currency has the digits of one with it', () => {
  expect(formatAmount('1234.5', 'EUR', 'de')).toBe('1.234,50');
  expect(formatAmount('878.265', 'EUR', 'en')).toBe('878.265');
  expect(formatAmount('1234.5', 'XXX', 'en')).toBe('1,234.5');
  expect(formatAmount('12,5x', 'EUR', 'en')).toBe('12,5x');
});

test.each([
  [-1_234_50n, 'EUR', '-1234.50'],
  [-5n, 'EUR', '-0.05'],
  [0n, 'EUR', '0.00'],
  [5n, 'EUR', '0.05'],
  [-1_200n, 'JPY', '-1200'],
  [-1_200n, 'XXX', '-1200'],
])('%s minor units of %s are %s: a negative amount has a minus sign', (minor, currency, text) => {
  expect(decimalOf(minor, currency)).toBe(text);
});

test('exceptions of the amount rule may end with a comma, and a rule is named in either case', () => {
  expect([...(readAmountExceptions('jpy INTEGER, ,KWD own-digits,') ?? [])]).toEqual([
    ['JPY', 'integer'],
    ['KWD', 'own-digits'],
  ]);
  expect([...(readAmountExceptions(' ') ?? [])]).toEqual([]);
  expect(amountRules).toEqual(['two-digits', 'own-digits', 'integer']);
});

test('minor units of an amount are written in the digits of their currency, and whole for an unknown one', () => {
  expect(wireOf(123n, 'EUR')).toBe('1.23');
  expect(wireOf(5n, 'KWD')).toBe('0.005');
  expect(wireOf(123n, 'JPY')).toBe('123');
  expect(wireOf(123n, 'ABC')).toBe('123');
});

test('the search index has each form that a rule writes once, with a point', () => {
  expect(wireForms(1_200n, 'JPY')).toEqual(['1200.00']);
  expect(wireForms(5_250n, 'KWD')).toEqual(['5.25', '5.250']);
  expect(wireForms(5_000n, 'KWD')).toEqual(['5.00', '5.000']);
  expect(wireForms(1_234n, 'EUR')).toEqual(['12.34']);
});

test('amounts are compared exactly, to six fraction digits', () => {
  expect(exactAmount(' 1.5 ')).toBe(1_500_000n);
  expect(exactAmount('1.123456')).toBe(1_123_456n);
  expect(exactAmount('1.1234560')).toBe(1_123_456n);
  expect(exactAmount('1.1234567')).toBeNull();
  expect(exactAmount(null)).toBeNull();
  expect(sameAmount('1', '1.00')).toBe(true);
  expect(sameAmount('1', '1.01')).toBe(false);
  expect(sameAmount('ten', 'ten')).toBe(true);
  expect(sameAmount('ten', 'eleven')).toBe(false);
});

test.each([
  ['', 'currency.missing'],
  ...['ABC', 'XXX', 'EUX', 'eur', 'XAU'].map(code => [code, 'currency.unknown'] as const),
] as const)('an amount in the currency %j is refused as %s, typed or on the wire', (currency, key) => {
  for (const read of [readAmount('1', 'en', currency), wireAmount(100n, currency, 'two-digits')])
    expect(read).toMatchObject({ ok: false, error: { message: { key }, fields: [{ path: 'currency' }] } });
});

test('a refused amount has examples with the digits of its currency', () => {
  const hintOf = (currency: string): string => {
    const read = readAmount('x', 'en', currency);
    return read.ok || !read.error.hint ? '' : inEnglish(read.error.hint);
  };
  expect(hintOf('EUR')).toMatch(/\b1234\b.*\b1234\.00\b/);
  expect(hintOf('JPY')).toMatch(/\b1234\b/);
});

test('a search reads figures with and without the zeros behind the second digit, and no words', () => {
  expect(decimalReadings('1234')).toEqual(['1234']);
  expect(decimalReadings('1,2300')).toEqual(['1.2300', '1.23']);
  for (const text of ['', 'nowak', '12a', '1..2']) expect(decimalReadings(text)).toEqual([]);
});
