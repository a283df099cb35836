import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAmountLimits } from '../../../shared/money/amount-limits.ts';
import { currencyCodes } from '../../../shared/money/currencies.ts';
import { wireOf } from '../../../shared/money/wire-amount.ts';

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
