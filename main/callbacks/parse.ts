import { decodeBytes } from '../../shared/callbacks/callback-file.ts';
import type { Doubt } from '../../shared/callbacks/inspection.ts';
import { msg, type Message } from '../../shared/messages/message.ts';
import type { CallbackFields, CallbackForm } from '../../shared/payments/evidence.ts';
import { certainCarriers, possibleCarriers } from './forms/carriers.ts';
import { readDumps } from './forms/dump.ts';
import { readJson } from './forms/json.ts';
import { opensMultipart, readMultipart } from './forms/multipart.ts';
import { bodiesIn, readPairs } from './forms/pairs.ts';
import { doubtOf, shapeless } from './forms/shapes.ts';
import { readTable } from './forms/table.ts';
import {
  isNameable,
  looksLikeCallback,
  looksLikeReturn,
  undoEncoding,
  wellFormed,
} from './forms/text-form.ts';
import { callbacksIn } from './forms/tree.ts';

/** Complete HTTP requests, as in dumps and proxy logs. */

const requestLine = /^[> \t]*(?:POST|PUT|PATCH) \S{1,8192} HTTP\/\d(?:\.\d)?[ \t]*\r?$/;
const nextMessage =
  /^[> \t]*(?:(?:GET|POST|PUT|PATCH|HEAD|DELETE|OPTIONS) \S{1,8192} HTTP\/\d|[< \t]*HTTP\/\d(?:\.\d)? \d{3})/gm;

const lineEnd = (text: string, at: number, end: number): number => {
  const found = text.indexOf('\n', at);
  return found < 0 || found > end ? end : found;
};

/** Whether this line is the request line (RFC 9112) of a request with a body. */
const isRequestLine = (line: string): boolean => requestLine.test(line);

/** The body of the request at `from`: by its length, by its chunks, or up to the next message. */
const requestBody = (text: string, from: number, end: number): { body: string; end: number } => {
  let at = lineEnd(text, from, end) + 1;
  let length: number | null = null;
  let isChunked = false;
  while (at < end) {
    const stop = lineEnd(text, at, end);
    const line = text
      .slice(at, stop)
      .replace(/^[> \t]+/, '')
      .trimEnd();
    const header = /^([A-Za-z0-9-]+):[ \t]*(.*)$/.exec(line);
    if (line !== '' && !header) break;
    at = stop + 1;
    if (!header) break;
    const [, name = '', value = ''] = header;
    if (/^content-length$/i.test(name) && /^\d{1,9}$/.test(value)) length = Number(value);
    if (/^transfer-encoding$/i.test(name)) isChunked = /chunked/i.test(value);
  }
  const start = Math.min(at, end);
  nextMessage.lastIndex = start;
  const stop = Math.min(nextMessage.exec(text)?.index ?? end, end);
  const sent = text.slice(start, stop);
  if (isChunked) return { body: joinChunks(sent), end: stop };
  const body = length === null ? sent : Buffer.from(sent).subarray(0, length).toString('utf8');
  return { body, end: start + body.length };
};

const chunkSize = /^([0-9a-f]{1,8})[ \t]*(?:;[^\n]*)?\r?$/i;

/**
 * A chunked body in one piece (RFC 9112). Where the line ends were changed by a copy, the sizes are wrong: every line
 * that is a size is then left out.
 */
const joinChunks = (sent: string): string => {
  const bytes = Buffer.from(sent);
  let body = '';
  for (let at = 0; at < bytes.length;) {
    const feed = bytes.indexOf(10, at);
    const head = bytes.toString('latin1', at, feed < 0 ? bytes.length : feed);
    const size = Number.parseInt(chunkSize.exec(head)?.[1] ?? '', 16);
    const close = at + head.length + 1 + size;
    if (size === 0) return body;
    if (!(close <= bytes.length) || (bytes[close] ?? 13) !== 13) break;
    body += bytes.toString('utf8', at + head.length + 1, close);
    at = bytes.indexOf(10, close) + 1 || bytes.length;
  }
  const lines = sent.split('\n');
  return lines.filter(line => !chunkSize.test(line)).join('\n');
};

/** A callback found in a text, with its form and offset (UTF-16 units from the start). */
export type FoundCallback = {
  fields: CallbackFields;
  form: CallbackForm;
  offset: number;
  /** Why the fields may not be what was sent; absent = they are. */
  doubt?: Doubt;
  /** Other readings of the same text: the signature shows which one is right. */
  others?: CallbackFields[];
};

export type ParsedCallbacks = {
  /** The most frequent form; null if none was found. */
  form: CallbackForm | null;
  callbacks: FoundCallback[];
  problems: Message[];
};

/** Nesting limit, levels: a body in a body is read up to here. */
const maxDepth = 6;
/** Limits of reading one text again without what carried it: characters in all, and readings. */
const maxRereadChars = 2_000_000;
const maxReadings = 60;

/** State of one parse: the remaining characters for values that are not JSON keep hostile input linear. */
type Budget = { chars: number };

const inside = (text: string, depth: number, budget: Budget): CallbackFields[] =>
  depth >= maxDepth ? [] : readAll(text, depth + 1, budget).map(found => found.fields);

/** The callbacks in form bodies and queries of a line. */
const readBodies = (line: string, at: number, depth: number, budget: Budget): FoundCallback[] =>
  [...bodiesIn(line)].flatMap(({ body, at: start }): FoundCallback[] => {
    const { fields } = undoEncoding(readPairs(body));
    const last = fields[fields.length - 1];
    if (last?.[0] === 'hash') last[1] = last[1].replace(/[)\]},.;]+$/, '');
    if (isNameable(fields)) return [{ fields, form: 'urlencoded', offset: at + start }];
    if (looksLikeReturn(fields)) return [{ fields, form: 'return-url', offset: at + start }];
    // An address that a mail filter wrapped.
    return fields.flatMap(([, value]) =>
      /[&?]/.test(value) && value.includes('=')
        ? inside(value, depth, budget).map((inner): FoundCallback => ({
            fields: inner,
            form: 'return-url',
            offset: at + start,
          }))
        : [],
    );
  });

/** One reading of a text: the exact forms first, then what is left of it by names. */
const readAll = (text: string, depth: number, budget: Budget): FoundCallback[] => {
  const found: FoundCallback[] = [];
  /** The parts that were read, in order. */
  const spans: [from: number, to: number][] = [];
  const inner = (part: string): CallbackFields[] => inside(part, depth, budget);
  const add = (all: CallbackFields[], form: CallbackForm, from: number, to: number): boolean => {
    for (const fields of all)
      found.push({ fields, form: isNameable(fields) ? form : 'return-url', offset: from });
    if (all.length > 0) spans.push([from, to]);
    return all.length > 0;
  };
  const structure = /\{\s*"|\[\s*[[{"]/g;
  let open = structure.exec(text);
  for (let at = 0; at < text.length;) {
    const feed = text.indexOf('\n', at);
    const stop = feed < 0 ? text.length : feed;
    const line = text.slice(at, stop);
    if (isRequestLine(line.slice(0, 9_000))) {
      const { body, end } = requestBody(text, at, text.length);
      if (add(inner(body), 'raw-http', at, end)) {
        at = Math.max(end, at + 1);
        continue;
      }
    }
    if (opensMultipart(text, at)) {
      const { fields, end } = readMultipart(text, at, text.length);
      const bodies = looksLikeCallback(fields)
        ? [fields]
        : fields.flatMap(([, value]) => (value.includes('order_number') ? inner(value) : []));
      if (add(bodies, 'multipart', at, end)) {
        at = Math.max(end, at + 1);
        continue;
      }
    }
    const table = /order_/i.test(line) ? readTable(text, at, stop) : null;
    if (table) {
      for (const row of table.rows) {
        add([row.fields], 'text', row.at, row.at);
        // A spreadsheet takes away zeros before a number.
        const last = found[found.length - 1];
        if (last && row.fields.some(([name, value]) => name === 'order_number' && /^\d+$/.test(value)))
          last.doubt = 'uncertain';
      }
      spans.push([at, table.end]);
      at = Math.max(table.end, at + 1);
      continue;
    }
    let next = at;
    // The next bracket is searched once, not from each line.
    for (; open && open.index < stop && budget.chars > 0; open = structure.exec(text)) {
      if (open.index < next) continue;
      const { tree, end } = readJson(text, open.index, text.length);
      if (tree && add(callbacksIn(tree, inner), 'json', open.index, end)) next = end;
      else if (!tree) budget.chars -= end - open.index;
      structure.lastIndex = tree ? end : open.index + 1;
    }
    if (next > at) {
      at = next;
      continue;
    }
    for (const body of readBodies(line, at, depth, budget)) {
      found.push(body);
      spans.push([at, stop]);
    }
    at = stop + 1;
  }
  let from = 0;
  for (const [start, to] of [...spans, [text.length, text.length] as const]) {
    const part = text.slice(from, start);
    if (start - from > 40)
      for (const callback of readDumps(part)) found.push({ ...callback, offset: from + callback.offset });
    from = Math.max(from, to);
  }
  return found
    .sort((one, other) => one.offset - other.offset)
    .map(({ doubt, fields: given, ...rest }) => {
      const fields = wellFormed(given);
      const why = doubt ?? doubtOf(fields, rest.form);
      return { ...rest, fields, ...(why === null ? {} : { doubt: why }) };
    });
};

const isWhole = (found: readonly FoundCallback[]): boolean =>
  found.length > 0 && found.every(({ doubt }) => doubt === undefined);

/** Exactly read: no other reading of the text is possible. */
const isSettled = (found: readonly FoundCallback[]): boolean =>
  isWhole(found) && found.every(({ form }) => exactForms.has(form) || form === 'return-url');

/** The readings of a text under what may carry it, the first one as it is. */
const readingsOf = (text: string, budget: Budget): FoundCallback[][] => {
  const bare = certainCarriers.reduce((given, undo) => undo(given) ?? given, text);
  const readings = [readAll(bare, 0, budget)];
  if (bare !== text && readings[0]?.length === 0) readings.push(readAll(text, 0, budget));
  if (text.length > maxRereadChars || isSettled(readings[0] ?? [])) return readings;
  // Another reading is possible, though this one is whole.
  const maxRereads = isWhole(readings[0] ?? []) ? 1 : 3;
  const queue: [text: string, depth: number][] = [[bare, 0]];
  const seen = new Set([bare, text]);
  let chars = text.length;
  for (let at = 0; at < queue.length; at++) {
    const [given, depth] = queue[at] ?? ['', 0];
    for (const undo of possibleCarriers) {
      const rewritten = undo(given);
      if (rewritten === null || seen.has(rewritten) || seen.size > maxReadings || chars > maxRereadChars)
        continue;
      seen.add(rewritten);
      chars += rewritten.length;
      const found = readAll(rewritten, 0, budget);
      readings.push(found.map(callback => ({ ...callback, offset: Math.min(callback.offset, text.length) })));
      if (depth + 1 < maxRereads && !isWhole(found)) queue.push([rewritten, depth + 1]);
    }
  }
  return readings;
};

/** The hash of a callback with its number among those with the same one. */
const keysOf = (found: readonly FoundCallback[]): string[] => {
  const counts = new Map<string, number>();
  return found.map(({ fields }) => {
    const hash = fields.find(([name]) => name === 'hash')?.[1] ?? '';
    counts.set(hash, (counts.get(hash) ?? 0) + 1);
    return `${hash} ${counts.get(hash) ?? 0}`;
  });
};

const signedOf = (fields: CallbackFields): string =>
  JSON.stringify(fields.filter(([name]) => /^(?:id|hash|order_\w+)$/.test(name)));

const exactForms: ReadonlySet<CallbackForm> = new Set(['json', 'urlencoded', 'multipart', 'raw-http']);

/** How much a reading is to be trusted: what is signed has its form, and the text has one form only. */
const trustIn = (found: readonly FoundCallback[]): number =>
  found.reduce(
    (sum, { fields, form, doubt }) =>
      sum + (shapeless(fields) !== null ? 0 : exactForms.has(form) ? 3 : doubt === undefined ? 2 : 1),
    0,
  );

/** The reading to be trusted most, with what the others read at the same hash. */
const bestOf = (readings: readonly FoundCallback[][]): FoundCallback[] => {
  const [first = []] = readings;
  let best = first;
  for (const found of readings) if (trustIn(found) > trustIn(best) || best.length === 0) best = found;
  const keys = keysOf(best);
  return best.map((callback, at) => {
    const others = new Map((callback.others ?? []).map(fields => [signedOf(fields), fields]));
    const own = signedOf(callback.fields);
    for (const found of readings)
      if (found !== best)
        keysOf(found).forEach((key, index) => {
          const one = key === keys[at] ? found[index] : undefined;
          for (const fields of one ? [one.fields, ...(one.others ?? [])] : [])
            others.set(signedOf(fields), fields);
        });
    others.delete(own);
    if (others.size === 0) return callback;
    return { ...callback, doubt: callback.doubt ?? 'uncertain', others: [...others.values()] };
  });
};

/** A form that the user selected is read without checking that it looks like a callback. */
const readInsisted = (text: string, form: CallbackForm): CallbackFields | null => {
  const trimmed = text.trim();
  const query = form === 'return-url' ? trimmed.replace(/^[^?]*\?/, '').replace(/#.*$/, '') : trimmed;
  if (form !== 'urlencoded' && form !== 'return-url' && form !== 'lines') return null;
  const fields = readPairs(form === 'lines' ? query.replace(/\r?\n/g, '&') : query.replace(/[\r\n]+/g, ''));
  return fields.some(([, value]) => value !== '') ? fields : null;
};

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
  const { text, problem } = typeof input === 'string' ? { text: input, problem: null } : decodeBytes(input);
  const budget: Budget = { chars: 4 * text.length + 1_000_000 };
  let callbacks = bestOf(readingsOf(text, budget));
  if (form !== null) {
    callbacks = callbacks.filter(callback => callback.form === form);
    const fields = callbacks.length > 0 ? null : readInsisted(text, form);
    if (fields) callbacks = [{ fields, form, offset: 0, doubt: 'uncertain' }];
  }
  const problems = problem === null ? [] : [problem];
  if (budget.chars <= 0) problems.push(msg('inspection.damaged'));
  return { form: commonestForm(callbacks), callbacks, problems };
};

/** Whether these fields came with a customer's return (assumption) and not as a callback. */
export const isReturn = (fields: CallbackFields): boolean => !isNameable(fields) && looksLikeReturn(fields);
