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
  runs_out_at: number | null;
  agent: string | null;
  words: string;
};

/** What a sample tells about the list. */
export type Sample = {
  /** Share of the payments that match; 0 if there are too few in the sample to say. `facets`: null for all. */
  density(
    words: readonly (readonly string[])[],
    facets: ReadonlySet<number> | null,
    filter: PaymentFilter,
  ): number;
  /** The trigrams that a query of the index begins with, the rarest of each word; null if the index does not help. */
  trigrams(words: readonly (readonly string[])[]): readonly (readonly (readonly string[])[])[] | null;
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
    trigrams: words => {
      const groups = words
        .map(forms =>
          forms.map(form =>
            trigramsOf(form)
              .map(trigram => ({ trigram, n: rarityOf(trigram) }))
              .sort((one, other) => one.n - other.n)
              .slice(0, maxTrigrams)
              .map(({ trigram }) => trigram),
          ),
        )
        .filter(forms => forms.every(trigrams => trigrams.length > 0));
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
    const columns = 'SELECT l.facet, l.first_at, l.runs_out_at, l.agent, s.words';
    // The pages of a small part are read at random; a small list is read in full.
    const share = (100 * sampleSize * 1.5) / Math.max(1, total);
    const rows = await connection.query<Sampled>(
      share >= 50
        ? `${columns} FROM listed l JOIN searched s ON s.payment = l.payment LIMIT ${sampleSize}`
        : `${columns} FROM searched s TABLESAMPLE SYSTEM (${share.toFixed(6)}) JOIN listed l ON l.payment = s.payment
           LIMIT ${sampleSize}`,
    );
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
