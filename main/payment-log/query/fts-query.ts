import type { LogDatabase } from '../store/database.ts';

/** How far into a trigram's payments is looked to learn how rare it is. */
const sampleSize = 200;
/** Trigrams asked of the index for one word: the rarest say most, and what they let through is compared letter by letter. */
const asked = 3;
/** Trigrams of one word whose rarity is learnt. */
const maxCandidates = 24;
/** What was learnt is remembered so long, in milliseconds, and of so many trigrams: a word grows letter by letter. */
const memory = 60_000;
const maxRemembered = 5_000;

const quoted = (trigram: string): string => `"${trigram.replaceAll('"', '""')}"`;

const trigramsOf = (text: string): string[] => {
  const letters = Array.from(text);
  const found = new Set<string>();
  for (let index = 0; index + 3 <= letters.length; index += 1)
    found.add(letters.slice(index, index + 3).join(''));
  const all = [...found];
  const step = Math.ceil(all.length / maxCandidates);
  return all.filter((_, index) => index % step === 0);
};

/** Payments with a trigram, the newest ones, and the oldest among them. */
type Rarity = { n: number; low: number | null };

/**
 * Turns wanted words into a question to the trigram index; null when no word is long enough for it.
 * A word's common trigrams are left out: walking through half the log to find one payment helps nobody.
 * `words`: each as the texts that satisfy it. What the index finds may still be too much, never too little.
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
    const found = newest.get(quoted(trigram)) ?? { n: 0, low: null };
    known.set(trigram, found);
    return found;
  };
  const dismiss = (): void => {
    const now = performance.now();
    if (now - cachedSince < memory && known.size < maxRemembered) return;
    known.clear();
    cachedSince = now;
  };
  const rarest = (form: string): string[] => {
    const trigrams = trigramsOf(form);
    if (trigrams.length <= asked) return trigrams;
    dismiss();
    return trigrams
      .map(trigram => ({ trigram, ...rarityOf(trigram) }))
      .sort((one, other) => one.n - other.n || (one.low ?? 0) - (other.low ?? 0))
      .slice(0, asked)
      .map(({ trigram }) => trigram);
  };
  return words => {
    const groups = words
      .map(forms => forms.map(form => rarest(form).map(quoted).join(' AND ')))
      .filter(forms => forms.every(form => form !== ''))
      .map(forms => `(${forms.map(form => `(${form})`).join(' OR ')})`);
    return groups.length > 0 ? groups.join(' AND ') : null;
  };
};
