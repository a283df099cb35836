/** Runs of three characters, by which the search index finds payments. */

const quoted = (trigram: string): string => `"${trigram.replaceAll('"', '""')}"`;

/** Every run of three characters of a text, each once. */
export const trigramsOf = (text: string): string[] => {
  const letters = Array.from(text);
  const found = new Set<string>();
  for (let index = 0; index + 3 <= letters.length; index += 1)
    found.add(letters.slice(index, index + 3).join(''));
  return [...found];
};

/** The query for payments with all of these trigrams. */
export const allOf = (trigrams: readonly string[]): string => trigrams.map(quoted).join(' AND ');
