import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { LogKey } from './log-key.ts';

/**
 * The key of a payment log as 24 words for people: the entropy of BIP 39, with its checksum. The words are English in
 * every language, because the standard has no German list.
 */

export const phraseWords = 24;

/** Letters that tell every word of the list from all others. */
const distinctLetters = 4;

export const recoveryPhrase = (key: LogKey): string[] =>
  entropyToMnemonic(Buffer.from(key, 'hex'), wordlist).split(' ');

/** The word of the list that was typed, whole or by its first four letters; null if there is none. */
export const phraseWord = (typed: string): string | null => {
  const text = typed.trim().toLowerCase();
  if (wordlist.includes(text)) return text;
  return text.length < distinctLetters ? null : (wordlist.find(word => word.startsWith(text)) ?? null);
};

/** Why typed words are no key: their number, the number of an unknown word (from 1), or the checksum. */
export type PhraseProblem =
  | { problem: 'count'; count: number }
  | { problem: 'word'; position: number }
  | { problem: 'checksum' };

/** Reads words as a person typed them: in any case, with numbers or line breaks between them. */
export const readPhrase = (typed: string): { ok: true; key: LogKey } | ({ ok: false } & PhraseProblem) => {
  const given = typed.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (given.length !== phraseWords) return { ok: false, problem: 'count', count: given.length };
  const words = given.map(phraseWord);
  const unknown = words.indexOf(null);
  if (unknown >= 0) return { ok: false, problem: 'word', position: unknown + 1 };
  try {
    return {
      ok: true,
      key: Buffer.from(mnemonicToEntropy(words.join(' '), wordlist)).toString('hex'),
    };
  } catch {
    return { ok: false, problem: 'checksum' };
  }
};
