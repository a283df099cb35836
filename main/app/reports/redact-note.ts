const mask = '•••';

// Matches only at the start of a run of characters, so that a long run without @ is read once.
const addresses = /\b(?:https?:\/\/|www\.)\S+|(?<![^\s@<>"'])[^\s@<>"']+@[^\s@<>"']+/giu;
/** A maximal run of digits and their usual separators; the number inside it is located separately. */
const runs = /\+?[\d\s()/.-]+/g;
const numberStart = /(?<![\p{L}\d_-])\+?\(?\d/gu;
const numberEnd = /^\d(?![\p{L}\d_-])/u;
const date = /^(?:\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.\d{2,4}|\d{1,2}\/\d{1,2}\/\d{2,4})$/;
const wholeAmount = /^\d+(?:[. ']\d{3})*\.\d{2}$/;

/**
 * Redacts separate telephone and account numbers. A number begins at a digit without a letter, digit, dash or
 * underscore before it, and ends at the last digit of the run without one after it. Linear in the length: a single
 * pattern for the whole number would scan `1- 1- 1- …` to the end from each of its digits.
 */
const redactNumbers = (text: string): string =>
  text.replaceAll(runs, (run, offset: number) => {
    // Only the run is searched, with the character before it: two code units at most.
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
 * A note's text without data that identifies a person or leads to a payment page: web and e-mail addresses, long
 * numbers and the customer's name are redacted. Dates, amounts and the order number stay. `names`: the customer's
 * known names. Other names in a note cannot be detected.
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
