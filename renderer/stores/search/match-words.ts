import { folded } from '../../../shared/search-query/fold-text.ts';

/** Length from which a typed word may contain one slip, characters: a slip in a shorter one is another word. */
const minSlipChars = 4;

const splitWords = (text: string): string[] =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '');

/** Whether `word` begins with `typed` but for one letter: wrong, missing, too much, or swapped with the next. */
const beginsWithSlip = (word: string, typed: string): boolean => {
  let same = 0;
  while (same < typed.length && word[same] === typed[same]) same += 1;
  const rest = word.slice(same);
  const wanted = typed.slice(same);
  return (
    rest.slice(1).startsWith(wanted.slice(1)) ||
    rest.startsWith(wanted.slice(1)) ||
    rest.slice(1).startsWith(wanted) ||
    (rest.length > 1 &&
      rest[0] === wanted[1] &&
      rest[1] === wanted[0] &&
      rest.slice(2).startsWith(wanted.slice(2)))
  );
};

type Wanted = { all: string; words: readonly string[] };

/** What can be found: by its name, and by further words that are not shown. */
export type Findable = { name: string; also?: string | undefined };

/** How well it matches, 0 the best; null if it does not. 3: only with a slip. */
const rankOf = ({ name, also = '' }: Findable, { all, words }: Wanted): number | null => {
  const named = splitWords(name);
  const further = splitWords(also);
  let rank = folded(name).startsWith(all) ? 0 : 1;
  for (const typed of words) {
    if (named.some(word => word.startsWith(typed))) continue;
    const isInside = (word: string): boolean => typed.length > 2 && word.includes(typed);
    if (named.some(isInside) || further.some(word => word.startsWith(typed))) rank = Math.max(rank, 2);
    else if (typed.length >= minSlipChars && [...named, ...further].some(word => beginsWithSlip(word, typed)))
      rank = 3;
    else return null;
  }
  return rank;
};

/**
 * In each group what contains all typed words, in any order, without regard to case and accents; the best first. With
 * one slip in a word only if nothing in any group matches as it was typed.
 */
export const matchGroups = <G extends string, T extends Findable>(
  groups: Readonly<Record<G, readonly T[]>>,
  typed: string,
): Record<G, T[]> => {
  const wanted = { all: folded(typed).trim(), words: splitWords(typed) };
  const found = {} as Record<G, T[]>;
  const ranked = (Object.keys(groups) as G[]).map(group => ({
    group,
    items: groups[group].flatMap(item => {
      const rank = wanted.words.length === 0 ? null : rankOf(item, wanted);
      return rank === null ? [] : [{ item, rank }];
    }),
  }));
  const isExact = ranked.some(({ items }) => items.some(({ rank }) => rank < 3));
  for (const { group, items } of ranked)
    found[group] = items
      .filter(({ rank }) => rank < 3 || !isExact)
      .toSorted((one, other) => one.rank - other.rank)
      .map(({ item }) => item);
  return found;
};
