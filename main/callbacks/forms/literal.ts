import { decodeString, type Dialect, type Quoted } from './literal-strings.ts';

/**
 * One tolerant parser for printed maps: JSON, JavaScript's inspect, PHP's var_export and short arrays, Python's dicts
 * and pair lists, Ruby's hashes. They share a grammar: brackets, `key separator value`, quoted strings. Only the
 * string escapes differ, so strings are kept raw until the dialect is known.
 */
export type Tree =
  | { kind: 'text'; text: string }
  | { kind: 'map'; entries: [string, Tree][] }
  | { kind: 'list'; items: Tree[] };

type Raw =
  | { kind: 'quoted'; parts: Quoted[] }
  | { kind: 'bare'; text: string }
  | { kind: 'group'; open: string; items: { key: Raw | null; value: Raw }[] };

type Traits = {
  arrow: boolean;
  round: boolean;
  square: boolean;
  bareKey: boolean;
  single: boolean;
  double: boolean;
};

export type LiteralForm = 'json' | 'php-var-export' | 'python-dict' | 'ruby-hash';

/** Depth limit: more than any program nests a callback; stops on a stack of brackets. */
const maxDepth = 64;
const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };
const blank = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff;
const bareEnd = /[,\]})\n\r"'{[(]|=>|:(?!:)/g;
/** Go's type before a list, as `%#v` prints it. */
const goType = /\[\](?:string|interface \{\}|any)(?=\{)/y;
const identifier = /^[A-Za-z_$][\w$-]*$/;

class Reader {
  readonly text: string;
  readonly end: number;
  at: number;
  readonly traits: Traits = {
    arrow: false,
    round: false,
    square: false,
    bareKey: false,
    single: false,
    double: false,
  };

  constructor(text: string, at: number, end: number) {
    this.text = text;
    this.at = at;
    this.end = end;
  }

  skipBlanks(): void {
    while (this.at < this.end && blank(this.text.charCodeAt(this.at))) this.at++;
  }

  quoted(prefix: string): Quoted | null {
    const quote = this.text.charAt(this.at);
    let at = this.at + 1;
    const from = at;
    for (;;) {
      const code = this.text.charCodeAt(at);
      // Only PHP's single-quoted strings may contain a line break; elsewhere the string was truncated.
      if (at >= this.end || (code === 10 && quote === '"')) {
        this.at = Math.min(at, this.end);
        return null;
      }
      if (code === 92) at += 2;
      else if (this.text.charAt(at) === quote) break;
      else at++;
    }
    this.at = at + 1;
    return { quote, prefix, raw: this.text.slice(from, at) };
  }

  /** A string and those joined to it: PHP's `'a' . "\0" . 'b'`, Python's `'a' 'b'`. */
  strings(prefix: string): Raw | null {
    const parts: Quoted[] = [];
    for (let next = prefix; ;) {
      const part = this.quoted(next);
      if (!part) return null;
      parts.push(part);
      const rest = this.at;
      this.skipBlanks();
      if (this.text.charAt(this.at) === '.') {
        this.at++;
        this.skipBlanks();
      }
      const joined = /^[bu]?["']/i.exec(this.text.slice(this.at, Math.min(this.end, this.at + 2)));
      if (!joined) {
        this.at = rest;
        return { kind: 'quoted', parts };
      }
      next = joined[0].slice(0, -1);
      this.at += next.length;
    }
  }

  bare(): string {
    bareEnd.lastIndex = this.at;
    const found = bareEnd.exec(this.text);
    const stop = Math.min(found ? found.index : this.end, this.end);
    const word = this.text.slice(this.at, stop);
    this.at = stop;
    return word.trimEnd();
  }

  value(depth: number): Raw | null {
    this.skipBlanks();
    const char = this.text.charAt(this.at);
    if (this.at >= this.end || depth > maxDepth) return null;
    if (char === '"' || char === "'") return this.strings('');
    goType.lastIndex = this.at;
    if (char === '[' && goType.test(this.text)) {
      this.at = goType.lastIndex;
      return this.group(depth);
    }
    if (char === '{' || char === '[' || char === '(') {
      const group = this.group(depth);
      // A PHP cast, `(object) array(…)`: the value follows.
      const only =
        group?.kind === 'group' && group.open === '(' && group.items.length === 1 ? group.items[0] : null;
      if (only && only.key === null && only.value.kind === 'bare' && identifier.test(only.value.text)) {
        this.skipBlanks();
        if (/[A-Za-z[{]/.test(this.text.charAt(this.at))) return this.value(depth + 1);
      }
      return group;
    }
    if (char === ':') {
      // A Ruby symbol.
      this.at++;
      if (this.text.charAt(this.at) === '"') return this.strings('');
    }
    // An escaped quote: this structure is inside a string.
    if (char === '\\' && /["']/.test(this.text.charAt(this.at + 1))) return null;
    const from = this.at;
    const word = this.bare();
    const next = this.text.charAt(this.at);
    if ((next === '"' || next === "'") && /^[bur]{1,2}$/i.test(word) && this.at === from + word.length)
      return this.strings(word.toLowerCase());
    if (next === '(' || next === '[' || next === '{') {
      // A named group: `array (`, `Decimal('1.00')`, `OrderedDict([`, `[Object: null prototype] {`.
      const inner = this.group(depth + 1);
      if (inner?.kind !== 'group') return null;
      if (/^array$/i.test(word)) return { ...inner, open: '(' };
      const only = inner.items.length === 1 ? inner.items[0] : undefined;
      if (only && only.key === null) return only.value;
      return inner.open === '(' && inner.items.every(item => item.key === null)
        ? { kind: 'bare', text: this.text.slice(from, this.at) }
        : inner;
    }
    return this.at === from && next !== ',' ? null : { kind: 'bare', text: word };
  }

  group(depth: number): Raw | null {
    if (depth > maxDepth) return null;
    const open = this.text.charAt(this.at);
    const close = closers[open] ?? '';
    const items: { key: Raw | null; value: Raw }[] = [];
    this.at++;
    for (;;) {
      this.skipBlanks();
      if (this.at >= this.end) return null;
      const char = this.text.charAt(this.at);
      if (char === close) {
        this.at++;
        return { kind: 'group', open, items };
      }
      if (char === ',') {
        this.at++;
        continue;
      }
      const first = this.value(depth + 1);
      if (!first) return null;
      this.skipBlanks();
      const arrow = this.text.startsWith('=>', this.at);
      if (!arrow && this.text.charAt(this.at) !== ':') {
        items.push({ key: null, value: first });
        // Node prints `[Object: null prototype] {…}`; a list item is otherwise followed by a comma or the end.
        const after = this.text.charAt(this.at);
        if (after !== ',' && after !== close && this.at < this.end && !/[[{"'\w<#]/.test(after)) return null;
        continue;
      }
      this.at += arrow ? 2 : 1;
      if (arrow) {
        this.traits.arrow = true;
        if (open === '(') this.traits.round = true;
        else if (open === '[') this.traits.square = true;
      }
      if (first.kind === 'bare') this.traits.bareKey = true;
      else if (first.kind === 'quoted') {
        if (first.parts[0]?.quote === "'") this.traits.single = true;
        else this.traits.double = true;
      } else return null;
      const value = this.value(depth + 1);
      if (!value) return null;
      if (value.kind === 'quoted' && first.kind === 'bare') {
        if (value.parts[0]?.quote === "'") this.traits.single = true;
        else this.traits.double = true;
      }
      items.push({ key: first, value });
    }
  }
}

const dialectOf = (traits: Traits, top: Raw): { dialect: Dialect; form: LiteralForm } => {
  if (traits.arrow)
    return traits.round || traits.square
      ? { dialect: 'php', form: 'php-var-export' }
      : { dialect: 'ruby', form: 'ruby-hash' };
  if (traits.bareKey && !traits.single && traits.double) return { dialect: 'ruby', form: 'ruby-hash' };
  if (traits.bareKey) return { dialect: 'javascript', form: 'json' };
  if (traits.single) return { dialect: 'python', form: 'python-dict' };
  if (!traits.double && hasTuple(top)) return { dialect: 'python', form: 'python-dict' };
  return { dialect: 'json', form: 'json' };
};

const hasTuple = (raw: Raw): boolean =>
  raw.kind === 'group' && (raw.open === '(' || raw.items.some(item => hasTuple(item.value)));

/** A value that is not a string: null in any language is the text `null`, as the gateway writes an absent value. */
const bareText = (word: string): string => (/^(?:null|none|nil|undefined)$/i.test(word) ? 'null' : word);

const keyText = (key: Raw, dialect: Dialect): string =>
  key.kind === 'quoted'
    ? key.parts.map(part => decodeString(part, dialect)).join('')
    : key.kind === 'bare'
      ? key.text
      : '';

const toTree = (raw: Raw, dialect: Dialect): Tree => {
  if (raw.kind === 'bare') return { kind: 'text', text: bareText(raw.text) };
  if (raw.kind === 'quoted')
    return { kind: 'text', text: raw.parts.map(part => decodeString(part, dialect)).join('') };
  const keyed = raw.items.filter(item => item.key !== null);
  if (keyed.length === 0) {
    const only = raw.items[0];
    // Parentheses around one value have no meaning.
    if (raw.open === '(' && raw.items.length === 1 && only) return toTree(only.value, dialect);
    return { kind: 'list', items: raw.items.map(item => toTree(item.value, dialect)) };
  }
  return {
    kind: 'map',
    entries: keyed.map(item => [item.key ? keyText(item.key, dialect) : '', toTree(item.value, dialect)]),
  };
};

/**
 * Reads one bracketed value that starts at `at` (`{`, `[` or `array (`). Returns the tree, its form and its end, or
 * the number of characters read before the failure. Callers must count these to stay linear for hostile input.
 */
export const readLiteral = (
  text: string,
  at: number,
  end: number,
): { tree: Tree; form: LiteralForm; end: number } | { tree: null; reached: number } => {
  const reader = new Reader(text, at, end);
  const raw = reader.value(0);
  if (!raw || raw.kind === 'bare') return { tree: null, reached: Math.max(reader.at, at + 1) };
  const { dialect, form } = dialectOf(reader.traits, raw);
  return { tree: toTree(raw, dialect), form, end: reader.at };
};
