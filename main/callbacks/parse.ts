import type { Message } from '../../shared/messages/message.ts';
import type { CallbackFields, CallbackForm } from '../../shared/payments/evidence.ts';
import { doubtOf, hashFinder, isCertain } from './forms/doubt.ts';
import { pairLine } from './forms/lines.ts';
import { readPairs } from './forms/pairs.ts';
import {
  isQuotedPrintable,
  mayBeQuotedPrintable,
  rewritings,
  undoQuotedPrintable,
} from './forms/rewritings.ts';
import {
  decodeBytes,
  isNameable,
  looksLikeCallback,
  looksLikeReturn,
  wellFormed,
} from './forms/text-form.ts';
import { MessageSet } from './message-set.ts';
import { scan } from './scan/scan.ts';
import { initialReading, type FoundCallback, type Reading } from './scan/scope.ts';

export type ParsedCallbacks = {
  /** The most frequent form; null if none was found. */
  form: CallbackForm | null;
  callbacks: FoundCallback[];
  problems: Message[];
};

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

/** Length limit of a text that is read again after a rewriting, characters. */
const maxRewrittenChars = 2_000_000;

/** Whether a reading has to be compared with that of the rewritten text. */
const isSuspicious = (callback: FoundCallback): boolean =>
  looksLikeCallback(callback.fields) && !isCertain(callback.fields);

const countCertain = (found: readonly FoundCallback[]): number =>
  found.filter(({ fields }) => looksLikeCallback(fields) && isCertain(fields)).length;

/** The reading of a rewritten text, if it finds more whole callbacks; otherwise what was found. */
const rereadOf = (
  reading: Reading,
  text: string,
  found: readonly FoundCallback[],
): readonly FoundCallback[] => {
  const isEncoded = isQuotedPrintable(text);
  let best = found;
  let bestCount = countCertain(found);
  for (const { undo, form } of isEncoded ? [undoQuotedPrintable] : rewritings) {
    if (bestCount > 0) break;
    const rewritten = undo(text);
    if (rewritten === null || rewritten === text) continue;
    const reread = [...scan({ ...reading, ...initialReading }, rewritten, 0, rewritten.length, 1)];
    const count = countCertain(reread);
    // A chunk or a line may end in "=" by chance: a whole callback that was read without rewriting is right.
    const isBetter = count > bestCount || best.length === 0 || (isEncoded && bestCount === 0);
    if (reread.length > 0 && isBetter) {
      best = reread.map(callback => ({ ...callback, form: form ?? callback.form, offset: 0 }));
      bestCount = count;
    }
  }
  return best;
};

/** Replaces each run of suspicious readings by a better one of the same part of the text. */
const mendReadings = (reading: Reading, text: string, found: readonly FoundCallback[]): FoundCallback[] => {
  if (!found.some(callback => !isSuspicious(callback)) || isQuotedPrintable(text))
    return [...rereadOf(reading, text, found)];
  const mended: FoundCallback[] = [];
  for (let at = 0; at < found.length;) {
    const first = found[at];
    if (!first) break;
    let next = at + 1;
    if (!isSuspicious(first)) mended.push(first);
    else {
      for (let one = found[next]; one && isSuspicious(one); one = found[next]) next++;
      const part = text.slice(first.offset, found[next]?.offset ?? text.length);
      for (const callback of rereadOf(reading, part, found.slice(at, next)))
        mended.push({ ...callback, offset: Math.max(first.offset, callback.offset) });
    }
    at = next;
  }
  return mended;
};

/** Notes on each callback why it may not be what was sent: one is held back, because the next one bounds its text. */
function* withDoubts(text: string, found: Iterable<FoundCallback>): Generator<FoundCallback> {
  const hasHash = hashFinder(text);
  const mayBeEncoded = text.length <= maxRewrittenChars && mayBeQuotedPrintable(text);
  let held: FoundCallback | null = null;
  const doubted = (callback: FoundCallback, end: number): FoundCallback => {
    const fields = wellFormed(callback.fields);
    const isHashUnread =
      !fields.some(([name]) => name === 'hash') &&
      hasHash(callback.offset, Math.max(end, callback.offset + 1));
    const doubt = callback.doubt ?? doubtOf(fields) ?? (isHashUnread || mayBeEncoded ? 'uncertain' : null);
    return { ...callback, fields, ...(doubt === null ? {} : { doubt }) };
  };
  for (const callback of found) {
    if (held) yield doubted(held, callback.offset);
    held = callback;
  }
  if (held) yield doubted(held, text.length);
}

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
  const direct = scan(reading, text, 0, text.length, 0);
  if (text.length > maxRewrittenChars) {
    yield* withDoubts(text, direct);
    return;
  }
  let found = [...direct];
  if (form !== null) {
    const fields = found.length > 0 ? null : readInsisted(text, form);
    if (fields) found = [{ fields, form, offset: 0 }];
  } else if (found.length === 0 || found.some(isSuspicious) || isQuotedPrintable(text))
    found = mendReadings(reading, text, found);
  yield* withDoubts(text, found);
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
export const isReturn = (fields: CallbackFields): boolean => !isNameable(fields) && looksLikeReturn(fields);
