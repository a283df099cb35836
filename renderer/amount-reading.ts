import { exponentOf } from '../shared/money/currencies.ts';
import type { Message } from '../shared/messages/message.ts';
import { readAmount } from '../shared/money/typed-amount.ts';
import { wireOf } from '../shared/money/wire-amount.ts';
import { amountInWords, type WordLanguage } from './i18n/amount-in-words.ts';

export type AmountReading =
  | { kind: 'nothing' }
  | { kind: 'refused'; message: Message }
  | { kind: 'read'; minor: bigint; wire: string; words: string | null };

/** The interpretation of an amount during typing, in digits and in words. */
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
    wire: wireOf(minor, currency),
    words: amountInWords(minor, exponent, currency, language),
  };
};
