import { exponentOf } from './currencies.ts';
import { fractionDigits } from './wire-amount.ts';

/** A currency sign alone. */
const isSign = /^\p{Sc}$/u;

const formats = new Map<string, Intl.NumberFormat>();

const formatOf = (locale: string, currency: string | null, digits: number): Intl.NumberFormat => {
  const key = `${locale} ${currency} ${digits}`;
  const known = formats.get(key);
  if (known) return known;
  const make = (currencyDisplay: 'symbol' | 'code'): Intl.NumberFormat => {
    const options: Intl.NumberFormatOptions = {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      ...(currency === null ? {} : { style: 'currency', currency, currencyDisplay }),
    };
    try {
      return new Intl.NumberFormat(locale, options);
    } catch {
      return new Intl.NumberFormat('en', options);
    }
  };
  // A sign with letters ("US$", "kr") is longer than the code or means several currencies.
  const signed = make('symbol');
  const hasSign = signed
    .formatToParts(0)
    .some(({ type, value }) => type === 'currency' && isSign.test(value));
  const made = hasSign ? signed : make('code');
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
 * A wire amount in the locale's notation, with its currency: a sign that means one currency in the locale, otherwise
 * the code. Shows every digit that was sent, and at least the currency's own; anything but a plain decimal is shown as received. `currency` may be empty or unknown.
 * `locale`: BCP 47; an invalid one counts as `en`.
 */
export const formatMoney = (wire: string, currency: string, locale: string): string => {
  const [sent, own] = [fractionDigits(wire), exponentOf(currency)];
  if (sent === null || own === null) return `${formatAmount(wire, currency, locale)} ${currency}`.trim();
  // Intl reads a decimal string exactly; its typings describe such strings by a template type.
  return formatOf(locale, currency, Math.max(sent, own)).format(wire as Intl.StringNumericLiteral);
};

/** The same in two parts, for a column whose figures end at one place: the amount, and what follows it. */
export const moneyParts = (
  wire: string,
  currency: string,
  locale: string,
): [amount: string, after: string] => {
  const money = formatMoney(wire, currency, locale);
  const after = /(?<=\d)\s*\D*$/u.exec(money)?.[0] ?? '';
  return [money.slice(0, money.length - after.length), after.trim()];
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

/** An amount that may have a minus sign, with its currency. */
export const signedMoney = (wire: string, currency: string, locale: string): string =>
  wire.startsWith('-')
    ? `−${formatMoney(wire.slice(1), currency, locale)}`
    : formatMoney(wire, currency, locale);
