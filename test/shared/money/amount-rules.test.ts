import { expect, test } from 'vitest';
import { amountRuleFor, readAmountExceptions } from '../../../shared/money/amount-rules.ts';
import { wireAmount } from '../../../shared/money/wire-amount.ts';
import type { Profile } from '../../../shared/settings/profile.ts';

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

test('an empty text contains no exceptions', () => {
  expect([...(readAmountExceptions(' ') ?? [])]).toEqual([]);
});
