/** Spellings that differ by one wrong, missing, doubled or swapped letter. */

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
export function* editsOf(word: string): Generator<Edits> {
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
