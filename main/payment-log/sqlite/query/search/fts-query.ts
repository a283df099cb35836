import type { LogDatabase } from '../../store/database.ts';
import { allOf, trigramsOf } from '../../store/trigrams.ts';

/** Scan limit for the rarity of a trigram, payments. */
const sampleSize = 200;
/**
 * Trigram limit of one word in a query. The rarest are the most selective; their matches are compared
 * letter by letter.
 */
const maxTrigrams = 3;
/** Limit of trigrams of one word whose rarity is measured. */
const maxCandidates = 24;
/**
 * Limit of a rare word's matches. The query then has this word only: narrowing the matches down by a common word costs
 * more than comparing them.
 */
const maxCompared = 1_000;
/** Limit of words that are tested for being rare, the longest first. */
const maxTried = 3;
/** Lifetime of a measured rarity, and the number of trigrams cached: a word is typed letter by letter. */
const lifetimeMs = 60_000;
const maxCached = 5_000;

/** Some of a long text's trigrams, evenly. */
const candidatesOf = (text: string): string[] => {
  const all = trigramsOf(text);
  const step = Math.ceil(all.length / maxCandidates);
  return all.filter((_, index) => index % step === 0);
};

/** The number of payments with a trigram, among the newest ones, and the oldest of them. */
type Rarity = { n: number; low: number | null };

/**
 * Turns search words into a query of the trigram index; null if no word is long enough. A word's common trigrams are
 * left out, because they match half of the log. `words`: each as the texts that satisfy it. The index may find too
 * many payments, never too few.
 */
export type WordIndex = (words: readonly (readonly string[])[]) => string | null;

export const wordIndex = (database: LogDatabase): WordIndex => {
  const newest = database.prepare<[string], Rarity>(
    `SELECT count(*) AS n, min(rowid) AS low FROM
       (SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT ${sampleSize})`,
  );
  const known = new Map<string, Rarity>();
  let cachedSince = 0;
  const rarityOf = (trigram: string): Rarity => {
    const before = known.get(trigram);
    if (before) return before;
    const found = newest.get(allOf([trigram])) ?? { n: 0, low: null };
    known.set(trigram, found);
    return found;
  };
  const clearStale = (): void => {
    const now = performance.now();
    if (now - cachedSince < lifetimeMs && known.size < maxCached) return;
    known.clear();
    cachedSince = now;
  };
  const rarest = (form: string): string[] => {
    const trigrams = candidatesOf(form);
    if (trigrams.length <= maxTrigrams) return trigrams;
    clearStale();
    return trigrams
      .map(trigram => ({ trigram, ...rarityOf(trigram) }))
      .sort((one, other) => one.n - other.n || (one.low ?? 0) - (other.low ?? 0))
      .slice(0, maxTrigrams)
      .map(({ trigram }) => trigram);
  };
  const compared = database
    .prepare<[string], number>(
      `SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ${maxCompared + 1})`,
    )
    .pluck();
  const isRare = (group: string): boolean => (compared.get(group) ?? 0) <= maxCompared;
  return words => {
    const groups = words
      .map(forms => [...new Set(forms.map(form => allOf(rarest(form))))])
      .filter(forms => forms.every(form => form !== ''))
      .map(forms => `(${forms.map(form => `(${form})`).join(' OR ')})`);
    if (groups.length === 0) return null;
    const tried = groups.length === 1 ? [] : groups.toSorted((one, other) => other.length - one.length);
    return tried.slice(0, maxTried).find(isRare) ?? groups.join(' AND ');
  };
};
