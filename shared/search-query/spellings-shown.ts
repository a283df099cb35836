/**
 * The spellings that corrected search words list instead of the typed ones: `anna =schmidt|schmitt` are `schmidt` and
 * `schmitt`. Amounts and typed words are not among them.
 */
export const spellingsShown = (words: string): string[] =>
  words
    .split(/\s+/)
    .filter(word => /^=\P{Nd}/u.test(word))
    .flatMap(word => word.slice(1).split('|'))
    .filter(spelling => !spelling.startsWith('*'))
    .map(spelling => spelling.replace(/\*$/, '…'));
