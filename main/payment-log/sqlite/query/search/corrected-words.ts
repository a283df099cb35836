import { bareWord, wantedWords } from '../../../../../shared/search-query/search-words.ts';
import { isCorrectable } from '../../../../../shared/search-query/correctable.ts';
import { spellingsOf } from '../../../../../shared/search-query/fold-text.ts';
import type { LogDatabase } from '../../store/database.ts';
import { wordIndex } from './fts-query.ts';
import { similarWords } from './similar-words.ts';

/** Limit of words of a text that is corrected; a longer one is pasted. */
const maxWords = 6;
/** Limit of the spellings of one word, and of their length together: they are search words of at most 2,000 characters. */
const maxSpellings = 40;
const maxChars = 400;

/** With a capital letter if the typed word has one. */
const asTyped = (word: string, spelling: string): string =>
  /^\p{Lu}\P{Lu}/u.test(word) ? spelling.charAt(0).toUpperCase() + spelling.slice(1) : spelling;

/**
 * Search words in which misspelt ones are replaced by their spellings (`=schmidt|schmitt`), the likeliest first: only
 * words that no payment has, then all; each at first as a whole word, then with the last one as a beginning unless
 * `isWhole`, because the typed words find payments already. Words with a digit are replaced only if no payment has them: another order number is another payment.
 */
export type CorrectedWords = (typed: string, isWhole: boolean) => Iterable<string>;

export const correctedWords = (database: LogDatabase): CorrectedWords => {
  const similar = similarWords(database);
  const matchOf = wordIndex(database);
  const holding = database
    .prepare<[string, string], number>(
      `SELECT 1 FROM search CROSS JOIN listed p ON p.payment = search.rowid
       WHERE search MATCH ? AND instr(p.words, ?) > 0 LIMIT 1`,
    )
    .pluck();
  const isFound = (word: string): boolean =>
    wantedWords(word)
      .flat()
      .some(form => {
        const match = matchOf([[form]]);
        return match === null || holding.get(match, form) !== undefined;
      });
  return function* corrections(typed, isWhole) {
    const all = typed.split(/\s+/).filter(word => word !== '');
    if (all.length > maxWords) return;
    const correctable = all.filter(word => !word.startsWith('=') && isCorrectable(bareWord(word)));
    // A text that finds payments has no missing word.
    const missing = isWhole ? [] : correctable.filter(word => !isFound(word));
    const others = correctable.filter(word => !missing.includes(word) && !/\d/.test(word));
    const known = new Map<string, string[]>();
    const spellingsFor = (word: string, isBeginning: boolean): string[] => {
      const key = `${word} ${isBeginning}`;
      const before = known.get(key);
      if (before) return before;
      const spellings: string[] = [];
      let chars = 0;
      for (const one of new Set(spellingsOf(bareWord(word)).flatMap(part => similar(part, isBeginning)))) {
        chars += one.length + 2;
        if (spellings.length === maxSpellings || chars > maxChars) break;
        if (!/[|*\s]/.test(one)) spellings.push(`${asTyped(word, one)}${isBeginning ? '*' : ''}`);
      }
      known.set(key, spellings);
      return spellings;
    };
    /** Null if no word has another spelling. */
    const replaced = (words: readonly string[], isBeginning: boolean): string | null => {
      let isChanged = false;
      const corrected = all.map((word, at) => {
        if (!words.includes(word)) return word;
        const spellings = spellingsFor(word, isBeginning && at === all.length - 1 && !/\d/.test(word));
        if (spellings.length === 0) return word;
        isChanged = true;
        const typedToo = missing.includes(word) ? [] : [`*${bareWord(word)}*`];
        return `=${[...typedToo, ...spellings].join('|')}`;
      });
      return isChanged ? corrected.join(' ') : null;
    };
    for (const words of others.length > 0 ? [missing, [...missing, ...others]] : [missing])
      for (const isBeginning of isWhole ? [false] : [false, true]) {
        const found = replaced(words, isBeginning);
        if (found !== null) yield found;
      }
  };
};
