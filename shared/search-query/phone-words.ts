/** Telephone numbers among search words, in the spellings of people: `0171 / 123 45 67`, `+49 (0) 171-1234567`. */

const part = /^(?:[+(]*\d[\d()/.–+-]*|[/–-])$/;

/**
 * A number at the start of `words` that begins with `+` or `0`: the texts that find it, and the number of words that
 * it uses; null if there is none.
 */
export const phoneAt = (words: readonly string[]): { forms: string[]; taken: number } | null => {
  const other = words.findIndex(word => !part.test(word));
  const run = words.slice(0, other < 0 ? undefined : other);
  const typed = run.join('').replace(/(?<=\d)\(0\)/, '');
  const digits = typed.replaceAll(/\D/g, '');
  if (!/^\(?(?:\+|0)/.test(typed) || digits.length < 7 || digits.length > 17) return null;
  const isInternational = typed.startsWith('+') || digits.startsWith('00');
  const significant = digits.replace(/^0+/, '');
  // The length of the country's code is unknown: a national number is found with each.
  const national = isInternational ? [1, 2, 3].map(code => ` 0${significant.slice(code)} `) : [];
  return { forms: [significant, ...national], taken: run.length };
};
