/** Spells a link for the phone: each character with an unambiguous word. */

export type SpelledSign = {
  sign: string;
  /** The spoken word. */
  word: string;
  kind: 'lower' | 'upper' | 'digit' | 'mark';
};

const icao =
  'Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November Oscar Papa Quebec Romeo Sierra Tango Uniform Victor Whiskey X-ray Yankee Zulu'.split(
    ' ',
  );
/** DIN 5009:2022, the German spelling by cities. */
const din =
  'Aachen Berlin Chemnitz Düsseldorf Essen Frankfurt Goslar Hamburg Ingelheim Jena Köln Leipzig München Nürnberg Offenbach Potsdam Quickborn Rostock Salzwedel Tübingen Unna Völklingen Wuppertal Xanten Ypsilon Zwickau'.split(
    ' ',
  );

const digits = {
  en: 'zero one two three four five six seven eight nine'.split(' '),
  de: 'null eins zwei drei vier fünf sechs sieben acht neun'.split(' '),
};
const marks: Record<'en' | 'de', Record<string, string>> = {
  en: {
    '.': 'dot',
    '/': 'slash',
    ':': 'colon',
    '-': 'hyphen',
    _: 'underscore',
    '=': 'equals',
    '?': 'question mark',
    '&': 'ampersand',
    '%': 'per cent',
    '#': 'hash',
    '+': 'plus',
    '~': 'tilde',
  },
  de: {
    '.': 'Punkt',
    '/': 'Schrägstrich',
    ':': 'Doppelpunkt',
    '-': 'Bindestrich',
    _: 'Unterstrich',
    '=': 'Gleich',
    '?': 'Fragezeichen',
    '&': 'Und-Zeichen',
    '%': 'Prozent',
    '#': 'Raute',
    '+': 'Plus',
    '~': 'Tilde',
  },
};

/** One character and its word. Capital letters have the word for "capital" before it. */
export const spellSign = (sign: string, language: 'en' | 'de'): SpelledSign => {
  const letter = sign.toLowerCase().charCodeAt(0) - 97;
  if (/^[a-zA-Z]$/.test(sign)) {
    const word = (language === 'en' ? icao : din)[letter] ?? sign;
    return sign === sign.toLowerCase()
      ? { sign, word: word.toLowerCase(), kind: 'lower' }
      : { sign, word: `${language === 'en' ? 'capital' : 'groß'} ${word}`, kind: 'upper' };
  }
  if (/^\d$/.test(sign)) return { sign, word: digits[language][Number(sign)] ?? sign, kind: 'digit' };
  return { sign, word: marks[language][sign] ?? sign, kind: 'mark' };
};

/** The link's characters in short groups: split after each mark and at most every four characters. */
export const spellLink = (link: string, language: 'en' | 'de'): SpelledSign[][] => {
  const groups: SpelledSign[][] = [];
  let group: SpelledSign[] = [];
  for (const sign of link) {
    const spelled = spellSign(sign, language);
    if (spelled.kind === 'mark' || group.length === 4) {
      if (group.length > 0) groups.push(group);
      group = [];
    }
    if (spelled.kind === 'mark') groups.push([spelled]);
    else group.push(spelled);
  }
  if (group.length > 0) groups.push(group);
  return groups;
};
