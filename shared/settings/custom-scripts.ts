import { containsCardNumber } from '../card-number.ts';
import type { Language } from '../messages/language.ts';
import type { PaymentState } from '../payments/payment-kinds.ts';

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

/** A parsed script. A plural's branches have ICU names: `=0`, `one`, `other`. */
export type ScriptPart =
  | { kind: 'text'; text: string }
  | { kind: 'value'; name: Placeholder }
  | { kind: 'number' }
  | { kind: 'plural'; branches: ReadonlyMap<string, readonly ScriptPart[]> };

/** Why a script is refused. `found` quotes the invalid part. */
export type ScriptProblem = {
  kind:
    'too-long' | 'line-break' | 'hidden' | 'card-number' | 'no-words' | 'unreadable' | 'unknown' | 'plural';
  found: string;
};

type Reading = { ok: true; parts: readonly ScriptPart[] } | { ok: false; problem: ScriptProblem };

const lineBreak = /[\n\v\f\r\u0085\u2028\u2029]/;
/** Control characters, and marks that change the writing direction. */
const hidden = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const words = /[^{}#]+/y;
const value = /\{\s*([^\s{},]*)\s*\}/y;
const plural = /\{\s*([^\s{},]*)\s*,\s*plural\s*,/y;
const branch = /\s*(=\d{1,6}|zero|one|two|few|many|other)\s*\{/y;
const end = /\s*\}/y;

/** An excerpt of the text that shows the position of a problem. */
const excerpt = (text: string, at: number): string => Array.from(text.slice(at)).slice(0, 20).join('');

/** Parses the text between braces; a recursive descent, whose depth the limit of 200 characters bounds. */
const readParts = (text: string, taken: readonly Placeholder[]): Reading => {
  let at = 0;
  let problem: ScriptProblem | null = null;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const refuse = (kind: ScriptProblem['kind'], found: string): null => {
    problem ??= { kind, found };
    return null;
  };
  const named = (name: string): Placeholder | null =>
    taken.find(one => one === name) ?? refuse('unknown', name === '' ? '{}' : `{${name}}`);

  const readPlural = (name: string, from: number): ScriptPart | null => {
    if (named(name) === null) return null;
    if (name !== 'minutes') return refuse('plural', excerpt(text, from));
    const branches = new Map<string, readonly ScriptPart[]>();
    for (let found = take(branch); found !== null; found = take(branch)) {
      const [, selector = ''] = found;
      const parts = read(true);
      if (parts === null || branches.has(selector)) return refuse('plural', excerpt(text, from));
      branches.set(selector, parts);
      at += 1;
    }
    if (!branches.has('other') || take(end) === null) return refuse('plural', excerpt(text, from));
    return { kind: 'plural', branches };
  };

  /** Reads to the end, or within a plural to the closing brace of the branch. */
  const read = (isBranch: boolean): readonly ScriptPart[] | null => {
    const parts: ScriptPart[] = [];
    for (;;) {
      if (at >= text.length || (isBranch && text[at] === '}')) break;
      const from = at;
      const plain = take(words);
      const one = plain ? null : take(value);
      const many = (plain ?? one) ? null : take(plural);
      let part: ScriptPart | null;
      if (plain) part = { kind: 'text', text: plain[0] };
      else if (one) {
        const name = named(one[1] ?? '');
        part = name && { kind: 'value', name };
      } else if (many) part = readPlural(many[1] ?? '', from);
      else if (text[at] === '#') {
        at += 1;
        part = isBranch ? { kind: 'number' } : { kind: 'text', text: '#' };
      } else part = refuse('unreadable', excerpt(text, at));
      if (part === null) return null;
      parts.push(part);
    }
    return isBranch && at >= text.length ? refuse('unreadable', excerpt(text, text.lastIndexOf('{'))) : parts;
  };

  const parts = read(false);
  return parts === null
    ? { ok: false, problem: problem ?? { kind: 'unreadable', found: text } }
    : { ok: true, parts };
};

/** Whether it contains text in every branch: an unknown amount yields nothing. */
const hasWords = (parts: readonly ScriptPart[]): boolean =>
  parts.some(
    part =>
      (part.kind === 'text' && /\p{L}/u.test(part.text)) ||
      (part.kind === 'plural' && [...part.branches.values()].every(hasWords)),
  );

/** Parses a custom script of a state, or returns the problem. */
export const parseScript = (text: string, state: PaymentState): Reading => {
  const refused = (kind: ScriptProblem['kind'], found = ''): Reading => ({
    ok: false,
    problem: { kind, found },
  });
  if (text.length > maxSentenceChars) return refused('too-long', String(text.length));
  if (lineBreak.test(text)) return refused('line-break');
  if (hidden.test(text) || !text.isWellFormed()) return refused('hidden');
  if (containsCardNumber(text)) return refused('card-number');
  const read = readParts(text, allowedPlaceholders[state]);
  return read.ok && !hasWords(read.parts) ? refused('no-words') : read;
};
