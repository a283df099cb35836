import type { CallbackFields } from '../../../shared/payments/evidence.ts';
import { isKnownName } from '../parameter-spec.ts';
import { looksLikeCallback, plainAmpersands, undoEncoding } from './text.ts';

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
): { fields: CallbackFields | null; end: number } => {
  let fields: CallbackFields = [];
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
        if (separated || !last || !freeText.has(last[0]) || held.length > 4_000 || carries.test(line)) break;
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
          names = new Set();
          complete = false;
          checked = 0;
        }
        const last = fields[fields.length - 1];
        if (held !== '' && last && !seen) last[1] += held;
        else if (held !== '') break;
      }
      fields.push([pair.name, pair.value]);
      names.add(pair.name);
      held = '';
      separated = false;
      done = Math.min(stop + 1, end);
    }
    at = stop + 1;
  }
  if (fields.length > 0) {
    const finished = finish(fields);
    if (looksLikeCallback(finished)) return { fields: finished, end: done };
  }
  return { fields: null, end: Math.max(done, from + 1) };
};

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
