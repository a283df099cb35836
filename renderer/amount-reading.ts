import { exponentOf, readAmount } from '../shared/money/money.ts';
import { amountInWords, type WordLanguage } from './i18n/amount-in-words.ts';

export type AmountReading =
  | { kind: 'nothing' }
  | { kind: 'refused'; message: string }
  | { kind: 'read'; minor: bigint; wire: string; words: string | null };

/** Minor units as a decimal string with the currency's own digits. */
const decimal = (minor: bigint, exponent: number): string => {
  const digits = minor.toString().padStart(exponent + 1, '0');
  return exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
};

/** A decimal as it would be typed in a locale, without grouping. */
export const amountText = (wire: string, locale: string): string =>
  new Intl.NumberFormat(locale, {
    useGrouping: false,
    minimumFractionDigits: wire.split('.')[1]?.length ?? 0,
    maximumFractionDigits: 20,
    // Intl reads a decimal string exactly; its typings name such strings by a template type.
  }).format(wire as Intl.StringNumericLiteral);

/** What the desk understands of an amount as it is being typed, in figures and in words. */
export const readAmountEntry = (
  text: string,
  currency: string,
  locale: string,
  language: WordLanguage,
): AmountReading => {
  if (text.trim() === '') return { kind: 'nothing' };
  const read = readAmount(text, locale, currency);
  if (!read.ok) {
    return { kind: 'refused', message: read.error.fields?.[0]?.message ?? read.error.message };
  }
  const exponent = exponentOf(currency) ?? 2;
  const { minor } = read.value;
  return {
    kind: 'read',
    minor,
    wire: decimal(minor, exponent),
    words: amountInWords(minor, exponent, currency, language),
  };
};
