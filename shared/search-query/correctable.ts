/** Which words may be misspelt: with a letter, since another number is another payment, and long enough to be sure. */

/** Limits of a word's length, characters. */
const minLength = 4;
const maxLength = 64;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Whether the search tries other spellings of a word that it does not find. */
export const isCorrectable = (word: string): boolean =>
  word.length >= minLength && word.length <= maxLength && /\p{L}/u.test(word);

/** Whether a shorter word, beside others, may lack a letter. */
export const isShortCorrectable = (word: string): boolean => /^\p{L}{3}$/u.test(word);

/** The words of a payment's search text that another spelling may lead to. Payment ids are in another table. */
export const correctableWords = (words: string): string[] =>
  words.split(' ').filter(word => isCorrectable(word) && !uuid.test(word));
