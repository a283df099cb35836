import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { readAmountLimits } from '../../../shared/money/amount-limits.ts';
import { currencyCodes } from '../../../shared/money/currencies.ts';
import { amountWithout, exactAmount, wireAmount, wireOf } from '../../../shared/money/wire-amount.ts';
import { amountRuleFor, readAmountExceptions } from '../../../shared/money/amount-rules.ts';
import type { Profile } from '../../../shared/settings/profile.ts';

describe('limits written as text', () => {
  it.each([
    ['', []],
    ['  ', []],
    [
      'EUR 500.00, JPY 20000',
      [
        ['EUR', 50_000n],
        ['JPY', 20_000n],
      ],
    ],
    ['eur 500', [['EUR', 50_000n]]],
    ['KWD 1.250,', [['KWD', 1_250n]]],
    ['EUR: 0.50', [['EUR', 50n]]],
    ['EUR 0', [['EUR', 0n]]],
  ])('limits written as %j are read exactly', (text, limits) => {
    expect([...(readAmountLimits(text) ?? [])]).toEqual(limits);
  });

  it.each([
    '500',
    'EUR',
    '500 EUR',
    'EUR 500,00',
    'EUR 1,500.00',
    'EUR 1.234',
    'JPY 20000.50',
    'EUR -5',
    'EUR 5 now',
    'EUR 5, EUR 6',
    'EUR 5, eur 6',
    'XYZ 5',
    'EUR 1e3',
    'EUR 500.00; JPY 20000',
  ])('limits written as %j are refused', text => {
    expect(readAmountLimits(text)).toBeNull();
  });

  it('limits written as text keep every amount of every currency, to the last minor unit', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...currencyCodes),
        fc.bigInt({ min: 0n, max: 10n ** 24n }),
        (code, minor) => {
          expect(readAmountLimits(`${code} ${wireOf(minor, code)}`)?.get(code)).toBe(minor);
        },
      ),
    );
  });
});

/**
 * One profile may write one currency with two digits and another as whole units (§2.2 mentions only two
 * digits).
 */

type Rules = Pick<Profile, 'amountRule' | 'amountExceptions'>;
const wire = (rules: Rules, minor: bigint, currency: string): string | null => {
  const written = wireAmount(minor, currency, amountRuleFor(rules, currency));
  return written.ok ? written.value : null;
};

test('yen as 100.00 and dong as 100 are sent from one profile', () => {
  const rules: Rules = { amountRule: 'own-digits', amountExceptions: 'JPY two-digits, vnd: integer' };
  expect(wire(rules, 100n, 'JPY')).toBe('100.00');
  expect(wire(rules, 100n, 'VND')).toBe('100');
  expect(wire(rules, 5_250n, 'KWD')).toBe('5.250');
  expect(wire(rules, 1_234n, 'EUR')).toBe('12.34');
});

test('a currency without an exception is refused until a rule is chosen', () => {
  const rules: Rules = { amountRule: null, amountExceptions: 'JPY two-digits' };
  expect(wire(rules, 100n, 'JPY')).toBe('100.00');
  expect(wire(rules, 100n, 'VND')).toBeNull();
});

test.each(['JPY', 'JPY three-digits', 'ABC integer', 'JPY integer, JPY two-digits', 'JPY integer now'])(
  'exceptions of the amount rule written as %j are refused',
  text => expect(readAmountExceptions(text)).toBeNull(),
);

/** What is left of an amount on the wire. */

test.each([
  ['123.40', ['20.00'], '103.40'],
  ['123.40', ['20.00', '3.40'], '100.00'],
  ['123.40', ['123.40'], '0.00'],
  ['123.40', ['0.005'], '123.395'],
  ['1200', ['200'], '1000'],
  ['1200', ['0.5'], '1199.5'],
  ['1.00', ['0.000001'], '0.999999'],
  ['1.0000000', ['1'], '0.000000'],
  [' 5.50 ', ['0.5'], '5.00'],
  ['123.40', [], '123.40'],
])('%s without %s is %s', (whole, parts, rest) => {
  expect(amountWithout(whole, parts)).toBe(rest);
});

test.each([
  ['10.00', ['10.01']],
  ['10.00', [null]],
  ['10.00', ['ten']],
  ['ten', ['1.00']],
  ['ten', []],
  [null, ['1.00']],
  [null, []],
])('%s without %s is unknown', (whole, parts) => {
  expect(amountWithout(whole, parts)).toBeNull();
});

test('the rest and the parts are exactly the whole', () => {
  const millionths = fc.bigInt({ min: 0n, max: 10n ** 15n });
  const wire = (exact: bigint): string =>
    `${exact / 1_000_000n}.${String(exact % 1_000_000n).padStart(6, '0')}`;
  fc.assert(
    fc.property(millionths, fc.array(millionths, { maxLength: 4 }), (rest, parts) => {
      const whole = parts.reduce((sum, part) => sum + part, rest);
      expect(exactAmount(amountWithout(wire(whole), parts.map(wire)))).toBe(rest);
    }),
  );
});
