import { msg } from '../../../shared/messages/message.ts';
import { readLiteral } from '../forms/literal.ts';
import { peelEncodedBody, readFromLine } from '../forms/pairs.ts';
import { isNameable, unescapeHtml } from '../forms/text-form.ts';
import { callbacksIn, isHar } from '../forms/tree.ts';
import { maxDepth, maxLineChars, relabel, type FoundCallback, type Reading, type Scope } from './scope.ts';

const structure = /[{[]|\barray\s{0,4}\(/gi;

/** The next opening bracket at or after a position; the end of the text if there is none. */
const nextBracket = (reading: Reading, text: string, from: number): number => {
  const { bracket } = reading;
  if (bracket.from > from || bracket.at < from) {
    structure.lastIndex = from;
    reading.bracket = { from, at: structure.exec(text)?.index ?? text.length };
  }
  return reading.bracket.at;
};

/** Searches the rest of the line for brackets, then for a callback anywhere in it. Returns where to continue. */
export function* readStructures(scope: Scope, at: number, stop: number): Generator<FoundCallback, number> {
  const { reading, text, inner, acceptsForm } = scope;
  let next = at;
  let yielded = false;
  let last = stop - 1;
  while (last > at && /\s/.test(text.charAt(last))) last--;
  while (next < stop && reading.maxScannedChars > 0) {
    const start = nextBracket(reading, text, next);
    if (start >= stop) break;
    const read = readWithin(scope, start, stop, last);
    if (!read) {
      next = start + 1;
      continue;
    }
    const before = text.slice(Math.max(at, start - 40), start).trim();
    const prefixed = before !== '' && before !== '[Object: null prototype]';
    const form = isHar(read.tree) ? 'har' : prefixed && read.form === 'json' ? 'log-line' : read.form;
    const named = !acceptsForm(form) && acceptsForm(read.form) ? read.form : form;
    for (const fields of acceptsForm(named) || acceptsForm('log-line') ? callbacksIn(read.tree, inner) : []) {
      yielded = true;
      yield { fields, form: reading.only ?? named, offset: start };
    }
    next = read.end;
    if (next > stop) return next;
  }
  if (yielded) return Math.max(next, at + 1);
  if (reading.maxScannedChars <= 0) reading.problems.add(msg('inspection.damaged'));
  if (stop - at > maxLineChars) reading.problems.add(msg('inspection.line-cut', { limit: maxLineChars }));
  else yield* readLoosely(scope, text.slice(at, stop), at);
  return Math.max(stop, at + 1);
}

/** First within the line, then beyond it: a truncated log line must not swallow the following ones. */
const readWithin = (
  { reading, text, end }: Scope,
  start: number,
  stop: number,
  /** The position of the line's last character that is not a blank. */
  last: number,
): Extract<ReturnType<typeof readLiteral>, { form: string }> | null => {
  const continues = stop < end && '{[(,>:'.includes(text.charAt(last));
  for (const limit of continues ? [stop, end] : [stop]) {
    const read = readLiteral(text, start, limit);
    if (read.tree) return read;
    reading.maxScannedChars -= read.reached - start;
    if (reading.maxScannedChars <= 0) return null;
  }
  return null;
};

function* readLoosely(
  { reading, depth, inner, acceptsForm }: Scope,
  line: string,
  at: number,
): Generator<FoundCallback> {
  const read = readFromLine(line);
  if (read) {
    const returning = !isNameable(read.fields);
    const form = returning ? 'return-url' : read.whole ? 'urlencoded' : 'log-line';
    if (acceptsForm(form) || acceptsForm('log-line') || (form === 'log-line' && acceptsForm('urlencoded')))
      yield { fields: read.fields, form: reading.only ?? form, offset: at + Math.max(0, read.at) };
    return;
  }
  if (depth >= maxDepth) return;
  const decodedBody = peelEncodedBody(line);
  if (decodedBody !== null) {
    const found = inner(decodedBody);
    if (found.length > 0) reading.problems.add(msg('inspection.encoded-twice'));
    yield* relabel(
      line.trim().length <= decodedBody.length * 3 && !/\s/.test(line.trim()) ? 'urlencoded' : 'log-line',
      found,
      at,
    );
    return;
  }
  if (line.includes('\\"') && /order_number/.test(line)) {
    yield* relabel('log-line', inner(line.replace(/\\(["\\/])/g, '$1')), at);
  } else if (line.includes('&quot;') && /order_number/.test(line))
    yield* relabel('log-line', inner(unescapeHtml(line)), at);
}
