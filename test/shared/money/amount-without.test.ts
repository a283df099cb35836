import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountWithout, exactAmount } from '../../../shared/money/wire-amount.ts';

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

test('no amount has no exact value', () => {
  expect(exactAmount(null)).toBeNull();
});
