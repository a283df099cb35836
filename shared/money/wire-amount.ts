import { fail, ok, type Result } from '../errors.ts';
import { joined, msg, type Message } from '../messages/message.ts';
import { exponentOf } from './currencies.ts';

/**
 * Money on the wire: whole minor units internally, a decimal string outside, never a float. typed-amount.ts parses
 * typed amounts; format-amount.ts formats amounts for display.
 */

/** A gateway's format of currencies whose digits are not two. */
export const amountRules = ['two-digits', 'own-digits', 'integer'] as const;

/** The profile's format of such currencies; null = not chosen yet. */
export type AmountRule = (typeof amountRules)[number] | null;

const refused = (path: string, message: Message, hint: Message): Result<never> =>
  fail('input.invalid', message, { hint, fields: [{ path, message: joined(message, hint) }] });

/** `minor` with its last `digits` digits after the decimal point. */
export const decimalText = (minor: bigint, digits: number): string => {
  const figures = minor.toString().padStart(digits + 1, '0');
  return digits === 0 ? figures : `${figures.slice(0, -digits)}.${figures.slice(-digits)}`;
};

/**
 * The amount on the wire: two fraction digits (§2.2). `minor`: minor units, more than zero. `rule`: the gateway's
 * format of currencies without two digits, which the interface does not specify; with null they are refused. Every
 * rule writes whole units of the currency before the point, so that `1200.00` and `1200` yen are equal. Errors:
 * `input.invalid` on `currency` or `amount`.
 */
export const wireAmount = (minor: bigint, currency: string, rule: AmountRule): Result<string> => {
  const own = exponentOf(currency);
  if (own === null)
    return refused(
      'currency',
      currency === '' ? msg('currency.missing') : msg('currency.unknown', { currency }),
      msg('currency.choose'),
    );
  if (minor <= 0n) return refused('amount', msg('amount.not-positive'), msg('amount.enter'));
  if (own === 2) return ok(decimalText(minor, 2));
  if (rule === null)
    return refused(
      'currency',
      msg('currency.no-rule', { currency, digits: own }),
      msg('currency.no-rule.hint', { currency }),
    );
  const digits = rule === 'own-digits' ? own : rule === 'two-digits' ? 2 : 0;
  if (digits >= own) return ok(decimalText(minor * 10n ** BigInt(digits - own), digits));
  const step = 10n ** BigInt(own - digits);
  return minor % step === 0n
    ? ok(decimalText(minor / step, digits))
    : refused(
        'amount',
        msg('amount.finer-than-profile', { digits, currency, amount: decimalText(minor, own) }),
        msg('amount.finer-than-profile.hint'),
      );
};

/** Bounded, because an amount may come from an untrusted sender. */
const plainDecimal = /^(\d{1,30})(?:\.(\d{1,30}))?$/;

/** Digits before and after the decimal point; null if `wire` is not a plain decimal. */
const partsOf = (wire: string): { whole: string; fraction: string } | null => {
  const parts = plainDecimal.exec(wire);
  return parts && { whole: parts[1] ?? '', fraction: parts[2] ?? '' };
};

/** Digits after the decimal point of an amount on the wire; null if it is not a plain decimal. */
export const fractionDigits = (wire: string): number | null => partsOf(wire)?.fraction.length ?? null;

/** `wire` as an integer in units of 10^-digits; null if it is not a plain decimal or needs more digits. */
export const scaledAmount = (wire: string, digits: number): bigint | null => {
  const parts = partsOf(wire);
  if (parts === null) return null;
  const fraction = parts.fraction.replace(/0+$/, '');
  return fraction.length > digits ? null : BigInt(parts.whole + fraction.padEnd(digits, '0'));
};

/**
 * Minor units of an amount on the wire, written by any rule (§2.2): `100`, `100.0` and `100.00` are equal. Null if it
 * is not a plain decimal, has more digits than the currency, or the currency is unknown.
 */
export const readWire = (wire: string, currency: string): bigint | null => {
  const own = exponentOf(currency);
  return own === null ? null : scaledAmount(wire, own);
};

/** Limit of an amount that is added up, minor units: a million of them are still exact in every list, sheet and sum. */
const maxCounted = 9_000_000_000_000n;

/** `readWire` for what is added up; null also if the amount is over the limit, which is shown and in no sum. */
export const countedWire = (wire: string, currency: string): bigint | null => {
  const minor = readWire(wire, currency);
  return minor === null || minor > maxCounted ? null : minor;
};

/** Precision of a comparison of amounts of unknown currency, fraction digits: more than any ISO 4217 currency has. */
export const comparedDigits = 6;

/**
 * A wire amount as an exact integer of millionths, for comparisons and sums without a known currency. Null if it is
 * null, not a plain decimal or has more than six fraction digits.
 */
export const exactAmount = (wire: string | null): bigint | null =>
  wire === null ? null : scaledAmount(wire.trim(), comparedDigits);

/** An exact integer of millionths as a decimal text, with two fraction digits or more. */
export const exactText = (millionths: bigint): string => {
  const [whole = '', fraction = ''] = decimalText(millionths, comparedDigits).split('.');
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
};

/**
 * `whole` without `parts` in wire form, with at least the fraction digits of `whole`. Null if one of them is no exact
 * amount, or if the parts are more than the whole.
 */
export const amountWithout = (whole: string | null, parts: readonly (string | null)[]): string | null => {
  let rest = exactAmount(whole);
  for (const part of parts) {
    const minus = exactAmount(part);
    if (rest === null || minus === null) return null;
    rest -= minus;
  }
  if (rest === null || rest < 0n) return null;
  const minDigits = whole?.split('.')[1]?.trim().length ?? 0;
  let digits = comparedDigits;
  for (; digits > minDigits && rest % 10n === 0n; digits -= 1) rest /= 10n;
  return decimalText(rest, digits);
};

/** Whether two wire amounts are equal; texts that are not decimals are equal only byte for byte. */
export const sameAmount = (one: string, other: string): boolean => {
  if (one === other) return true;
  const left = exactAmount(one);
  return left !== null && left === exactAmount(other);
};

/** Minor units as a decimal string in the currency's own digits; whole units for an unknown currency. */
export const wireOf = (minor: bigint, currency: string): string =>
  decimalText(minor, exponentOf(currency) ?? 0);

/**
 * Every text that some rule writes for an amount, each with a decimal point: the search index contains `1200` as
 * `1200.00` too. `minor`: more than zero; `currency`: one with an exponent.
 */
export const wireForms = (minor: bigint, currency: string): string[] => {
  const written = amountRules.flatMap(rule => {
    const wire = wireAmount(minor, currency, rule);
    return wire.ok ? [wire.value.includes('.') ? wire.value : `${wire.value}.00`] : [];
  });
  return [...new Set(written)];
};

/** The most fraction digits that one of these amounts has. */
export const mostDigits = (amounts: readonly (string | null)[]): number => {
  const digits = amounts.map(amount => (amount === null ? 0 : (fractionDigits(amount.trim()) ?? 0)));
  return Math.min(comparedDigits, Math.max(0, ...digits));
};

/** An exact integer of millionths in wire form, with a minus sign below zero. */
export const signedText = (millionths: bigint, digits: number): string => {
  const size = millionths < 0n ? -millionths : millionths;
  const figures = decimalText(size / 10n ** BigInt(comparedDigits - digits), digits);
  return millionths < 0n ? `-${figures}` : figures;
};

/** The exact sum of amounts in wire form; null if one of them is not known. */
export const sumOfAmounts = (amounts: readonly (string | null)[]): string | null => {
  let sum = 0n;
  for (const amount of amounts) {
    const exact = exactAmount(amount);
    if (exact === null) return null;
    sum += exact;
  }
  return signedText(sum, mostDigits(amounts));
};
