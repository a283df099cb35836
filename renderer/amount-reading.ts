import type { AppError } from '../shared/errors.ts';
import { exponentOf } from '../shared/money/currencies.ts';
import type { Message } from '../shared/messages/message.ts';
import { readAmount } from '../shared/money/typed-amount.ts';
import { readWire, wireAmount, wireOf, type AmountRule } from '../shared/money/wire-amount.ts';
import { amountInWords, type WordLanguage } from './i18n/amount-in-words.ts';

export type AmountReading =
  | { kind: 'nothing' }
  | { kind: 'refused'; message: Message }
  | { kind: 'read'; minor: bigint; wire: string; words: string | null };

const refusedBy = (error: AppError): AmountReading => ({
  kind: 'refused',
  message: error.fields?.[0]?.message ?? error.message,
});

/**
 * The interpretation of an amount during typing, in digits and in words. `rule`: the profile's for this currency; an
 * amount that it cannot send is refused here already.
 */
export const readAmountEntry = (
  text: string,
  currency: string,
  locale: string,
  language: WordLanguage,
  rule: AmountRule,
): AmountReading => {
  if (text.trim() === '') return { kind: 'nothing' };
  const read = readAmount(text, locale, currency);
  if (!read.ok) return refusedBy(read.error);
  const sent = wireAmount(read.value.minor, currency, rule);
  if (!sent.ok) return refusedBy(sent.error);
  const exponent = exponentOf(currency) ?? 2;
  const { minor } = read.value;
  return {
    kind: 'read',
    minor,
    wire: wireOf(minor, currency),
    words: amountInWords(minor, exponent, currency, language),
  };
};

/** An amount on the wire in words; null if it cannot be read. */
export const wireInWords = (wire: string, currency: string, language: WordLanguage): string | null => {
  const minor = readWire(wire, currency);
  return minor === null ? null : amountInWords(minor, exponentOf(currency) ?? 2, currency, language);
};

/** An amount of the gateway in the currency's own digits, with a decimal point. */
export const typedForm = (wire: string, currency: string): string => {
  const minor = readWire(wire, currency);
  return minor === null ? wire : wireOf(minor, currency);
};
