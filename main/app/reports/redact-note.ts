const mask = '•••';

// Begun at the start of a run of characters alone, so that a long run without @ is read once.
const addresses = /\b(?:https?:\/\/|www\.)\S+|(?<![^\s@<>"'])[^\s@<>"']+@[^\s@<>"']+/giu;
/** A longest run of digits and of what people write between them; which part of it is a number is found apart. */
const runs = /\+?[\d\s()/.-]+/g;
const numberStart = /(?<![\p{L}\d_-])\+?\(?\d/gu;
const numberEnd = /^\d(?![\p{L}\d_-])/u;
const date = /^(?:\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.\d{2,4}|\d{1,2}\/\d{1,2}\/\d{2,4})$/;
const wholeAmount = /^\d+(?:[. ']\d{3})*\.\d{2}$/;

/**
 * Covers telephone and account numbers that stand alone. A number begins at a digit that no letter, digit, dash or
 * underscore precedes, and goes on to the last digit of the run that none of these follows. Linear in the length:
 * a pattern for the whole number reads `1- 1- 1- …` to the end from each of its digits.
 */
const redactNumbers = (text: string): string =>
  text.replaceAll(runs, (run, offset: number) => {
    // The run alone is searched, with the character before it: two code units at most.
    const before = Math.min(offset, 2);
    const stop = offset + run.length;
    numberStart.lastIndex = before;
    const found = numberStart.exec(text.slice(offset - before, stop));
    if (!found) return run;
    const start = offset - before + found.index;
    let last = stop - 1;
    while (last > start && !numberEnd.test(text.slice(last, last + 3))) last -= 1;
    if (last < start + found[0].length) return run;
    const number = text.slice(start, last + 1);
    const digits = number.replaceAll(/\D/g, '').length;
    if (digits < 6 || date.test(number) || wholeAmount.test(number)) return run;
    return text.slice(offset, start) + mask + text.slice(last + 1, stop);
  });

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/**
 * A note's text without what would name a person or lead to a payment page: web and e-mail addresses, long numbers
 * and the customer's name are covered. Dates, amounts and the order number stay. `names`: what is known of the
 * customer. What a note calls a person beside that cannot be known.
 */
export const redactPersonalData = (text: string, orderNumber: string, names: readonly string[]): string => {
  const parts = names
    .flatMap(name => name.split(/[\s,]+/))
    .filter(part => part.length > 1)
    .map(escaped);
  const name = parts.length === 0 ? null : new RegExp(`(?<!\\p{L})(?:${parts.join('|')})(?!\\p{L})`, 'giu');
  const redactedPiece = (piece: string): string => {
    const plain = redactNumbers(piece.replaceAll(addresses, mask));
    return name === null ? plain : plain.replaceAll(name, mask);
  };
  return orderNumber === ''
    ? redactedPiece(text)
    : text.split(orderNumber).map(redactedPiece).join(orderNumber);
};
