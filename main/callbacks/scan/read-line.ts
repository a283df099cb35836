import type { CallbackFields } from '../../../shared/payments/evidence.ts';
import { isRow, readHeader, readRecord, rowFields } from '../forms/csv-form.ts';
import { opensCurl, readCurl } from '../forms/curl.ts';
import { isBodyLine, pairLine, readAlternating, readLines } from '../forms/lines.ts';
import { readGoMap } from '../forms/go-map.ts';
import { opensMultipart, readMultipart } from '../forms/multipart.ts';
import { readFromLine } from '../forms/pairs.ts';
import { opensPrintR, opensVarDump, readPrintR, readVarDump } from '../forms/php-dump.ts';
import { opensPowerShell, readPowerShell } from '../forms/powershell.ts';
import { bodyEnd, isRequestLine, joinChunks, readRequest } from '../forms/raw-http.ts';
import { isNameable, looksLikeCallback, undoEncoding } from '../forms/text-form.ts';
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
    const chunked = request.chunked ? joinChunks(text, request) : null;
    let found: CallbackFields[] = query && /^[> \t]*GET /.test(line) ? [query.fields] : [];
    let bodyStop = found.length > 0 ? request.body : request.end;
    if (found.length === 0 && chunked) {
      found = inner(chunked.body);
      if (found.length > 0) bodyStop = chunked.end;
    }
    if (found.length === 0 && stated !== null && stated < request.end) {
      found = inner(text.slice(request.body, stated));
      if (found.length > 0) bodyStop = stated;
    }
    if (found.length === 0) found = inner(text.slice(request.body, request.end));
    if (found.length === 0 && query) found = [query.fields];
    yield* relabel('raw-http', found, at);
    return Math.max(bodyStop, at + 1);
  }
  if (at >= reading.commandsFrom) {
    const end = yield* readCommand(scope, at, line);
    if (end !== null) return end;
  }
  if (acceptsForm('go-map') && line.includes('map[')) {
    const read = readGoMap(line);
    if (read && looksLikeCallback(read.fields)) {
      const isWhole = line.slice(0, read.at).trim() === '' && line.slice(read.end).trim() === '';
      yield { fields: read.fields, form: reading.only ?? (isWhole ? 'go-map' : 'log-line'), offset: at };
      return stop;
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
  const isPrintR = acceptsForm('php-print-r') && opensPrintR(text, at, end);
  const isEntry =
    acceptsForm('php-print-r') && at >= reading.entriesFrom && /^\s*\[[\w:[\]]{1,200}\] => /.test(line);
  if (isPrintR || isEntry) {
    const read = readPrintR(text, at, end);
    const found = callbacksIn(read.tree, inner);
    yield* relabel('php-print-r', found, at);
    if (found.length > 0 || isPrintR) return read.end;
    // Fewer of these entries are no callback either.
    reading.entriesFrom = read.end;
  }
  if (acceptsForm('php-var-dump') && opensVarDump(line)) {
    const start = at + Math.max(0, line.search(/(?:array\(\d|object\()/));
    const read = readVarDump(text, start, end);
    if (read) {
      yield* relabel('php-var-dump', callbacksIn(read.tree, inner), at);
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
      const form = isNameable(read.fields) ? (read.whole ? 'urlencoded' : 'log-line') : 'return-url';
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
  const doubt = read.isUncertain ? { doubt: 'uncertain' as const } : {};
  yield { fields: read.fields, form: 'lines', offset: at, ...doubt };
  return read.end;
}

/** A command that sends a callback. Returns where to continue, or null if none begins on the line. */
function* readCommand(
  { reading, text, end, inner, acceptsForm }: Scope,
  at: number,
  line: string,
): Generator<FoundCallback, number | null> {
  const form =
    acceptsForm('curl') && opensCurl(line)
      ? 'curl'
      : acceptsForm('powershell') && opensPowerShell(line)
        ? 'powershell'
        : null;
  if (form === null) return null;
  const read = form === 'curl' ? readCurl(text, at, end, line) : readPowerShell(text, at, end);
  // The same text must not be read again from each of its lines.
  reading.commandsFrom = read.end;
  const found = isNameable(read.fields) ? [read.fields] : read.bodies.flatMap(inner);
  for (const fields of found) yield { fields, form: isNameable(fields) ? form : 'return-url', offset: at };
  return found.length > 0 ? Math.max(read.end, at + 1) : null;
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
