import type { MessageKey } from '../../shared/messages/message.ts';
import type { Translate } from './text.ts';

/** Spells a link for the phone: each character with an unambiguous word. */

export type SpelledSign = {
  sign: string;
  /** The spoken word. */
  word: string;
  kind: 'lower' | 'upper' | 'digit' | 'mark';
};

const marks: Readonly<Record<string, MessageKey>> = {
  '.': 'spell.mark.dot',
  '/': 'spell.mark.slash',
  ':': 'spell.mark.colon',
  '-': 'spell.mark.hyphen',
  _: 'spell.mark.underscore',
  '=': 'spell.mark.equals',
  '?': 'spell.mark.question',
  '&': 'spell.mark.ampersand',
  '%': 'spell.mark.per-cent',
  '#': 'spell.mark.hash',
  '+': 'spell.mark.plus',
  '~': 'spell.mark.tilde',
};

/** One of the words of a text, by its position: the catalogue lists the words of letters and digits in order. */
const wordAt = (words: string, index: number): string | undefined => words.split(' ')[index];

/** One character and its word. Capital letters have the word for "capital" before it. */
export const spellSign = (sign: string, t: Translate): SpelledSign => {
  if (/^[a-zA-Z]$/.test(sign)) {
    const word = wordAt(t('spell.letters'), sign.toLowerCase().charCodeAt(0) - 97) ?? sign;
    return sign === sign.toLowerCase()
      ? { sign, word: word.toLowerCase(), kind: 'lower' }
      : { sign, word: t('spell.capital', { word }), kind: 'upper' };
  }
  if (/^\d$/.test(sign))
    return { sign, word: wordAt(t('spell.digits'), Number(sign)) ?? sign, kind: 'digit' };
  const mark = marks[sign];
  return { sign, word: mark === undefined ? sign : t(mark), kind: 'mark' };
};

/** The link's characters in short groups: split after each mark and at most every four characters. */
export const spellLink = (link: string, t: Translate): SpelledSign[][] => {
  const groups: SpelledSign[][] = [];
  let group: SpelledSign[] = [];
  for (const sign of link) {
    const spelled = spellSign(sign, t);
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
