/** Letters for the search without case, accents and ligatures: `Müller`, `MULLER` and `muller` are one word. */

/** Most texts have nothing to fold but their case. */
const plain = /^[ -~]*$/;

/** Letters that Unicode does not decompose, in lower case, and hyphens and apostrophes of word processors. */
const replacements: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
  ς: 'σ',
  '’': "'",
  '‘': "'",
  ʼ: "'",
  '´': "'",
  '‐': '-',
  '‑': '-',
  '−': '-',
};
const replaced = new RegExp(`[${Object.keys(replacements).join('')}]`, 'g');

/** The text in lower case, without accents, and with ß, ł, ø, æ and their like as plain letters. */
export const folded = (text: string): string =>
  plain.test(text)
    ? text.toLowerCase()
    : text
        .replaceAll('´', "'")
        .normalize('NFKD')
        .replaceAll(/\p{M}/gu, '')
        .toLowerCase()
        .replaceAll(replaced, letter => replacements[letter] ?? letter);

/** Vowels that German and Nordic languages also write with two letters. */
const twoLetters: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

/** The folded spellings of a text: `müller` is `muller` and `mueller`. */
export const spellingsOf = (text: string): string[] => {
  const plainly = folded(text);
  if (plain.test(text)) return [plainly];
  const written = text.normalize('NFC').toLowerCase();
  const other = folded(written.replaceAll(/[äöüøå]/g, letter => twoLetters[letter] ?? letter));
  return other === plainly ? [plainly] : [plainly, other];
};
