import type { LogDatabase } from '../store/database.ts';
import { erasedWords, type ErasureStep } from '../store/erased-words.ts';
import type { Evidence } from './merged-evidence.ts';
import { listedOrders, type ListedOrders } from './listed-orders.ts';

/** How a list is written: each piece of work is one transaction, with the rows and the search index of its orders. */
export type ListTransactions = {
  orders: ListedOrders;
  /** Runs a transaction; nothing of a failed one stays in memory. */
  run: <T>(work: () => T) => T;
  /** Call it inside a transaction that deletes personal values: their words are in the index until its parts are merged. */
  haveErased: () => void;
  /** Whether the search index may still have erased words, for example since an erasure was interrupted. */
  hasErasedWords(): boolean;
  /** Removes some of them, in one short transaction. */
  removeErasedWords(): ErasureStep;
};

/** Every method throws SQLite errors. */
export const listTransactions = (database: LogDatabase, evidence: Evidence): ListTransactions => {
  const orders = listedOrders(database, evidence);
  const wordsLeft = database.prepare<[], number>('SELECT words_left FROM state').pluck();
  const noteWords = database.prepare<[number]>('UPDATE state SET words_left = ?');
  const words = erasedWords(database, wordsLeft.get() === 1, true);
  return {
    orders,
    run: work => {
      orders.reset();
      try {
        return database
          .transaction(() => {
            const result = work();
            orders.flush();
            return result;
          })
          .immediate();
      } catch (thrown) {
        orders.reset();
        throw thrown;
      }
    },
    haveErased: () => {
      noteWords.run(1);
      words.added();
    },
    hasErasedWords: () => words.areLeft(),
    removeErasedWords: () => {
      const step = words.remove();
      if (step === 'done') noteWords.run(0);
      return step;
    },
  };
};
