import { editsOf } from '../../../../../shared/search-query/one-edit.ts';
import type { LogDatabase } from '../../store/database.ts';

/** Shortest beginning of a word that stands for it: fewer letters begin too many. */
const minBeginning = 4;
/** Length from which a word may be a payment id, whose table the list has anyway. */
const minId = 34;

/**
 * The stored words one wrong, missing, doubled or swapped letter away from a folded word: each such spelling is looked
 * up. `isBeginning`: the word may continue after the typed letters; the result are then beginnings of stored words.
 */
export type SimilarWords = (word: string, isBeginning: boolean) => string[];

export const similarWords = (database: LogDatabase): SimilarWords => {
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
