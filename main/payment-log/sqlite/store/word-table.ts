import { correctableWords } from '../../../../shared/search-query/correctable.ts';
import { allOf, trigramsOf } from './trigrams.ts';
import type { LogDatabase } from './database.ts';

/** The words that occur in payments, each once, with one payment that has it: where the search looks up spellings. */
export type WordTable = {
  add(payment: number, words: string): void;
  /** Removes the words that a payment no longer has, unless another one has them. Call it after the index is written. */
  remove(payment: number, before: string, after: string): void;
};

export const wordTable = (database: LogDatabase): WordTable => {
  const add = database.prepare<[string, number]>(
    'INSERT INTO word (word, payment) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const isNamed = database
    .prepare<[string, number], number>('SELECT 1 FROM word WHERE word = ? AND payment = ?')
    .pluck();
  const another = database
    .prepare<[string, string], number>(
      `SELECT p.payment FROM search CROSS JOIN listed p ON p.payment = search.rowid
       WHERE search MATCH ? AND instr(p.words, ?) > 0 LIMIT 1`,
    )
    .pluck();
  const move = database.prepare<[number, string]>('UPDATE word SET payment = ? WHERE word = ?');
  const drop = database.prepare<[string]>('DELETE FROM word WHERE word = ?');
  const leave = (word: string): void => {
    const holder = another.get(allOf(trigramsOf(` ${word} `)), ` ${word} `);
    if (holder === undefined) drop.run(word);
    else move.run(holder, word);
  };
  return {
    add: (payment, words) => {
      for (const word of correctableWords(words)) add.run(word, payment);
    },
    remove: (payment, before, after) => {
      const left = new Set(after.split(' '));
      for (const word of correctableWords(before)) {
        if (!left.has(word) && isNamed.get(word, payment) !== undefined) leave(word);
      }
    },
  };
};
