import type { CallbackFields } from '../../../shared/payments/evidence.ts';
import { isRow, readHeader, readRecord, rowFields } from '../forms/csv.ts';
import { opensCurl, readCurl } from '../forms/curl.ts';
import { isBodyLine, pairLine, readAlternating, readLines } from '../forms/lines.ts';
import { opensMultipart, readMultipart } from '../forms/multipart.ts';
import { readFromLine } from '../forms/pairs.ts';
import { opensPrintR, opensVarDump, readPrintR, readVarDump } from '../forms/php-dump.ts';
import { bodyEnd, isRequestLine, readRequest } from '../forms/raw-http.ts';
import { looksLikeCallback, undoEncoding } from '../forms/text.ts';
import { callbacksIn } from '../forms/tree.ts';
import { relabel, type FoundCallback, type Scope } from './scope.ts';

/**
 * Forms that the start or end of a line identifies. Returns where to continue, or null if the line has none of them.
 */
export function* readAtLine(
  scope: Scope,
  at: number,
  stop: number,
  line: string,
): Generator<FoundCallback, number | null> {
  const { reading, text, end, depth, inner, acceptsForm } = scope;
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
    if (header) return yield* readTable(scope, at, header);
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
    // If the block is not a callback, its single lines are not either: skip them.
    reading.linesFrom = read.end;
    return null;
  }
  yield { fields: read.fields, form: 'lines', offset: at };
  return read.end;
}

function* readTable(
  { text, end, inner }: Scope,
  headed: number,
  header: NonNullable<ReturnType<typeof readHeader>>,
): Generator<FoundCallback, number> {
  let at = header.end;
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
