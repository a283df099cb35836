import type { CallbackFields } from '../../../shared/payments/evidence.ts';
import { isKnownName } from '../parameter-spec.ts';
import { isNameable, looksLikeCallback, plainAmpersands, undoEncoding } from './text-form.ts';

/** One parameter per line, as in the interface's sample (§2.6), and variants of it in e-mails and consoles. */

type PairLine = { name: string; value: string; plain: boolean };

const equalsLine = /^[\s>|*•&\ufeff-]*([A-Za-z_][\w.-]*(?:\[[^\]]*\])*)(?:=|[ \t]+=(?!>))([\s\S]*)$/;
const looseLine =
  /^[\s>|*•-]*["'[:]?([A-Za-z_][\w.-]*(?:\[\w*\])*)["'\]]?(?:(?=\t)|[ \t]*)(=>|=|:|\t|,|;|\|)([\s\S]*)$/;
/** Separators between the two cells of a table's row. */
const isCellSign = (sign: string): boolean => sign === '\t' || sign === ',' || sign === ';' || sign === '|';

const carries = /order_(?:number|amount|id)/;

/** `name=value`, or a known name with another separator. */
export const pairLine = (line: string): PairLine | null => {
  const equals = equalsLine.exec(line);
  if (equals) {
    const [, name = '', value = ''] = equals;
    // `body="{…}"` in a log line is not a parameter of a callback.
    return !isKnownName(name) && carries.test(value) ? null : { name, value, plain: true };
  }
  const loose = looseLine.exec(line);
  const name = loose?.[1];
  if (name === undefined || !isKnownName(name)) return null;
  const [, , sign = '', rest = ''] = loose ?? [];
  return {
    name,
    value: isCellSign(sign) ? cellOf(line, sign, rest) : unquoteLine(rest.trimStart()),
    plain: false,
  };
};

/** The second cell of a row of two, unchanged except for CSV quotes and a table's closing bar. */
const cellOf = (line: string, sign: string, rest: string): string => {
  const cell = sign === '|' && line.trimStart().startsWith('|') ? rest.replace(/\|[ \t]*$/, '') : rest;
  const bare = cell.trim();
  // Inside a quoted cell every quote is doubled; other quotes belong to the value.
  const isQuoted = bare.length > 1 && /^"(?:[^"]|"")*"$/.test(bare);
  return isQuoted ? bare.slice(1, -1).replaceAll('""', '"') : cell;
};

/** `"x",` → `x`; removes a table's closing bar too. */
const unquoteLine = (value: string): string => {
  const bare = value.trimEnd().replace(/[ \t]*[,;|]$/, '');
  const quote = bare.charAt(0);
  if ((quote !== '"' && quote !== "'") || bare.length < 2 || !bare.endsWith(quote)) return bare;
  return bare.slice(1, -1).replaceAll('""', '"').replaceAll(`\\${quote}`, quote).replaceAll('\\\\', '\\');
};

/** Known names after an `&` inside a value. */
const innerNames = (value: string): string[] => {
  if (!value.includes('&')) return [];
  const names: string[] = [];
  for (const part of value.split('&').slice(1)) {
    const equals = part.indexOf('=');
    if (equals > 0 && isKnownName(part.slice(0, equals))) names.push(part.slice(0, equals));
  }
  return names;
};

/** Whether a line contains a complete callback, as a form body does. */
export const isBodyLine = (pair: PairLine): boolean =>
  pair.plain &&
  pair.value.includes('&') &&
  looksLikeCallback([pair.name, ...innerNames(plainAmpersands(pair.value))].map(name => [name, '']));

/** Names whose values may be any text. */
const freeText = new Set(['order_description', 'reason', 'customer_address', 'customer_name']);

/** Names whose values contain no blanks or quotes: surrounding ones are layout. */
const strict = new Set(['id', 'hash', 'type', 'status', 'order_currency', 'order_amount', 'customer_ip']);

const mostValuesMatch = (fields: CallbackFields, holds: (value: string) => boolean): boolean => {
  const checked = fields.filter(([name, value]) => strict.has(name) && value !== '');
  return checked.length > 0 && checked.filter(([, value]) => holds(value)).length * 2 > checked.length;
};

const map = (fields: CallbackFields, change: (value: string) => string): CallbackFields =>
  fields.map(([name, value]) => [name, change(value)]);

/** Removes the layout of the block from the values. */
const finish = (given: CallbackFields): CallbackFields => {
  let fields = given;
  const body = fields.slice(0, -1).filter(([, value]) => value.trimEnd().endsWith('&')).length;
  if (body > 0 && body * 2 >= fields.length - 1) fields = map(fields, value => value.replace(/&[ \t]*$/, ''));
  else {
    const last = fields[fields.length - 1];
    if (last && strict.has(last[0]) && last[1].endsWith('&'))
      fields = [...fields.slice(0, -1), [last[0], last[1].slice(0, -1)]];
  }
  if (fields.some(([, value]) => value.includes('&'))) {
    const names = new Set(fields.map(([name]) => name));
    fields = fields.flatMap(([name, value]): CallbackFields => {
      if (freeText.has(name) || !innerNames(value).some(inner => !names.has(inner))) return [[name, value]];
      const split: CallbackFields = [];
      for (const part of `${name}=${value}`.split('&')) {
        const equals = part.indexOf('=');
        const before = split[split.length - 1];
        const inner = part.slice(0, Math.max(0, equals));
        if (split.length === 0 || (isKnownName(inner) && !names.has(inner)))
          split.push([inner, part.slice(equals + 1)]);
        else if (before) before[1] += `&${part}`;
      }
      return split;
    });
  }
  if (mostValuesMatch(fields, value => value.startsWith('>')))
    fields = map(fields, value => value.replace(/^>[ \t]*/, ''));
  if (mostValuesMatch(fields, value => /[ \t]$/.test(value))) fields = map(fields, value => value.trimEnd());
  if (mostValuesMatch(fields, value => value.startsWith(' ')))
    fields = map(fields, value => (value.startsWith(' ') ? value.slice(1) : value));
  if (mostValuesMatch(fields, value => /^(["'])[\s\S]*\1[,;]?$/.test(value)))
    fields = map(fields, unquoteLine);
  return undoEncoding(
    fields.map(([name, value]) => (strict.has(name) ? [name, value.trim()] : [name, value])),
  ).fields;
};

/** Most lines of one description that look like parameters. */
const maxFalsePairs = 3;

/** Limit of lines per callback: a longer block is not one, and scanning it again must not cost quadratic time. */
const maxLines = 2_000;

/**
 * Reads one callback from the pair line at `from`. Ends where the next callback or other text begins. Null if the
 * lines are not a callback; `end` is then where to continue.
 */
export const readLines = (
  text: string,
  from: number,
  end: number,
): { fields: CallbackFields | null; end: number; isUncertain: boolean } => {
  let fields: CallbackFields = [];
  /** Where the line of each field begins. */
  let starts: number[] = [];
  let isUncertain = false;
  /** Lines of the last free text that look like parameters. */
  let falsePairs = 0;
  let names = new Set<string>();
  /** Whether the names so far make a callback, and for how many names that was checked. */
  let complete = false;
  let checked = 0;
  let held = '';
  let separated = false;
  let at = from;
  let done = from;
  while (at < end && fields.length < maxLines) {
    const found = text.indexOf('\n', at);
    const stop = found < 0 || found > end ? end : found;
    const line = text.slice(at, stop > at && text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop);
    const pair = pairLine(line);
    if (!pair) {
      if (line.trim() === '') separated ||= fields.length > 0;
      else {
        const last = fields[fields.length - 1];
        if (separated || !last || held.length > 4_000 || carries.test(line)) break;
        if (!freeText.has(last[0]) && !undoFalsePairs(text, at, end, fields, starts, names)) break;
        held += `\n${line}`;
      }
    } else {
      const first = fields[0];
      const seen = names.has(pair.name);
      if (first) {
        if (names.size !== checked) {
          complete = looksLikeCallback(fields);
          checked = names.size;
        }
        // A description may contain `&` and names: it is not a form body.
        const isNew = separated || seen || !freeText.has(pair.name);
        if (
          isBodyLine(pair) &&
          isNew &&
          (separated || seen || !innerNames(pair.value).some(name => names.has(name)))
        )
          break;
        const before = fields[fields.length - 1];
        if (
          seen &&
          before &&
          freeText.has(before[0]) &&
          falsePairs < maxFalsePairs &&
          !opensCallback(text, at, end)
        ) {
          falsePairs += 1;
          held += `${separated ? '\n' : ''}\n${line}`;
          isUncertain = true;
          at = stop + 1;
          continue;
        }
        if (complete && seen && (separated || pair.name === first[0] || pair.name === 'id')) {
          if (separated || !standsAlone(text, at, end, names)) break;
        }
        if (
          separated &&
          (!isKnownName(pair.name) || held !== '' || !fields.some(([name]) => isKnownName(name)))
        )
          break;
        if (separated && seen && !complete) {
          fields = [];
          starts = [];
          names = new Set();
          complete = false;
          checked = 0;
        }
        const last = fields[fields.length - 1];
        if (held !== '' && last && !seen) last[1] += held;
        else if (held !== '') break;
      }
      fields.push([pair.name, pair.value]);
      starts.push(at);
      falsePairs = 0;
      names.add(pair.name);
      held = '';
      separated = false;
      done = Math.min(stop + 1, end);
    }
    at = stop + 1;
  }
  if (fields.length > 0) {
    const absorbed = absorbFalsePairs(text, fields, starts);
    const finished = finish(absorbed ?? fields);
    if (isNameable(finished))
      return { fields: finished, end: done, isUncertain: isUncertain || absorbed !== null };
  }
  return { fields: null, end: Math.max(done, from + 1), isUncertain: false };
};

/** Lines that are read ahead to tell a new callback from a line of a description. */
const maxLinesAhead = 60;

/** The names on the lines from `from` on, up to the first one that is repeated. */
const namesAhead = (text: string, from: number, end: number): Set<string> => {
  const names = new Set<string>();
  let at = from;
  for (let lines = 0; at < end && lines < maxLinesAhead; lines++) {
    const found = text.indexOf('\n', at);
    const stop = found < 0 || found > end ? end : found;
    const pair = stop - at > 4_000 ? null : pairLine(text.slice(at, stop).trimEnd());
    if (pair && names.has(pair.name)) break;
    if (pair) names.add(pair.name);
    at = stop + 1;
  }
  return names;
};

/** Whether the lines from `at` on are a callback without those before them. */
const opensCallback = (text: string, at: number, end: number): boolean => {
  const names = namesAhead(text, at, end);
  return names.has('order_number') || names.has('order_amount') || names.has('order_currency');
};

/**
 * A line that is no pair, after pairs after a free text: if each of those names follows once more, all of these lines
 * belong to the text. Removes the pairs, adds their lines to the text, and returns whether it did.
 */
const undoFalsePairs = (
  text: string,
  at: number,
  end: number,
  fields: CallbackFields,
  starts: number[],
  names: Set<string>,
): boolean => {
  let owner = fields.length - 2;
  while (owner >= 0 && !freeText.has(fields[owner]?.[0] ?? '')) owner--;
  const own = fields[owner];
  const falsePairs = fields.slice(owner + 1);
  if (!own || falsePairs.length > maxFalsePairs) return false;
  const ahead = namesAhead(text, at, end);
  if (!falsePairs.every(([name]) => ahead.has(name))) return false;
  own[1] += `\n${plainLines(text.slice(starts[owner + 1], at))}`;
  fields.splice(owner + 1);
  starts.splice(owner + 1);
  for (const [name] of falsePairs) names.delete(name);
  return true;
};

const plainLines = (text: string): string => text.replaceAll('\r\n', '\n').replace(/\n$/, '');

/**
 * A parameter after a free text that occurs once more with another value was a line of that text. Null if there is
 * none.
 */
const absorbFalsePairs = (
  text: string,
  fields: CallbackFields,
  starts: readonly number[],
): CallbackFields | null => {
  const last = new Map(fields.map(([name, value], index) => [name, { index, value }]));
  if (last.size === fields.length) return null;
  const kept: CallbackFields = [];
  for (const [index, [name, value]] of fields.entries()) {
    const owner = kept[kept.length - 1];
    const later = last.get(name);
    if (owner && freeText.has(owner[0]) && later && later.index > index && later.value !== value)
      owner[1] += `${blankBefore(text, starts[index] ?? 0)}\n${name}=${value}`;
    else kept.push([name, value]);
  }
  return kept.length < fields.length ? kept : null;
};

/** The blank line before a line, if there is one. */
const blankBefore = (text: string, at: number): string =>
  /\n\r?\n$/.test(text.slice(Math.max(0, at - 3), at)) ? '\n' : '';

/** A name repeated on the last lines of a block was added by a person: it is a repeat, not a new callback. */
const standsAlone = (text: string, from: number, end: number, before: ReadonlySet<string>): boolean => {
  let at = from;
  let lines = 0;
  const names = new Set<string>();
  while (at < end && lines < 4) {
    const found = text.indexOf('\n', at);
    const stop = found < 0 || found > end ? end : found;
    const pair = pairLine(text.slice(at, stop).trimEnd());
    if (!pair) break;
    if (names.has(pair.name)) break;
    names.add(pair.name);
    lines++;
    at = stop + 1;
  }
  return lines < 4 && lines < before.size && !looksLikeCallback([...names].map(name => [name, '']));
};

/**
 * Reads one callback with names and values on alternating lines, as copied from browsers. Null if the line at `from`
 * does not begin one.
 */
export const readAlternating = (
  text: string,
  from: number,
  end: number,
): { fields: CallbackFields; end: number } | null => {
  let at = from;
  const next = (): string | null => {
    if (at >= end) return null;
    const found = text.indexOf('\n', at);
    const stop = found < 0 || found > end ? end : found;
    const line = text.slice(at, stop > at && text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop);
    at = stop + 1;
    return line;
  };
  const nameIn = (line: string | null): string | null => {
    const name = line === null || line.length > 100 ? '' : line.trim().replace(/:$/, '');
    return isKnownName(name) ? name : null;
  };
  const fields: CallbackFields = [];
  const names = new Set<string>();
  let name = nameIn(next());
  let done = from;
  while (name !== null && !names.has(name) && fields.length < maxLines) {
    names.add(name);
    const value = next();
    const afterValue = at;
    let following = nameIn(next());
    // Two names in a row: the value between them is empty, unless the second is a value that equals a name.
    if (following === null && nameIn(value) !== null) {
      fields.push([name, '']);
      following = nameIn(value);
      at = afterValue;
    } else fields.push([name, value ?? '']);
    done = following === null ? afterValue : at;
    name = following;
  }
  const trimmed = fields.map(([field, value]): [string, string] => [
    field,
    strict.has(field) ? value.trim() : value,
  ]);
  return looksLikeCallback(trimmed)
    ? { fields: undoEncoding(trimmed).fields, end: Math.min(done, end) }
    : null;
};
