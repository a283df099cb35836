import type { CallbackFields } from '../../../shared/payments/evidence.ts';
import { gapBefore, invisible, knownName, nameToken, shapeEnd } from './shapes.ts';
import { decodeString } from './strings.ts';
import { looksLikeCallback, isNameable, undoEncoding, unescapeHtml } from './text-form.ts';

/**
 * The tolerant reader: any text in which known names stand before their values, in any language and behind any
 * prefix. Values of a strict form (an id, a hash, a date …) show what separates a name from its value (the gap) and a
 * value from the next name (the link); both are then looked for at the other names.
 */

type Token = { name: string; start: number; end: number };
type Hit = Token & { value: number; core: string; pattern: string; quote: string };
type Part = { name: string; written: string; from: number; to: number; quote: string };
type Style = {
  /** The source of a regular expression, with the quotation mark as its group. */
  gap: string;
  /** A pattern; null if values are followed by different texts. */
  link: string | null;
  isQuoted: boolean;
  /** Lengths are printed with the values, which have no escapes. */
  isRaw: boolean;
};
/** A callback with its form, its offset, and the fields as they stand if their escapes are not certain. */
export type Dumped = { fields: CallbackFields; form: 'lines' | 'text'; offset: number } & {
  doubt?: 'uncertain';
  others?: CallbackFields[];
};

const closing: Readonly<Record<string, string>> = { '“': '”', '„': '“', '‘': '’' };
const closeOf = (quote: string): string => closing[quote] ?? quote;
const openQuote = /(?:""|\\"|["'`“”„‘’])?$/;
const anyQuote = String.raw`(\\"|["'\x60“”„‘’])?`;
/** A name as a text may write it. */
const anyName = String.raw`([A-Za-z_][\w.-]*(?:(?:\\_| )[\w.-]+){0,4}(?:\[[^\]\s]{0,60}\])*)`;
/** Limit of one value, and of what separates two, characters. */
const maxValue = 50_000;
const maxGap = 300;
const freeText = new Set(['order_description', 'reason', 'customer_address', 'customer_name']);

// The signs of a pattern: any word with a digit, blanks, a line break, the value's own name.
const [word, blank, feed, self] = ['\ue000', '\ue001', '\ue002', '\ue003'] as const;

/** A separator without its numbers, times and widths: one pattern for all lines. */
const patternOf = (text: string): string =>
  text
    .replace(/\w*\d\w*/g, word)
    .replace(/[ \t\u00a0]+/g, blank)
    .replace(/\r?\n/g, feed);

const sourceOf = (pattern: string, own = ''): string =>
  pattern.replace(/[^]/g, (sign, at: number) => {
    if (sign === word) return String.raw`\w+`;
    if (sign === feed) return String.raw`[ \t]*\r?\n`;
    if (sign === self) return own;
    if (sign !== blank) return sign.replace(/[\\^$.*+?()[\]{}|/-]/, String.raw`\$&`);
    const isLoose = at === 0 || pattern[at - 1] === feed || pattern[at + 1] === feed;
    return String.raw`[ \t\u00a0]` + (isLoose ? '*' : '+');
  });

const tokensOf = (text: string): Token[] =>
  [...text.matchAll(nameToken)].flatMap(({ 0: name, index }): Token[] => {
    // A closing tag, or an attribute of HTML's own.
    if (text.startsWith('</', index - 2) || text.startsWith('="hidden"', index + name.length)) return [];
    const suffix = /^(?:\[\w*\])+/.exec(text.slice(index + name.length, index + name.length + 80))?.[0] ?? '';
    return [
      { name: (knownName(name) ?? name) + suffix, start: index, end: index + name.length + suffix.length },
    ];
  });

/** The names that have a value of their form shortly after them. */
const hitsOf = (text: string, tokens: readonly Token[]): Hit[] =>
  tokens.flatMap((token, index): Hit[] => {
    const gap = token.name === 'order_amount' ? null : gapBefore(token.name, text, token.end);
    const next = tokens[index + 1];
    if (!gap || (next && next.start < token.end + gap.length)) return [];
    const quote = openQuote.exec(gap)?.[0] ?? '';
    const core = gap.slice(0, gap.length - quote.length);
    return [{ ...token, value: token.end + gap.length, core, pattern: patternOf(core), quote }];
  });

const commonest = <T>(items: readonly T[], keyOf: (item: T) => string): T[] => {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()].reduce<T[]>((best, group) => (group.length > best.length ? group : best), []);
};

/** The hits of one callback from number `first` on: those before a name is repeated with the same gap. */
const windowOf = (hits: readonly Hit[], first: number): Hit[] => {
  const seen = new Set<string>();
  const near = hits.slice(first, first + 30);
  const end = near.findIndex(
    ({ name, pattern, start }, at) =>
      start - (near[at - 1]?.value ?? start) > maxValue || seen.size === seen.add(`${name} ${pattern}`).size,
  );
  return commonest(end < 0 ? near : near.slice(0, end), hit => hit.pattern);
};

const lowerBound = (tokens: readonly Token[], at: number): number => {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.start ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
};

const gapSource = ([first, ...others]: readonly Hit[]): string => {
  const pattern = first?.pattern ?? '';
  const blanksOf = (hit: Hit | undefined): string => /[ \t\u00a0]*$/.exec(hit?.core ?? '')?.[0] ?? '';
  const own = blanksOf(first);
  const quote = first?.quote === '""' ? '("")?' : anyQuote;
  if (!pattern.endsWith(blank)) return sourceOf(pattern) + quote;
  // A value may begin with a blank: only as many belong to the gap as all have.
  const blanks = others.every(hit => blanksOf(hit) === own) ? own : String.raw`[ \t\u00a0]+`;
  return String.raw`${sourceOf(pattern.slice(0, -1))}(?:${blanks}|(?=\r?\n|$))${quote}`;
};

/** What separates names and values, by the values of a strict form. */
const styleOf = (text: string, tokens: readonly Token[], hits: readonly Hit[]): Style | null => {
  const pattern = hits[0]?.pattern;
  if (pattern === undefined || hits.length < 2) return null;
  const gap = gapSource(hits);
  const atGap = new RegExp(gap, 'y');
  const links = hits.flatMap((hit): string[] => {
    const end = shapeEnd(hit.name, text, hit.value);
    if (end === null) return [];
    const after = end + (text.startsWith(closeOf(hit.quote), end) ? hit.quote.length : 0);
    const at = lowerBound(tokens, after);
    const next = tokens.slice(at, at + 4).find(token => {
      atGap.lastIndex = token.end;
      return token.start - after <= maxGap && atGap.test(text);
    });
    const own = text.slice(hit.start, hit.end);
    const between = next ? text.slice(after, next.start) : '';
    return between === '' ? [] : [patternOf(between.replaceAll(new RegExp(`\\b${own}\\b`, 'g'), self))];
  });
  const best = commonest(links, link => link);
  return {
    gap,
    link: best.length * 2 > links.length || best.length > 2 ? (best[0] ?? null) : null,
    isQuoted: hits.filter(hit => hit.quote !== '').length * 2 > hits.length,
    isRaw: new RegExp(`string\\(${word}|\\bs:${word}|length=`).test(pattern + (best[0] ?? '')),
  };
};

/** Reads one callback whose first name is token `first`; `bound`: where the next one begins. */
const readRecord = (
  text: string,
  tokens: readonly Token[],
  first: number,
  style: Style,
  bound: number,
): { parts: Part[]; end: number } => {
  const { gap, link, isRaw } = style;
  /** Names that no callback is known to have are read where a text cannot be mistaken for one. */
  const isOpen = style.isQuoted || (/[=>\]]/.test(gap) && new RegExp(`[${feed}&<]`).test(link ?? ''));
  const isSparing =
    !style.isQuoted && (new RegExp(`^${blank}[\\w.]*$`).test(link ?? '') || gap.startsWith(':'));
  const parts: Part[] = [];
  const patterns = new Map<string, RegExp>();
  const atGap = new RegExp(gap, 'y');
  const partAt = (token: Token | undefined): Part | null => {
    atGap.lastIndex = token?.end ?? 0;
    const found = token ? atGap.exec(text) : null;
    const from = atGap.lastIndex;
    if (!token || !found) return null;
    return {
      name: token.name,
      written: text.slice(token.start, token.end),
      from,
      to: from,
      quote: found[1] ?? '',
    };
  };
  /** The part that follows a value which ends at `at` (`y`), or somewhere after it (`g`), by the link. */
  const linked = (part: Part, at: number, flags: 'y' | 'g'): Part | null => {
    if (link === null) return null;
    const close = closeOf(part.quote);
    const key = `${flags}${close} ${link.includes(self) ? part.written : ''}`;
    const pattern =
      patterns.get(key) ?? new RegExp(sourceOf(close) + sourceOf(link, part.written) + anyName + gap, flags);
    patterns.set(key, pattern);
    for (pattern.lastIndex = at; ; pattern.lastIndex++) {
      const found = pattern.exec(text);
      if (!found || found.index >= bound) return null;
      const [whole, written = '', quote = ''] = found;
      const name =
        knownName(written) ?? (isOpen && /^[a-z][\w.-]*(?:\[.*\])*$/.test(written) ? written : null);
      const from = found.index + whole.length;
      if (name !== null) {
        part.to = found.index;
        return { name, written, from, to: from, quote };
      }
      if (flags === 'y') return null;
      pattern.lastIndex = found.index;
    }
  };
  /** The next known name with the gap shortly after a value, if there is no common link. */
  const nearby = (at: number): Part | null => {
    for (let next = lowerBound(tokens, at); next < tokens.length; next++) {
      const token = tokens[next];
      if (!token || token.start >= bound || token.start - at > maxGap) return null;
      const part = partAt(token);
      if (part && !parts.some(({ name }) => name === part.name)) return part;
    }
    return null;
  };
  const closesQuoted = (part: Part): Part | null => {
    const close = closeOf(part.quote);
    const limit = Math.min(bound, part.from + maxValue);
    const isEnd = link === null ? /^(?:\W|$)/ : /^(?:[\s;,]|\(length)*(?:[}\])>/]|\n|$)/;
    for (let at = part.from; at < limit; at++) {
      const isEscape = !isRaw && text.charAt(at) === '\\' && close !== '\\"';
      const next = isEscape || !text.startsWith(close, at) ? null : linked(part, at, 'y');
      if (next) return next;
      const after = text.slice(at + close.length, at + close.length + 80);
      // A string in two pieces; a quote of a shell; a quote that is written twice.
      const joined = /^(?:\s{0,8}(?:[.+]\s{0,8}|\n\s{0,40})[bu]?["']|\\''|""|'')/.exec(after)?.[0];
      if (isEscape) at++;
      else if (!text.startsWith(close, at)) continue;
      else if (after.startsWith(close) && linked(part, at + close.length, 'y'))
        return linked(part, at + close.length, 'y');
      else if (!isRaw && after.startsWith(close)) at += 2 * close.length - 1;
      else if (!isRaw && joined?.endsWith(close) === true) at += joined.length;
      else {
        if (part.to === part.from) part.to = at;
        if (!isEnd.test(after) && shapeEnd(part.name, text, part.from) !== at) continue;
        part.to = at;
        return nearby(at + close.length);
      }
    }
    return null;
  };
  const closesBare = (part: Part): Part | null => {
    const shaped = shapeEnd(part.name, text, part.from);
    const next = linked(part, shaped ?? part.from, shaped === null ? 'g' : 'y');
    if (next) return next;
    const line = text.indexOf('\n', part.from);
    const rest = text.slice(part.from, Math.min(line < 0 ? text.length : line, bound)).replace(/\r$/, '');
    const sign = link?.charAt(0) ?? '';
    const cut = /[&;|<'"]/.test(sign) ? rest.indexOf(sign) : -1;
    part.to = shaped ?? part.from + (cut < 0 ? rest.length : cut);
    return nearby(part.to);
  };
  let end = 0;
  for (let part = partAt(tokens[first]); part && parts.length <= 2_000;) {
    const own: Part = part;
    parts.push(own);
    // Logfmt and YAML quote a value only where they have to.
    const isQuoted = own.quote !== '' && (style.isQuoted || (isSparing && closesQuoted({ ...own }) !== null));
    if (!isQuoted) own.from = own.to -= own.quote.length;
    if (!isQuoted) own.quote = '';
    const next = own.quote === '' ? closesBare(own) : closesQuoted(own);
    end = Math.max(own.to, end);
    const isAgain = next?.name === 'id' || next?.name === parts[0]?.name;
    part = isAgain && parts.some(({ name }) => name === next?.name) ? null : next;
  }
  return { parts, end };
};

/** Each quotation mark that is written twice. */
const undoubled = (value: string, quote: string): string =>
  value.replaceAll(quote + quote, '').includes(quote) ? value : value.replaceAll(quote + quote, quote);

/** The value by the escapes that its quotation marks, or what surrounds it, prove. */
const decoded = (raw: string, { quote }: Part, { gap, link, isRaw }: Style): string => {
  const unescaped = /</.test((link ?? '') + gap) ? unescapeHtml(raw) : raw;
  if (quote === '') {
    if (/^(?:null|none|nil|undefined)$/i.test(raw)) return 'null';
    if (link?.startsWith("'") === true) return unescaped.replaceAll("'\\''", "'");
    return link?.startsWith('"') === true ? unescaped.replace(/\\(["\\$`])/g, '$1') : unescaped;
  }
  if (isRaw) return unescaped;
  const close = closeOf(quote);
  const whole = unescaped
    .replaceAll("'\\''", "'")
    .replace(/(["'])\s{0,8}(?:[.+]\s{0,8}|\n\s{0,40})[bu]?\1/g, sign => (sign.startsWith(close) ? '' : sign));
  const isPhp = close === "'" && gap.includes('=>');
  return decodeString(
    undoubled(whole, close),
    isPhp ? 'php' : close === '"' && gap.includes(':') ? 'json' : 'code',
  );
};

/** A value of a strict form without the line breaks and invisible characters that a program put into it. */
const tidied = (name: string, value: string): string =>
  shapeEnd(name, value, 0) === value.length
    ? value.replace(new RegExp(String.raw`\s*\n[ \t>|]*|${invisible}`, 'g'), '')
    : value;

/**
 * A line of a free text that looks like a parameter: of a name that occurs twice, the earlier one after a free text
 * belongs to it.
 */
const absorb = (parts: Part[]): boolean => {
  const before = parts.length;
  for (let at = 1; at < parts.length; at++) {
    const part = parts[at];
    const owner = parts.findLastIndex(({ name }, index) => index < at && freeText.has(name));
    const own = parts[owner];
    if (
      !part ||
      !own ||
      part.quote !== '' ||
      !parts.some(({ name }, later) => later > at && name === part.name)
    )
      continue;
    own.to = part.to;
    parts.splice(owner + 1, at - owner);
    at = owner;
  }
  return parts.length < before;
};

/** Whether the end or the escaping of a description is not certain. */
const isVague = (raw: string, { quote }: Part, { link }: Style): boolean => {
  if (/\n|\\|&\w{1,8};|&#|["“”„]|''|%[0-9A-F]{2}|=[0-9A-F]{2}|=\r?$/.test(raw)) return true;
  if (quote !== '' || link?.includes(feed) === true) return false;
  const sign = link
    ?.replaceAll(/[\ue000-\ue003]/g, '')
    .trim()
    .charAt(0);
  return sign === undefined || (sign === '' ? /\w[=:]/.test(raw) : raw.includes(sign));
};

/** Every callback in a text whose parameters have their names before them. */
export const readDumps = (text: string): Dumped[] => {
  const tokens = tokensOf(text);
  const hits = hitsOf(text, tokens);
  const found: Dumped[] = [];
  let done = 0;
  for (let at = 0; at < hits.length; at++) {
    const window = windowOf(hits, at);
    const [hit] = window;
    const style = hit && hit.start >= done ? styleOf(text, tokens, window) : null;
    if (!hit || !style) continue;
    // Names before the first value of a strict form.
    let first = lowerBound(tokens, hit.start);
    const gap = new RegExp(style.gap, 'y');
    for (let before = first - 1; before >= 0 && style.link !== null; before--) {
      const [token, next] = tokens.slice(before, before + 1).concat(tokens.slice(first, first + 1));
      if (!token || !next || token.start < done || next.start - token.end > maxValue) break;
      gap.lastIndex = token.end;
      const link = new RegExp(`(?:${sourceOf(style.link, text.slice(token.start, token.end))})$`);
      const isLinked =
        gap.test(text) && link.test(text.slice(Math.max(gap.lastIndex, next.start - 400), next.start));
      if (isLinked) first = before;
    }
    const bounding = new Set(['id', 'hash', 'order_currency', tokens[first]?.name]);
    const seen = new Set<string>();
    const again = hits
      .slice(at, at + 300)
      .filter(({ name, pattern }) => pattern === hit.pattern && bounding.has(name))
      .find(({ name }) => seen.size === seen.add(name).size);
    const { parts, end } = readRecord(text, tokens, first, style, again?.start ?? text.length);
    const hasAbsorbed = absorb(parts);
    const fieldsBy = (valueOf: (part: Part, raw: string) => string): CallbackFields =>
      parts.map(part => [part.name, tidied(part.name, valueOf(part, text.slice(part.from, part.to)))]);
    const fields = fieldsBy((part, raw) => decoded(raw, part, style));
    if (!isNameable(fields) || new Set(fields.map(([name]) => name)).size < 3) continue;
    const own = parts.find(({ name }) => name === 'order_description');
    const isUnsure = own !== undefined && isVague(text.slice(own.from, own.to), own, style);
    found.push({
      fields: undoEncoding(fields).fields,
      form: style.isQuoted || style.link !== feed ? 'text' : 'lines',
      offset: parts[0]?.from ?? 0,
      ...(hasAbsorbed || isUnsure || !looksLikeCallback(fields) ? { doubt: 'uncertain' } : {}),
      ...(isUnsure ? { others: [fieldsBy((_part, raw) => raw)] } : {}),
    });
    done = Math.max(end, done + 1);
  }
  return found;
};
