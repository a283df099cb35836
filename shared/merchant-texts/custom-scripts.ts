import { containsCardNumber } from '../card-number.ts';
import type { Language } from '../messages/message.ts';
import type { PaymentState } from '../payments/payment-kinds.ts';
import {
  hasWords,
  hiddenCharacter,
  readParts,
  type TextPart,
  type TextProblem,
  type TextReading,
} from './text-parts.ts';

/**
 * Custom scripts: the merchant's phone scripts per state, which replace those of the catalogue. They use a subset of
 * ICU messages: text, `{amount}`, and `{minutes, plural, one {…} other {…}}` with `#` for the number. An apostrophe
 * is literal, since nothing needs quoting.
 */

/** Length limit of a script, UTF-16 units. */
export const maxSentenceChars = 200;

export type Placeholder = 'amount' | 'order' | 'time' | 'minutes';

/** The placeholders of our script of each state, which a custom one may use too. */
export const allowedPlaceholders: Readonly<Record<PaymentState, readonly Placeholder[]>> = {
  draft: [],
  refused: [],
  'outcome-unknown': [],
  waiting: ['minutes'],
  expired: [],
  started: ['minutes'],
  'bank-check': [],
  processing: [],
  'paid-unconfirmed': ['amount'],
  'paid-confirmed': ['amount', 'order', 'time'],
  declined: [],
  'refund-seen': [],
  'part-refunded': ['time'],
  refunded: ['time'],
  voided: [],
  reversed: [],
  chargeback: [],
  'needs-attention': [],
};

/** Separate by language: a script is never used in the other language. */
export type CustomScripts = Record<Language, Partial<Record<PaymentState, string>>>;

export type ScriptPart = TextPart<Placeholder>;

/** Why a script is refused. `found` quotes the invalid part. */
export type ScriptProblem = TextProblem<'line-break'>;

type Reading = TextReading<Placeholder, 'line-break'>;

const lineBreak = /[\n\v\f\r\u0085\u2028\u2029]/;

/** Parses a custom script of a state, or returns the problem. */
export const parseScript = (text: string, state: PaymentState): Reading => {
  const refused = (kind: ScriptProblem['kind'], found = ''): Reading => ({
    ok: false,
    problem: { kind, found },
  });
  if (text.length > maxSentenceChars) return refused('too-long', String(text.length));
  if (lineBreak.test(text)) return refused('line-break');
  if (hiddenCharacter.test(text) || !text.isWellFormed()) return refused('hidden');
  if (containsCardNumber(text)) return refused('card-number');
  const read = readParts(text, allowedPlaceholders[state], 'minutes');
  return read.ok && !hasWords(read.parts) ? refused('no-words') : read;
};
