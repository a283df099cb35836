import { fail, ok, type Result } from '../result.ts';
import { currencyCodes, exponentOf } from './currencies.ts';
import type { Profile } from '../settings/profile.ts';

/**
 * Money: whole minor units inside, a decimal string on the wire, never a float.
 * How a person's typing becomes minor units is in amount-entry.ts.
 */
export { currencyCodes, exponentOf };
export { readAmount } from './amount-entry.ts';

/** How a profile writes currencies whose digits are not two; null = not chosen yet. */
export type AmountRule = Profile['amountRule'];

const refused = (path: string, message: string, hint: string): Result<never> =>
  fail('input.invalid', message, { hint, fields: [{ path, message: `${message} ${hint}` }] });

/** `minor` with `digits` of its last figures behind the point. */
const decimal = (minor: bigint, digits: number): string => {
  const figures = minor.toString().padStart(digits + 1, '0');
  return digits === 0 ? figures : `${figures.slice(0, -digits)}.${figures.slice(-digits)}`;
};

/**
 * The amount as it goes on the wire: two fraction digits (§2.2).
 * `minor`: minor units, more than zero. `rule`: how this gateway wants currencies that have not two digits,
 * which the interface does not show; with null they are refused. Every rule writes whole units of the
 * currency before the point, so that `1200.00` and `1200` yen are the same money.
 * Errors: `input.invalid` on `currency` or `amount`.
 */
export const wireAmount = (minor: bigint, currency: string, rule: AmountRule): Result<string> => {
  const own = exponentOf(currency);
  if (own === null) {
    return refused(
      'currency',
      currency === '' ? 'Choose a currency.' : `${currency} is not an ISO 4217 currency.`,
      'Choose one from the list, such as EUR.',
    );
  }
  if (minor <= 0n)
    return refused('amount', 'Enter an amount greater than zero.', 'Enter the amount to be paid.');
  if (own === 2) return ok(decimal(minor, 2));
  if (rule === null) {
    return refused(
      'currency',
      `${currency} has ${own === 0 ? 'no' : own} decimals. The API specifies two.`,
      `In the profile's settings, choose how your provider expects ${currency}: two decimals, the decimals of the currency, or whole numbers.`,
    );
  }
  const digits = rule === 'own-digits' ? own : rule === 'two-digits' ? 2 : 0;
  if (digits >= own) return ok(decimal(minor * 10n ** BigInt(digits - own), digits));
  const step = 10n ** BigInt(own - digits);
  return minor % step === 0n
    ? ok(decimal(minor / step, digits))
    : refused(
        'amount',
        `This profile uses ${digits === 0 ? 'no' : digits} decimals for ${currency}, and ${decimal(minor, own)} has more.`,
        "Round the amount, or choose the decimals of the currency in the profile's settings.",
      );
};

const plain = /^(\d{1,30})(?:\.(\d{1,30}))?$/;

/**
 * Minor units of an amount on the wire, whichever rule wrote it (§2.2): `100`, `100.0` and `100.00` are one.
 * Null when it is no plain decimal, holds more digits than the currency has, or the currency is unknown.
 */
export const readWire = (wire: string, currency: string): bigint | null => {
  const own = exponentOf(currency);
  const parts = plain.exec(wire);
  if (own === null || parts === null) return null;
  const fraction = (parts[2] ?? '').replace(/0+$/, '');
  return fraction.length > own ? null : BigInt((parts[1] ?? '') + fraction.padEnd(own, '0'));
};

/** Minor units as a decimal string in the currency's own digits; of an unknown currency, whole units. */
export const wireOf = (minor: bigint, currency: string): string => decimal(minor, exponentOf(currency) ?? 0);

const formats = new Map<string, Intl.NumberFormat>();

const formatOf = (locale: string, currency: string | null, digits: number): Intl.NumberFormat => {
  const key = `${locale} ${currency} ${digits}`;
  const known = formats.get(key);
  if (known) return known;
  const options: Intl.NumberFormatOptions = {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    ...(currency === null ? {} : { style: 'currency', currency, currencyDisplay: 'code' }),
  };
  let made: Intl.NumberFormat;
  try {
    made = new Intl.NumberFormat(locale, options);
  } catch {
    made = new Intl.NumberFormat('en', options);
  }
  formats.set(key, made);
  return made;
};

/**
 * An amount from the wire as the locale writes it, its currency code always beside it.
 * Shows every digit that was sent, and at least the currency's own; what is no plain decimal is shown as received.
 * `currency` may be empty or unknown. `locale`: BCP 47; an unusable one counts as `en`.
 */
export const formatMoney = (wire: string, currency: string, locale: string): string => {
  const parts = plain.exec(wire);
  if (parts === null) return `${wire} ${currency}`.trim();
  const own = exponentOf(currency);
  const digits = Math.max(parts[2]?.length ?? 0, own ?? 0);
  // Intl reads a decimal string exactly; its typings name such strings by a template type.
  const figures = wire as Intl.StringNumericLiteral;
  if (own !== null) return formatOf(locale, currency, digits).format(figures);
  return `${formatOf(locale, null, digits).format(figures)} ${currency}`.trim();
};
