import { decimalReadings } from '../money/typed-amount.ts';
import { readPhoneNumber } from '../phone-number.ts';
import type { Event } from '../payments/evidence.ts';
import type { Payment } from '../payments/payment.ts';

/** Limit of searchable text per payment, characters. */
const maxChars = 2_000;

/** Most texts have no accents to remove. */
const plain = /^[ -~]*$/;
const blank = /\s/;

/** Letters without case and accents, so that `Müller`, `MULLER` and `muller` match each other. */
export const folded = (text: string): string =>
  plain.test(text) ? text.toLowerCase() : text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** One word, however it was typed. */
const phoneWord = (phone: string | undefined): string =>
  phone === undefined ? '' : (readPhoneNumber(phone) ?? phone);

const parameters = new Set(['id', 'customer_name', 'customer_email', 'rrn', 'approval_code']);

/** A card's last four digits, from a mask of any length. */
const lastFour = (card: string): string => card.slice(-4);

/**
 * The search words of a payment (order number, payment ids, names, e-mail addresses, amount, currency, last four
 * digits, RRN, approval code, description, notes): folded, each once, with a blank around each.
 */
export const wordsOf = (payment: Payment, events: readonly Event[]): string => {
  const words = new Set<string>();
  const add = (text: string | null | undefined): void => {
    if (!text) return;
    const found = folded(text);
    // Most texts are one word.
    const all = blank.test(found) ? found.split(/\s+/) : [found];
    for (const word of all) if (word !== '' && word !== 'null') words.add(word);
  };
  add(payment.orderNumber);
  for (const paymentId of payment.paymentIds) add(paymentId);
  add(payment.amount);
  if (payment.amount && !payment.amount.includes('.')) add(`${payment.amount}.00`);
  add(payment.currency);
  add(payment.description);
  add(payment.customer?.name);
  add(payment.customer?.email);
  add(phoneWord(payment.customer?.phone));
  for (const event of events) {
    if (event.kind === 'callback.received') {
      for (const [name, value] of event.body.fields) {
        if (name === 'card') add(lastFour(value));
        else if (parameters.has(name)) add(value);
      }
    } else if (event.kind === 'status.observed') {
      for (const { customer } of event.body.answers) {
        add(customer?.name);
        add(customer?.email);
      }
    } else if (event.kind === 'note.added' || event.kind === 'review.resolved') {
      add(event.body.text);
    } else if (event.kind === 'session.requested') {
      add(event.body.customer?.name);
      add(event.body.customer?.email);
      add(phoneWord(event.body.customer?.phone));
    }
  }
  let text = ' ';
  for (const word of words) {
    if (text.length + word.length >= maxChars) break;
    text += `${word} `;
  }
  return text;
};

/**
 * The typed search text, word by word; each word as the texts that satisfy it. An amount is recognised in its usual
 * notations: `12,50`, `1.234,50`, `1,234.50`. A word of one or two letters matches the start of a word (a blank
 * precedes it); a longer one matches anywhere. After `=` it matches the whole word, or one of several
 * (`=50.00|50.000`).
 */
export const wantedWords = (typed: string): string[][] =>
  folded(typed)
    .split(/\s+/)
    .filter(word => word !== '')
    .slice(0, 12)
    .map(word => {
      if (word.length > 1 && word.startsWith('='))
        return word
          .slice(1)
          .split('|')
          .map(form => ` ${form} `);
      const forms = [word, ...decimalReadings(word)];
      return [...new Set(forms)].map(form => (form.length < 3 ? ` ${form}` : form));
    });
