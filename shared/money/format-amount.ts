import { exponentOf } from './currencies.ts';
import { fractionDigits } from './wire-amount.ts';

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

/** A wire amount in the locale's notation without its currency, with the digits of `formatMoney`. */
export const formatAmount = (wire: string, currency: string, locale: string): string => {
  const sent = fractionDigits(wire);
  if (sent === null) return wire;
  // Intl reads a decimal string exactly; its typings describe such strings by a template type.
  const figures = wire as Intl.StringNumericLiteral;
  return formatOf(locale, null, Math.max(sent, exponentOf(currency) ?? 0)).format(figures);
};

/**
 * A wire amount in the locale's notation, always with its currency code. Shows every digit that was sent, and at
 * least the currency's own; anything but a plain decimal is shown as received. `currency` may be empty or unknown.
 * `locale`: BCP 47; an invalid one counts as `en`.
 */
export const formatMoney = (wire: string, currency: string, locale: string): string => {
  const [sent, own] = [fractionDigits(wire), exponentOf(currency)];
  if (sent === null || own === null) return `${formatAmount(wire, currency, locale)} ${currency}`.trim();
  // Intl reads a decimal string exactly; its typings describe such strings by a template type.
  return formatOf(locale, currency, Math.max(sent, own)).format(wire as Intl.StringNumericLiteral);
};

/** A wire amount as typed in a locale, without grouping; unchanged if it is not a plain decimal. */
export const amountText = (wire: string, locale: string): string => {
  const digits = fractionDigits(wire);
  if (digits === null) return wire;
  return new Intl.NumberFormat(locale, {
    useGrouping: false,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    // Intl reads a decimal string exactly; its typings describe such strings by a template type.
  }).format(wire as Intl.StringNumericLiteral);
};
