import { containsCardNumber } from '../shared/card-number.ts';

/**
 * A text without any run of 13 or more digits, including blanks and dashes between them: the remaining text after a
 * card number was refused.
 */
export const withoutDigitRuns = (text: string): string =>
  text.replaceAll(/\s*\d(?:[\s.\-–_/]*\d){12,}\s*/g, ' ').trim();

/** Time after a key of a card number in which a further digit belongs to it, milliseconds. */
const restMs = 2_000;

const withoutDigits = (text: string): string => text.replaceAll(/[\d\s.\-–_/]/g, '');

/**
 * Guards one field against card numbers: drops one, and the digits that are typed after it, which would stay as an
 * amount. Takes what is in the field now and what it was before. `now`: milliseconds.
 */
export const createCardGuard = (now: () => number = () => performance.now()) => {
  let until = Number.NEGATIVE_INFINITY;
  return (text: string, before: string, isAllowed = false): { text: string; hasCard: boolean } => {
    const isRest =
      now() < until && text.length > before.length && withoutDigits(text) === withoutDigits(before);
    if (!isRest && (isAllowed || !containsCardNumber(text))) return { text, hasCard: false };
    until = now() + restMs;
    // A blank after the card number separates the words around it.
    const rest = before !== '' && /\s$/.test(text) ? `${before.trimEnd()} ` : before;
    return { text: isRest ? rest : withoutDigitRuns(text), hasCard: true };
  };
};
