import type { CallbackFields } from '../../../shared/payments/evidence.ts';
import { isKnownName } from '../parameter-spec.ts';
import { readLogfmt } from './logfmt.ts';
import {
  isNameable,
  looksLikeCallback,
  looksLikeReturn,
  percentDecode,
  plainAmpersands,
  undoEncoding,
} from './text-form.ts';

/** `name=value&name=value` bodies, and lines with pairs in looser notations. */

/**
 * Reads a form body. With `encoded` false, `+` and `%` stay unchanged, and a part without `=` belongs to the value
 * before it, since a description may contain `&`.
 */
export const readPairs = (text: string, encoded: boolean): CallbackFields =>
  encoded ? readEncodedPairs(text) : readPlainPairs(text);

/** One pass without intermediate lists: this is the receiver's hot path. */
const readEncodedPairs = (text: string): CallbackFields => {
  const pairs: CallbackFields = [];
  for (let from = 0; from <= text.length;) {
    const ampersand = text.indexOf('&', from);
    const to = ampersand < 0 ? text.length : ampersand;
    const equals = text.indexOf('=', from);
    if (equals > from && equals < to) {
      pairs.push([
        percentDecode(text.slice(from, equals), true),
        percentDecode(text.slice(equals + 1, to), true),
      ]);
    } else if (to > from) pairs.push([percentDecode(text.slice(from, to), true), '']);
    from = to + 1;
  }
  return pairs;
};

const readPlainPairs = (text: string): CallbackFields => {
  const pairs: CallbackFields = [];
  for (const part of text.split('&')) {
    const equals = part.indexOf('=');
    const last = pairs[pairs.length - 1];
    if (equals > 0 && /^[\w.[\]-]+$/.test(part.slice(0, equals)))
      pairs.push([part.slice(0, equals), part.slice(equals + 1)]);
    else if (last) last[1] += `&${part}`;
  }
  return pairs;
};

/** A form body never contains a blank or a quote; either one proves that it was not encoded. */
const isEncoded = (text: string): boolean => !/[ "]/.test(text);

const endOfRun = /["'\s<>`]|\\["nr]/g;

/** The form body around `at` in a line: from its first name to the first character it cannot contain. */
const runAround = (line: string, at: number, spaced: boolean): string => {
  let from = at;
  while (from > 0 && !/[\s"'?{(<>`,;]/.test(line.charAt(from - 1))) from--;
  // A label such as `body=` or `data:` before the first pair is not part of it.
  const label = /^(?:[\w.-]+[:=])(?=[\w.[\]-]+=)/.exec(line.slice(from, at + 1 + 80));
  if (label) from += label[0].length;
  const opener = line.charAt(from - 1);
  if (spaced) {
    const close = opener === '"' || opener === "'" || opener === '`' ? line.indexOf(opener, at) : -1;
    return line.slice(from, close < 0 ? line.length : close);
  }
  endOfRun.lastIndex = at;
  const found = endOfRun.exec(line);
  return line.slice(from, found ? found.index : line.length);
};

/** `whole`: the pairs fill the line; `at`: where they begin in it. */
export type LineCallback = { fields: CallbackFields; whole: boolean; at: number };

type Hit = { name: string; start: number; value: number; separator: string };

const nameToken = /[A-Za-z_]\w*(?:\[\w*\])*/g;
const afterName = /["'\]]?\s{0,3}(?:=>|[=:])\s{0,3}/y;
const beforeName = /(?:\\r\\n|\\n|[&,;|\t ]+)[["'{(:\s]*$/;

/** Known names of the line that are followed by `=`, `:` or `=>`, with the character before each. */
const hitsIn = (line: string): Hit[] => {
  const hits: Hit[] = [];
  nameToken.lastIndex = 0;
  for (let found = nameToken.exec(line); found && hits.length < 2_000; found = nameToken.exec(line)) {
    let name = found[0];
    let start = found.index;
    // `\norder_number`: the n belongs to the escape.
    if (
      line.charAt(start - 1) === '\\' &&
      name.length > 1 &&
      /^[nrt]/.test(name) &&
      isKnownName(name.slice(1))
    ) {
      name = name.slice(1);
      start++;
    }
    if (!isKnownName(name)) continue;
    afterName.lastIndex = start + name.length;
    const sign = afterName.exec(line);
    if (!sign) continue;
    const before = beforeName.exec(line.slice(Math.max(0, start - 12), start));
    hits.push({ name, start, value: afterName.lastIndex, separator: before ? before[0] : '' });
  }
  return hits;
};

const commonest = (hits: readonly Hit[]): string => {
  const counts = new Map<string, number>();
  for (const hit of hits.slice(1)) counts.set(hit.separator, (counts.get(hit.separator) ?? 0) + 1);
  let best = '';
  let most = 0;
  for (const [separator, count] of counts)
    if (count > most) {
      best = separator;
      most = count;
    }
  return best;
};

const closing: Readonly<Record<string, string>> = {
  '{': '}',
  '[': ']',
  '(': ')',
  '"': '"',
  "'": "'",
  '<': '>',
};

const unquote = (value: string): string => {
  const quote = value.charAt(0);
  if ((quote === '"' || quote === "'") && value.length > 1 && value.endsWith(quote))
    return value.slice(1, -1).replaceAll(`\\${quote}`, quote).replaceAll('\\\\', '\\');
  return value;
};

/**
 * Pairs separated by something other than `&`: `id=x, order_number=y`, logfmt, Go's and Java's maps, a collapsed
 * print_r.
 */
const readLoose = (line: string, all: readonly Hit[]): CallbackFields => {
  const separator = commonest(all);
  if (separator === '') return [];
  const hits = all.filter((hit, at) => at === 0 || hit.separator === separator);
  const first = hits[0];
  if (!first) return [];
  // A quotation mark before a blank closed a text, and one that the name has on both sides belongs to it.
  const head = line
    .slice(0, first.start)
    .replace(/["']$/, quote => (/^["']/.test(line.slice(first.start + first.name.length)) ? '' : quote));
  const opener = /(?:[[{(<]\s*|["'])$/.exec(head)?.[0].charAt(0) ?? '';
  const fields: CallbackFields = hits.map((hit, at) => {
    const next = hits[at + 1];
    if (next) return [hit.name, line.slice(hit.value, next.start - separator.length)];
    let tail = line.slice(hit.value);
    const close = opener === '' ? -1 : tail.lastIndexOf(closing[opener] ?? '');
    if (close >= 0) tail = tail.slice(0, close);
    else if (hit.name === 'hash') tail = /^["']?[^\s"'\])},;&\\]*["']?/.exec(tail)?.[0] ?? tail;
    return [hit.name, tail.trimEnd()];
  });
  const wrapped = fields.every(([, value]) => value.startsWith('[') && value.endsWith(']'));
  return fields.map(([name, value]) => [name, unquote(wrapped ? value.slice(1, -1) : value)]);
};

const hasPairs = (fields: CallbackFields): boolean => isNameable(fields) || looksLikeReturn(fields);

/** The callback in a line of logfmt, in which a value may contain an entity of HTML. */
const logfmtIn = (line: string, hits: readonly Hit[]): CallbackFields | null => {
  const first = hits[0];
  const last = hits[hits.length - 1];
  const fields = first && last ? readLogfmt(line, first.start, last.start) : null;
  return fields && looksLikeCallback(fields) ? undoEncoding(fields).fields : null;
};

/** Reads the callback inside one line: a query, a quoted body, or pairs in another notation. Null if there is none. */
export const readFromLine = (given: string): LineCallback | null => {
  const line = plainAmpersands(given);
  const hits = hitsIn(line);
  const first = hits[0];
  if (!first || hits.length < 2) return returnUrlIn(line);
  const last = hits[hits.length - 1] ?? first;
  const logfmt = logfmtIn(given, given === line ? hits : hitsIn(given));
  if (logfmt) return { fields: logfmt, whole: false, at: first.start };
  const ampersands = hits.filter(hit => hit.separator.startsWith('&')).length;
  if (ampersands > 0 && ampersands >= (hits.length - 1) / 2) {
    const start = hits.find((_, at) => hits[at + 1]?.separator.startsWith('&') ?? at > 0) ?? first;
    const spaced = !isEncoded(line.slice(start.start, last.value));
    const run = runAround(line, start.start, spaced);
    const { fields } = undoEncoding(readPairs(run, isEncoded(run)));
    if (hasPairs(fields)) return { fields, whole: run.length >= line.trim().length, at: line.indexOf(run) };
  }
  const loose = undoEncoding(readLoose(line, hits)).fields;
  return looksLikeCallback(loose) ? { fields: loose, whole: false, at: first.start } : null;
};

const returnName = /(?<=^|[?&"'\s])(?:payment_id|trans_id|order_id|hash)=/;

/** A return URL anywhere in the line: `…?payment_id=…&hash=…`. */
const returnUrlIn = (line: string): LineCallback | null => {
  const found = returnName.exec(line);
  if (!found) return null;
  const run = runAround(line, found.index, false).replace(/#.*$/, '');
  const fields = readPairs(run, true);
  return hasPairs(fields) ? { fields, whole: run.length >= line.trim().length, at: line.indexOf(run) } : null;
};

const marker = /order_number%(?:25){0,3}3D/i;

/** A body that was encoded a second time: `id%3D…%26order_number%3D…`. Returns it with one layer removed. */
export const peelEncodedBody = (line: string): string | null => {
  const found = marker.exec(line);
  if (!found) return null;
  let from = found.index;
  let to = from;
  while (from > 0 && /[\w.*%+-]/.test(line.charAt(from - 1))) from--;
  while (to < line.length && /[\w.*%+-]/.test(line.charAt(to))) to++;
  return percentDecode(line.slice(from, to), false);
};
