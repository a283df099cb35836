import type { Message } from '../../shared/messages/message.ts';
import type { CallbackFields, CallbackForm } from '../../shared/payments/evidence.ts';
import { pairLine } from './forms/lines.ts';
import { peelEncodedBody, readPairs } from './forms/pairs.ts';
import { decodeBytes, looksLikeCallback, looksLikeReturn, unescapeHtml, wellFormed } from './forms/text.ts';
import { MessageSet } from './message-set.ts';
import { scan } from './scan/scan.ts';
import { initialReading, type FoundCallback, type Reading } from './scan/scope.ts';

export type ParsedCallbacks = {
  /** The most frequent form; null if none was found. */
  form: CallbackForm | null;
  callbacks: FoundCallback[];
  problems: Message[];
};

/** Rewritings for a short text in which nothing was found. */
const unwraps: readonly ((text: string) => string | null)[] = [
  // A quoted string with `\n` written out.
  text => (/\\[rn]/.test(text) ? text.replace(/\\r\\n|\\[rn]/g, '\n').replace(/\\(["'\\/])/g, '$1') : null),
  // A body that a mail program or a terminal wrapped.
  text => (text.includes('\n') && text.includes('&') ? text.replace(/\r?\n[ \t]*/g, '') : null),
  text =>
    text.includes('&quot;') || text.includes('&#') || text.includes('=&gt;') ? unescapeHtml(text) : null,
  text => (text.includes('%') ? peelEncodedBody(text.replace(/\s+/g, '')) : null),
  text => {
    const bare = text.replace(/\s+/g, '');
    return /^[A-Za-z0-9+/_-]{40,}={0,2}$/.test(bare) ? Buffer.from(bare, 'base64').toString('utf8') : null;
  },
];

/** A form that the user selected is read without checking that it looks like a callback. */
const readInsisted = (text: string, form: CallbackForm): CallbackFields | null => {
  const trimmed = text.trim();
  if (form === 'urlencoded' || form === 'return-url') {
    const query = form === 'return-url' ? trimmed.replace(/^[^?]*\?/, '').replace(/#.*$/, '') : trimmed;
    const fields = readPairs(query.replace(/[\r\n]+/g, ''), true);
    return fields.some(([, value]) => value !== '') ? fields : null;
  }
  if (form === 'lines') {
    const fields: CallbackFields = [];
    for (const line of text.split(/\r?\n/).slice(0, 2_000)) {
      const pair = pairLine(line);
      if (pair) fields.push([pair.name, pair.value]);
    }
    return fields.length > 0 ? fields : null;
  }
  return null;
};

/**
 * Yields every callback in a text, in linear time and bounded depth: for files too large to hold all results at once.
 * `problems` collects repairs and omissions. `form` null = recognise.
 */
export function* eachCallback(
  text: string,
  form: CallbackForm | null = null,
  problems: MessageSet = new MessageSet(),
): Generator<FoundCallback> {
  const reading: Reading = {
    problems,
    maxScannedChars: 4 * text.length + 1_000_000,
    ...initialReading,
    only: form,
  };
  let found = 0;
  for (const callback of scan(reading, text, 0, text.length, 0)) {
    found++;
    yield { ...callback, fields: wellFormed(callback.fields) };
  }
  if (found > 0 || text.length > 2_000_000) return;
  if (form !== null) {
    const fields = readInsisted(text, form);
    if (fields) yield { fields: wellFormed(fields), form, offset: 0 };
    return;
  }
  for (const unwrap of unwraps) {
    const unwrapped = unwrap(text);
    if (unwrapped === null || unwrapped === text) continue;
    for (const callback of scan({ ...reading, ...initialReading }, unwrapped, 0, unwrapped.length, 1)) {
      found++;
      yield { ...callback, fields: wellFormed(callback.fields), offset: 0 };
    }
    if (found > 0) return;
  }
}

const commonestForm = (callbacks: readonly FoundCallback[]): CallbackForm | null => {
  const counts = new Map<CallbackForm, number>();
  let best: CallbackForm | null = null;
  for (const { form } of callbacks) {
    const count = (counts.get(form) ?? 0) + 1;
    counts.set(form, count);
    if (best === null || count > (counts.get(best) ?? 0)) best = form;
  }
  return best;
};

/**
 * Finds the callbacks in a pasted, dropped or opened text (§2.6), in any form and mixture of forms. `form` overrides
 * the recognition. Never throws; `problems` lists the repairs.
 */
export const parseCallbacks = (
  input: string | Uint8Array,
  form: CallbackForm | null = null,
): ParsedCallbacks => {
  const problems = new MessageSet();
  const decoded = typeof input === 'string' ? { text: input, problem: null } : decodeBytes(input);
  if (decoded.problem !== null) problems.add(decoded.problem);
  const callbacks = [...eachCallback(decoded.text, form, problems)];
  return { form: commonestForm(callbacks), callbacks, problems: problems.list() };
};

/** Whether these fields came with a customer's return (assumption) and not as a callback. */
export const isReturn = (fields: CallbackFields): boolean =>
  !looksLikeCallback(fields) && looksLikeReturn(fields);
