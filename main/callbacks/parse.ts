import type { CallbackFields, CallbackForm } from '../../shared/payments/evidence.ts';
import { isRow, readHeader, readRecord, rowFields } from './forms/csv.ts';
import { opensCurl, readCurl } from './forms/curl.ts';
import { isBodyLine, pairLine, readAlternating, readLines } from './forms/lines.ts';
import { readLiteral } from './forms/literal.ts';
import { opensMultipart, readMultipart } from './forms/multipart.ts';
import { peelEncodedBody, readFromLine, readPairs } from './forms/pairs.ts';
import { opensPrintR, opensVarDump, readPrintR, readVarDump } from './forms/php-dump.ts';
import { bodyEnd, isRequestLine, readRequest } from './forms/raw-http.ts';
import {
  decodeBytes,
  looksLikeCallback,
  looksLikeReturn,
  undoEncoding,
  unescapeHtml,
  wellFormed,
} from './forms/text.ts';
import { callbacksIn, isHar } from './forms/tree.ts';

/** A callback found in a text, with the form it stood in and where (UTF-16 units from the start). */
export type FoundCallback = { fields: CallbackFields; form: CallbackForm; offset: number };
export type ParsedCallbacks = {
  /** The form most of them stand in; null when none was found. */
  form: CallbackForm | null;
  callbacks: FoundCallback[];
  problems: string[];
};

/** What a whole reading shares: what to say, and how much broken structure it may still look through. */
type Reading = {
  problems: Set<string>;
  /** Characters that failed attempts at structures may still cost: keeps hostile input linear. */
  maxScannedChars: number;
  /** Where the next opening bracket stands, as far as is known: looked for once, not from every line. */
  bracket: { from: number; at: number };
  /** Up to here no line begins a callback of lines. */
  linesFrom: number;
  /** When the person chose the form: only that one is read. */
  only: CallbackForm | null;
};

/** What is known of a text at its beginning. */
const initialReading = { bracket: { from: 0, at: -1 }, linesFrom: 0 };
const maxDepth = 6;
/** A line longer than this is searched for structures alone. */
const maxLineChars = 1_000_000;

const structure = /[{[]|\barray\s{0,4}\(/gi;

/** The next opening bracket at or after a place; the end of the text when there is none. */
const nextBracket = (reading: Reading, text: string, from: number): number => {
  const { bracket } = reading;
  if (bracket.from > from || bracket.at < from) {
    structure.lastIndex = from;
    reading.bracket = { from, at: structure.exec(text)?.index ?? text.length };
  }
  return reading.bracket.at;
};
const nameList = /\[\s{0,200}\{\s{0,200}["'](?:name|key|field|parameter)["']/iy;
const listOfMaps = /\[\s{0,2000}\{/y;

const relabel = (form: CallbackForm, fields: CallbackFields[], offset: number): FoundCallback[] =>
  fields.map(fields => ({ fields, form, offset }));

const innerReader =
  (reading: Reading, depth: number) =>
  (text: string): CallbackFields[] =>
    depth >= maxDepth
      ? []
      : [...scan({ ...reading, ...initialReading, only: null }, text, 0, text.length, depth + 1)].map(
          found => found.fields,
        );

function* scan(
  reading: Reading,
  text: string,
  from: number,
  end: number,
  depth: number,
): Generator<FoundCallback> {
  const inner = innerReader(reading, depth);
  const acceptsForm = (form: CallbackForm): boolean => reading.only === null || reading.only === form;
  let at = from;
  let stop = -1;
  while (at < end) {
    const code = text.charCodeAt(at);
    // Blanks, and the commas and brackets between the items of a long list.
    if (code <= 32 && code !== 9 && code !== 32) {
      at++;
      continue;
    }
    if (code === 0xfeff || code === 0) {
      at++;
      continue;
    }
    if (stop < at) {
      const found = text.indexOf('\n', at);
      stop = found < 0 || found > end ? end : found;
    }
    const char = text.charAt(at);
    if (char === ',' || char === ']') {
      at++;
      continue;
    }
    if (char === '[' && acceptsForm('json')) {
      listOfMaps.lastIndex = at;
      nameList.lastIndex = at;
      if (listOfMaps.test(text) && !nameList.test(text)) {
        at++;
        continue;
      }
    }
    if (char !== '{') {
      const line = text.slice(at, Math.min(stop, at + maxLineChars));
      const step = yield* readAtLine(reading, text, at, stop, end, line, depth, inner, acceptsForm);
      if (step !== null) {
        at = step;
        continue;
      }
    }
    at = yield* readStructures(reading, text, at, stop, end, depth, inner, acceptsForm);
  }
}

type Inner = (text: string) => CallbackFields[];
type AcceptsForm = (form: CallbackForm) => boolean;

/** Forms told by how a line begins or ends. Returns where to go on, or null when the line is none of them. */
function* readAtLine(
  reading: Reading,
  text: string,
  at: number,
  stop: number,
  end: number,
  line: string,
  depth: number,
  inner: Inner,
  acceptsForm: AcceptsForm,
): Generator<FoundCallback, number | null> {
  if (acceptsForm('raw-http') && isRequestLine(line)) {
    const request = readRequest(text, at, end);
    const query = readFromLine(request.target);
    const stated = bodyEnd(text, request);
    let found: CallbackFields[] = query && /^[> \t]*GET /.test(line) ? [query.fields] : [];
    let bodyStop = found.length > 0 ? request.body : request.end;
    if (found.length === 0 && stated !== null && stated < request.end) {
      found = inner(text.slice(request.body, stated));
      if (found.length > 0) bodyStop = stated;
    }
    if (found.length === 0) found = inner(text.slice(request.body, request.end));
    if (found.length === 0 && query) found = [query.fields];
    yield* relabel('raw-http', found, at);
    return Math.max(bodyStop, at + 1);
  }
  if (acceptsForm('urlencoded') && opensCurl(line)) {
    const read = readCurl(text, at, end);
    if (read && looksLikeCallback(read.fields)) {
      yield { fields: read.fields, form: 'urlencoded', offset: at };
      return read.end;
    }
  }
  if (acceptsForm('multipart') && opensMultipart(text, at)) {
    const body = readMultipart(text, at, end);
    const found = looksLikeCallback(body.fields)
      ? [body.fields]
      : body.fields.flatMap(([, value]) => (value.includes('order_number') ? inner(value) : []));
    yield* relabel('multipart', found, at);
    return body.end;
  }
  if (
    acceptsForm('php-print-r') &&
    (opensPrintR(text, at, end) || /^\s*\[[\w:[\]]{1,200}\] => /.test(line))
  ) {
    const read = readPrintR(text, at, end);
    const found = callbacksIn(read.tree, inner);
    yield* relabel('php-print-r', found, at);
    if (found.length > 0 || opensPrintR(text, at, end)) return read.end;
  }
  if (acceptsForm('php-var-export') && opensVarDump(line)) {
    const start = at + Math.max(0, line.search(/(?:array\(\d|object\()/));
    const read = readVarDump(text, start, end);
    if (read) {
      yield* relabel('php-var-export', callbacksIn(read.tree, inner), at);
      return read.end;
    }
  }
  if (acceptsForm('csv') && /[,;\t|]/.test(line)) {
    const header = readHeader(text, at, end, depth === 0 && text.slice(0, at).trim() === '');
    if (header) return yield* readTable(text, at, header.end, end, header, inner);
  }
  const pair = pairLine(line);
  if (!pair) {
    const read = acceptsForm('lines') ? readAlternating(text, at, end) : null;
    if (!read) return null;
    yield { fields: read.fields, form: 'lines', offset: at };
    return read.end;
  }
  if (acceptsForm('urlencoded') && isBodyLine(pair)) {
    const read = readFromLine(line);
    if (read) {
      const form = looksLikeCallback(read.fields) ? (read.whole ? 'urlencoded' : 'log-line') : 'return-url';
      yield { fields: read.fields, form, offset: at };
      return stop;
    }
  }
  if (!acceptsForm('lines') || at < reading.linesFrom) return null;
  const read = readLines(text, at, end);
  if (!read.fields) {
    // What makes no callback together makes none line by line.
    reading.linesFrom = read.end;
    return null;
  }
  yield { fields: read.fields, form: 'lines', offset: at };
  return read.end;
}

function* readTable(
  text: string,
  headed: number,
  from: number,
  end: number,
  header: NonNullable<ReturnType<typeof readHeader>>,
  inner: Inner,
): Generator<FoundCallback, number> {
  let at = from;
  while (at < end) {
    const record = readRecord(text, at, end, header.delimiter);
    const blank = record.cells.length === 1 && record.cells[0]?.trim() === '';
    if (!blank && !isRow(header, record.cells)) return Math.max(at, headed + 1);
    const found = header.bodies
      ? record.cells.flatMap(cell => (cell.includes('order_number') ? inner(cell) : []))
      : [undoEncoding(rowFields(header, record.cells)).fields].filter(looksLikeCallback);
    yield* relabel('csv', found, at);
    at = Math.max(record.end, at + 1);
  }
  return Math.max(at, headed + 1);
}

/** Looks for brackets in what is left of the line, then for a callback anywhere in it. Returns where to go on. */
function* readStructures(
  reading: Reading,
  text: string,
  at: number,
  stop: number,
  end: number,
  depth: number,
  inner: Inner,
  acceptsForm: AcceptsForm,
): Generator<FoundCallback, number> {
  let next = at;
  let yielded = false;
  let last = stop - 1;
  while (last > at && /\s/.test(text.charAt(last))) last--;
  while (next < stop && reading.maxScannedChars > 0) {
    const start = nextBracket(reading, text, next);
    if (start >= stop) break;
    const read = readWithin(reading, text, start, stop, last, end);
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
  if (reading.maxScannedChars <= 0)
    reading.problems.add('The structure is damaged. Some brackets were not read.');
  if (stop - at <= maxLineChars)
    yield* readLoosely(reading, text.slice(at, stop), at, depth, inner, acceptsForm);
  return Math.max(stop, at + 1);
}

/** First within the line, then beyond it: a cut-off log line must not swallow those that follow. */
const readWithin = (
  reading: Reading,
  text: string,
  start: number,
  stop: number,
  /** Where the line's last character stands that is no blank. */
  last: number,
  end: number,
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
  reading: Reading,
  line: string,
  at: number,
  depth: number,
  inner: Inner,
  acceptsForm: AcceptsForm,
): Generator<FoundCallback> {
  const read = readFromLine(line);
  if (read) {
    const returning = !looksLikeCallback(read.fields);
    const form = returning ? 'return-url' : read.whole ? 'urlencoded' : 'log-line';
    if (acceptsForm(form) || acceptsForm('log-line') || (form === 'log-line' && acceptsForm('urlencoded')))
      yield { fields: read.fields, form: reading.only ?? form, offset: at + Math.max(0, read.at) };
    return;
  }
  if (depth >= maxDepth) return;
  const decodedBody = peelEncodedBody(line);
  if (decodedBody !== null) {
    const found = inner(decodedBody);
    if (found.length > 0)
      reading.problems.add('The body was percent-encoded twice. Both layers were decoded.');
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

/** Rewritings tried when nothing at all was found in a short text. */
const unwraps: readonly ((text: string) => string | null)[] = [
  // A quoted string with `\n` written out.
  text => (/\\[rn]/.test(text) ? text.replace(/\\r\\n|\\[rn]/g, '\n').replace(/\\(["'\\/])/g, '$1') : null),
  // A body wrapped by a mail program or a terminal.
  text => (text.includes('\n') && text.includes('&') ? text.replace(/\r?\n[ \t]*/g, '') : null),
  text =>
    text.includes('&quot;') || text.includes('&#') || text.includes('=&gt;') ? unescapeHtml(text) : null,
  text => (text.includes('%') ? peelEncodedBody(text.replace(/\s+/g, '')) : null),
  text => {
    const bare = text.replace(/\s+/g, '');
    return /^[A-Za-z0-9+/_-]{40,}={0,2}$/.test(bare) ? Buffer.from(bare, 'base64').toString('utf8') : null;
  },
];

/** A form the person insisted on is read without asking whether it looks like a callback. */
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
 * Every callback in a text, one after the other, in linear time and bounded depth:
 * for files too large to hold all results at once. `problems` collects what had to be
 * repaired or left out. `form` null = recognise.
 */
export function* eachCallback(
  text: string,
  form: CallbackForm | null = null,
  problems: Set<string> = new Set<string>(),
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
 * Finds the callbacks in whatever was pasted, dropped or opened (§2.6), in any form and
 * mixture of forms. `form` overrides the recognition. Never throws; what had to be
 * repaired is in `problems`.
 */
export const parseCallbacks = (
  input: string | Uint8Array,
  form: CallbackForm | null = null,
): ParsedCallbacks => {
  const problems = new Set<string>();
  const decoded = typeof input === 'string' ? { text: input, problem: null } : decodeBytes(input);
  if (decoded.problem !== null) problems.add(decoded.problem);
  const callbacks = [...eachCallback(decoded.text, form, problems)];
  return { form: commonestForm(callbacks), callbacks, problems: [...problems] };
};

/** Whether these fields came with a customer's return (assumption) and not as a callback. */
export const isReturn = (fields: CallbackFields): boolean =>
  !looksLikeCallback(fields) && looksLikeReturn(fields);
