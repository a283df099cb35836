import { bareWord, wantedWords } from '../../../../../shared/search-query/search-words.ts';
import { isCorrectable, isShortCorrectable } from '../../../../../shared/search-query/correctable.ts';
import { spellingsOf } from '../../../../../shared/search-query/fold-text.ts';
import type { LogDatabase } from '../../store/database.ts';
import { wordIndex } from './fts-query.ts';

/** Spellings that differ by one wrong, missing, doubled or swapped letter. */

/** Shortest beginning of a word that stands for it: fewer letters begin too many. */
const minBeginning = 4;
/** Length from which a word may be a payment id, whose table the list has anyway. */
const minId = 34;

/**
 * The stored words one wrong, missing, doubled or swapped letter away from a folded word: each such spelling is looked
 * up. `isBeginning`: the word may continue after the typed letters; the result are then beginnings of stored words.
 */
type SimilarWords = (word: string, isBeginning: boolean) => string[];

const similarWords = (database: LogDatabase): SimilarWords => {
  const isStored = database.prepare<[string], number>('SELECT 1 FROM word WHERE word = ?').pluck();
  const begins = database
    .prepare<[string, string], number>('SELECT 1 FROM word WHERE word >= ? AND word < ? LIMIT 1')
    .pluck();
  const isId = database
    .prepare<[string, string], number>('SELECT 1 FROM payment_id WHERE payment_id IN (?, ?) LIMIT 1')
    .pluck();
  return (word, isBeginning) => {
    const found = new Set<string>();
    for (const { kept, spellings } of editsOf(word)) {
      // Later edits keep these letters too, with which no stored word begins. Ids are in another table.
      if (kept !== '' && word.length < minId && begins.get(kept, `${kept}\u{10ffff}`) === undefined) break;
      for (const spelling of spellings)
        if (
          isBeginning
            ? spelling.length >= minBeginning && begins.get(spelling, `${spelling}\u{10ffff}`) !== undefined
            : isStored.get(spelling) !== undefined ||
              (spelling.length >= minId && isId.get(spelling, spelling.toUpperCase()) !== undefined)
        )
          found.add(spelling);
    }
    found.delete(word);
    return [...found];
  };
};

/** Further scripts than Latin, as ranges of code points: Greek, Cyrillic, Armenian, Hebrew, Arabic. */
const scripts: readonly (readonly [first: number, last: number])[] = [
  [0x3b1, 0x3c9],
  [0x430, 0x45f],
  [0x561, 0x586],
  [0x5d0, 0x5ea],
  [0x621, 0x64a],
];
/** Characters of names and order numbers; those of addresses are tried for words that have one of them. */
const always = "abcdefghijklmnopqrstuvwxyz0123456789-'.";
const ofAddresses = '@_+/';

const alphabetOf = (letters: readonly string[]): string[] => {
  const codes = letters.map(letter => letter.codePointAt(0) ?? 0);
  const others = scripts
    .filter(([first, last]) => codes.some(code => code >= first && code <= last))
    .flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)),
    );
  const isAddress = letters.some(letter => letter === '.' || ofAddresses.includes(letter));
  return [...Array.from(isAddress ? always + ofAddresses : always), ...others];
};

/** Spellings that keep the same beginning of a word. */
type Edits = { kept: string; spellings: string[] };

/** Every spelling one edit away from a folded word, by the place of the edit, from the first letter on. */
function* editsOf(word: string): Generator<Edits> {
  const alphabet = alphabetOf(Array.from(word));
  for (let at = 0; at <= word.length; at += 1) {
    const [kept, here, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
    const spellings = alphabet.map(letter => kept + letter + here + after);
    if (here !== '') {
      spellings.push(kept + after);
      for (const letter of alphabet) if (letter !== here) spellings.push(kept + letter + after);
      const next = after.charAt(0);
      if (next !== '' && next !== here) spellings.push(kept + next + here + after.slice(1));
    }
    yield { kept, spellings };
  }
}

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
    // A short word has many neighbours: only beside others, and if nothing is found otherwise.
    const isShort = (word: string): boolean => !isWhole && all.length > 1 && isShortCorrectable(word);
    const correctable = all.filter(
      word => !word.startsWith('=') && (isCorrectable(bareWord(word)) || isShort(bareWord(word))),
    );
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
