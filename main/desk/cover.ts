const mask = '•••';

const addresses = /\b(?:https?:\/\/|www\.)\S+|[^\s@<>"']+@[^\s@<>"']+/giu;
/** A run of digits as people write telephone and account numbers, standing by itself. */
const numbers = /(?<![\p{L}\d_-])\+?\(?\d[\d\s()/.-]*\d(?![\p{L}\d_-])/gu;
const date = /^(?:\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.\d{2,4}|\d{1,2}\/\d{1,2}\/\d{2,4})$/;
const wholeAmount = /^\d+(?:[. ']\d{3})*\.\d{2}$/;

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/**
 * A note's text without what would name a person or lead to a payment page: web and e-mail addresses, long numbers
 * and the customer's name are covered. Dates, amounts and the order number stay. `names`: what is known of the
 * customer. What a note calls a person beside that cannot be known.
 */
export const coverPersonal = (text: string, orderNumber: string, names: readonly string[]): string => {
  const parts = names
    .flatMap(name => name.split(/[\s,]+/))
    .filter(part => part.length > 1)
    .map(escaped);
  const name = parts.length === 0 ? null : new RegExp(`(?<!\\p{L})(?:${parts.join('|')})(?!\\p{L})`, 'giu');
  const covered = (piece: string): string => {
    const plain = piece.replaceAll(addresses, mask).replaceAll(numbers, run => {
      const digits = run.replaceAll(/\D/g, '').length;
      return digits < 6 || date.test(run.trim()) || wholeAmount.test(run.trim()) ? run : mask;
    });
    return name === null ? plain : plain.replaceAll(name, mask);
  };
  return orderNumber === '' ? covered(text) : text.split(orderNumber).map(covered).join(orderNumber);
};
