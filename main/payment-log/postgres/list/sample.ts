import type { PaymentFilter } from '../../../../shared/contract/index.ts';
import type { Connection } from '../connection.ts';
import { escapeText } from '../text.ts';

/** Payments of a sample. */
const sampleSize = 4_000;
/** Lifetime of a sample, milliseconds; it is taken again earlier when the list has doubled. */
const lifetimeMs = 600_000;
/** From this number of matches in the sample on, their number in the list is extrapolated. */
const minMatches = 3;
/** Limit of trigrams of one word in a query: the rarest are the most selective. */
const maxTrigrams = 3;

type Sampled = {
  facet: number;
  first_at: number;
  agent: string | null;
  words: string;
};

/** What can be estimated from a sample of the list. */
export type Sample = {
  /** Share of the payments that match; 0 if there are too few in the sample to say. `facets`: null for all. */
  density(
    words: readonly (readonly string[])[],
    facets: ReadonlySet<number> | null,
    filter: PaymentFilter,
  ): number;
  /**
   * The patterns that a query of the index begins with: for each word its forms, for each form patterns that it
   * contains. Null if the index does not help.
   */
  patterns(words: readonly (readonly string[])[]): readonly (readonly (readonly string[])[])[] | null;
};

/** Only these characters are in the index. */
const indexed = /^[\p{L}\p{N}]{3}$/u;

const trigramsOf = (text: string): string[] => {
  const letters = Array.from(text);
  const found = new Set<string>();
  for (let index = 0; index + 3 <= letters.length; index += 1) {
    const trigram = letters.slice(index, index + 3).join('');
    if (indexed.test(trigram)) found.add(trigram);
  }
  return [...found];
};

/**
 * Whether the index is asked for the whole form: an amount has few trigrams, but those at the ends of its parts are
 * rare. All trigrams of a longer form would take longer than comparing what its rarest ones find.
 */
const isShort = (form: string): boolean =>
  form.length >= 3 && form.length <= 10 && /[\p{L}\p{N}][^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u.test(form);

const asciiLower = (text: string): string => text.replaceAll(/[A-Z]/g, letter => letter.toLowerCase());

const sampleOf = (rows: readonly Sampled[]): Sample => {
  const rarity = new Map<string, number>();
  const rarityOf = (trigram: string): number => {
    const known = rarity.get(trigram);
    if (known !== undefined) return known;
    const n = rows.reduce((sum, { words }) => sum + (words.includes(trigram) ? 1 : 0), 0);
    if (rarity.size > 5_000) rarity.clear();
    rarity.set(trigram, n);
    return n;
  };
  return {
    density: (words, facets, { raisedHere, agent, from, until }) => {
      const wanted = words.map(forms => forms.map(escapeText));
      const by = agent === null ? null : asciiLower(escapeText(agent));
      const matches = rows.filter(
        row =>
          (facets === null || facets.has(row.facet)) &&
          (raisedHere === null || (row.agent !== null) === raisedHere) &&
          (by === null || (row.agent !== null && asciiLower(row.agent) === by)) &&
          (from === null || row.first_at >= from) &&
          (until === null || row.first_at < until) &&
          wanted.every(forms => forms.some(form => row.words.includes(form))),
      ).length;
      return matches < minMatches ? 0 : matches / rows.length;
    },
    patterns: words => {
      const patternsOf = (form: string): string[] => {
        if (isShort(form)) return [`%${form.replaceAll(/[\\%_]/g, '\\$&')}%`];
        return trigramsOf(form)
          .map(trigram => ({ trigram, n: rarityOf(trigram) }))
          .sort((one, other) => one.n - other.n)
          .slice(0, maxTrigrams)
          .map(({ trigram }) => `%${trigram}%`);
      };
      const groups = words
        .map(forms => forms.map(form => patternsOf(escapeText(form))))
        .filter(forms => forms.every(patterns => patterns.length > 0));
      return groups.length > 0 ? groups : null;
    },
  };
};

/** The sample of the list that a connection reads; it is taken at first use. `total`: the payments of the list. */
export type Samples = { get(connection: Connection, total: number): Promise<Sample> };

export const createSamples = (clock: () => number = () => performance.now()): Samples => {
  let sample: Sample | null = null;
  let takenAt = 0;
  let takenOf = 0;
  let taking: Promise<unknown> | null = null;

  const take = async (connection: Connection, total: number): Promise<Sample> => {
    // The pages of a small part are read at random; a small list is read in full.
    const share = (100 * sampleSize) / Math.max(1, total);
    const searched = await connection.query<{ payment: number; words: string }>(
      `SELECT payment, words FROM searched ${share >= 50 ? '' : `TABLESAMPLE SYSTEM (${share.toFixed(6)})`}
       LIMIT ${2 * sampleSize}`,
    );
    const listed = await connection.query<Omit<Sampled, 'words'> & { payment: number }>(
      'SELECT payment, facet, first_at, agent FROM listed WHERE payment = ANY ($1::bigint[])',
      [searched.map(({ payment }) => payment)],
    );
    const words = new Map(searched.map(one => [one.payment, one.words]));
    const rows = listed.map(one => ({ ...one, words: words.get(one.payment) ?? '' }));
    sample = sampleOf(rows);
    takenAt = clock();
    takenOf = total;
    return sample;
  };

  return {
    get: async (connection, total) => {
      if (!sample || total > 2 * takenOf + sampleSize) return take(connection, total);
      if (clock() - takenAt > lifetimeMs) {
        // The next requests use the new one.
        taking ??= take(connection, total)
          .catch(() => undefined)
          .finally(() => {
            taking = null;
          });
      }
      return sample;
    },
  };
};
