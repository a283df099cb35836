import { decimalReadings } from '../money/typed-amount.ts';
import { readPhoneNumber } from '../phone-number.ts';
import type { Event } from '../payments/evidence.ts';
import type { Payment } from '../payments/payment.ts';
import { folded, spellingsOf } from './fold-text.ts';

/** Telephone numbers among search words, in the spellings of people: `0171 / 123 45 67`, `+49 (0) 171-1234567`. */

const part = /^(?:[+(]*\d[\d()/.–+-]*|[/–-])$/;

/**
 * A number at the start of `words` that begins with `+` or `0`: the texts that find it, and the number of words that
 * it uses; null if there is none.
 */
const phoneAt = (words: readonly string[]): { forms: string[]; taken: number } | null => {
  const other = words.findIndex(word => !part.test(word));
  const run = words.slice(0, other < 0 ? undefined : other);
  const typed = run.join('').replace(/(?<=\d)\(0\)/, '');
  const digits = typed.replaceAll(/\D/g, '');
  if (!/^\(?(?:\+|0)/.test(typed) || digits.length < 7 || digits.length > 17) return null;
  const isInternational = typed.startsWith('+') || digits.startsWith('00');
  const significant = digits.replace(/^0+/, '');
  // The length of the country's code is unknown: a national number is found with each.
  const national = isInternational ? [1, 2, 3].map(code => ` 0${significant.slice(code)} `) : [];
  return { forms: [significant, ...national], taken: run.length };
};

/** Limit of searchable text per payment, characters. */
const maxChars = 2_000;

const blank = /\s/;

/** Punctuation around a word, which no search contains into a search. */
const around = /^[,;:!?()[\]{}<>"„“”«»]+|[,;:!?()[\]{}<>"„“”«».]+$/g;
/** A word without punctuation around it; a word of punctuation alone stays. */
export const bareWord = (word: string): string => word.replaceAll(around, '') || word;

/** Parts of a double name. */
const hyphenated = /^\p{L}+(?:-\p{L}+)+$/u;

/** One word, however it was typed: `+491711234567`, or the digits of a national number. */
const phoneWord = (phone: string | undefined): string =>
  phone === undefined ? '' : (readPhoneNumber(phone) ?? phone.replaceAll(/[^\d+]/g, ''));

/** The search words of a text: folded, without punctuation around them, a double name also in its parts. */
export const searchWordsOf = (text: string): string[] => {
  const words: string[] = [];
  for (const found of spellingsOf(text)) {
    // Most texts are one word.
    const all = blank.test(found) ? found.split(/\s+/) : [found];
    for (const typed of all) {
      const word = bareWord(typed);
      if (word === '' || word === 'null') continue;
      words.push(word);
      if (hyphenated.test(word)) words.push(...word.split('-'));
    }
  }
  return words;
};

const parameters = new Set(['id', 'customer_name', 'customer_email', 'rrn', 'approval_code']);

/** A card's last four digits, from a mask of any length. */
const lastFour = (card: string): string => card.slice(-4);

/**
 * The search words of a payment (order number, payment ids, the first payment of its series, names, e-mail addresses,
 * amount, currency, last four digits, RRN, approval code, description, notes): folded, each once, with a blank around
 * each. `linkWords`: one for each of its links.
 */
export const wordsOf = (
  payment: Payment,
  events: readonly Event[],
  linkWords: readonly string[] = [],
): string => {
  const words = new Set<string>();
  const add = (text: string | null | undefined): void => {
    if (text) for (const word of searchWordsOf(text)) words.add(word);
  };
  add(payment.orderNumber);
  for (const paymentId of payment.paymentIds) add(paymentId);
  add(payment.series?.firstPaymentId);
  for (const word of linkWords) words.add(word);
  add(payment.amount);
  if (payment.amount && !payment.amount.includes('.')) add(`${payment.amount}.00`);
  add(payment.currency);
  add(payment.description);
  add(payment.customer?.name);
  add(payment.customer?.email);
  add(phoneWord(payment.customer?.phone));
  for (const event of events)
    if (event.kind === 'callback.received')
      for (const [name, value] of event.body.fields) {
        if (name === 'card') add(lastFour(value));
        else if (parameters.has(name)) add(value);
      }
    else if (event.kind === 'status.observed')
      for (const { customer } of event.body.answers) {
        add(customer?.name);
        add(customer?.email);
      }
    else if (event.kind === 'note.added' || event.kind === 'review.resolved') add(event.body.text);
    else if (event.kind === 'session.requested') {
      add(event.body.customer?.name);
      add(event.body.customer?.email);
      add(phoneWord(event.body.customer?.phone));
    }
  let text = ' ';
  for (const word of words) {
    if (text.length + word.length >= maxChars) break;
    text += `${word} `;
  }
  return text;
};

/** Limit of search words: a longer text is a pasted one. */
const maxWords = 12;

/** One alternative after `=`: a whole word, or a part of one where `*` is. */
const alternative = (form: string): string =>
  `${form.startsWith('*') ? '' : ' '}${form.replaceAll('*', '')}${form.endsWith('*') ? '' : ' '}`;

/**
 * The typed search text, word by word; each word as the texts that satisfy it. An amount is recognised in its usual
 * notations (`12,50`, `1.234,50`, `1,234.50`), and several words may be one telephone number. A word of one or two
 * letters matches the start of a word (a blank precedes it); a longer one matches anywhere. After `=` it matches the
 * whole word, or one of several (`=50.00|50.000`); `schm*` there is the start of a word, `*hmi*` any part.
 */
export const wantedWords = (typed: string): string[][] => {
  const words = typed.split(/\s+/).filter(word => word !== '');
  const wanted: string[][] = [];
  for (let at = 0; at < words.length && wanted.length < maxWords; at += 1) {
    const word = words[at] ?? '';
    if (word.length > 1 && word.startsWith('=')) {
      wanted.push(folded(word.slice(1)).split('|').map(alternative));
      continue;
    }
    const phone = phoneAt(words.slice(at));
    const bare = bareWord(word);
    // A number in one word may also be an order number.
    const own =
      phone && phone.taken > 1
        ? []
        : [...spellingsOf(bare), ...decimalReadings(folded(bare).replace(/^[+-](?=\d)/, ''))];
    wanted.push(
      [...new Set([...own, ...(phone?.forms ?? [])])].map(form => (form.length < 3 ? ` ${form}` : form)),
    );
    if (phone) at += phone.taken - 1;
  }
  return wanted;
};
