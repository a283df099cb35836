import { holdsCardNumber } from '../card-number.ts';
import type { Language } from './language.ts';
import type { PaymentState } from '../payments/payment-kinds.ts';

/**
 * The merchant's own sentences: what an agent says of a state, instead of the catalogue's row. They are written in a
 * part of ICU's messages: words, `{amount}`, and `{minutes, plural, one {…} other {…}}` with `#` for the number.
 * An apostrophe is an apostrophe, since none of it needs quoting.
 */

/** UTF-16 units a sentence may have. */
export const maxSentenceChars = 200;

export type Placeholder = 'amount' | 'order' | 'time' | 'minutes';

/** What our sentence of each state takes, and so what another one may. */
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

/** Kept apart by language: a sentence is never said in the other one. */
export type CustomScripts = Record<Language, Partial<Record<PaymentState, string>>>;

/** A sentence, read. A plural's branches are named as ICU names them: `=0`, `one`, `other`. */
export type ScriptPart =
  | { kind: 'text'; text: string }
  | { kind: 'value'; name: Placeholder }
  | { kind: 'number' }
  | { kind: 'plural'; branches: ReadonlyMap<string, readonly ScriptPart[]> };

/** Why a sentence is refused. `found` quotes what is in the way. */
export type ScriptProblem = {
  kind:
    'too-long' | 'line-break' | 'hidden' | 'card-number' | 'no-words' | 'unreadable' | 'unknown' | 'plural';
  found: string;
};

type Reading = { ok: true; parts: readonly ScriptPart[] } | { ok: false; problem: ScriptProblem };

const lineBreak = /[\n\v\f\r\u0085\u2028\u2029]/;
/** Controls, and the marks that turn the direction of what follows. */
const hidden = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const words = /[^{}#]+/y;
const value = /\{\s*([^\s{},]*)\s*\}/y;
const plural = /\{\s*([^\s{},]*)\s*,\s*plural\s*,/y;
const branch = /\s*(=\d{1,6}|zero|one|two|few|many|other)\s*\{/y;
const end = /\s*\}/y;

/** As much of the text as shows where something is wrong. */
const excerpt = (text: string, at: number): string => Array.from(text.slice(at)).slice(0, 20).join('');

/** Reads what stands between the braces; a recursive descent, which 200 characters cannot take deep. */
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

  /** Reads to the end, or within a plural to the brace that closes the branch. */
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

/** Whether it says something by itself, whichever branch is taken: an amount may be unknown, and then is nothing. */
const hasWords = (parts: readonly ScriptPart[]): boolean =>
  parts.some(
    part =>
      (part.kind === 'text' && /\p{L}/u.test(part.text)) ||
      (part.kind === 'plural' && [...part.branches.values()].every(hasWords)),
  );

/** Reads an own sentence of a state, or says why it cannot stand. */
export const parseScript = (text: string, state: PaymentState): Reading => {
  const refused = (kind: ScriptProblem['kind'], found = ''): Reading => ({
    ok: false,
    problem: { kind, found },
  });
  if (text.length > maxSentenceChars) return refused('too-long', String(text.length));
  if (lineBreak.test(text)) return refused('line-break');
  if (hidden.test(text) || !text.isWellFormed()) return refused('hidden');
  if (holdsCardNumber(text)) return refused('card-number');
  const read = readParts(text, allowedPlaceholders[state]);
  return read.ok && !hasWords(read.parts) ? refused('no-words') : read;
};
