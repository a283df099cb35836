/** Decodes quoted strings by each language's escapes. */
export type Dialect = 'json' | 'javascript' | 'php' | 'python' | 'ruby';
export type Quoted = { quote: string; prefix: string; raw: string };

const simple: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\u0007',
  e: '\u001b',
  s: ' ',
  '0': '\0',
  '\n': '',
};

/** In PHP and Ruby a single-quoted string escapes only the quote and the backslash. */
const undoPlain = (raw: string): string => raw.replace(/\\([\\'])/g, '$1');

const escape = /\\(?:x([0-9a-f]{2})|u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|U([0-9a-f]{8})|([\s\S]))/gi;

const fromPoint = (point: number): string => (point <= 0x10ffff ? String.fromCodePoint(point) : '\uFFFD');

/** Joins bytes written as `\xC3\xB6` into UTF-8 if they are valid. */
const joinBytes = (text: string): string =>
  text.replace(/[\u0080-\u00ff]{2,}/g, run => {
    const bytes = Buffer.from(run, 'latin1');
    const joined = bytes.toString('utf8');
    return joined.includes('\uFFFD') ? run : joined;
  });

/** The value of a string literal. An unknown escape yields its character. */
export const decodeString = ({ quote, prefix, raw }: Quoted, dialect: Dialect): string => {
  if (!raw.includes('\\') || prefix.includes('r')) return raw;
  if (quote === "'" && (dialect === 'php' || dialect === 'ruby')) return undoPlain(raw);
  let bytes = false;
  const text = raw.replace(escape, (_whole, ...groups: (string | undefined)[]) => {
    const [hex, braced, short, long, char = ''] = groups;
    if (hex !== undefined) {
      bytes = true;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const point = braced ?? long ?? short;
    if (point !== undefined)
      return short === undefined
        ? fromPoint(Number.parseInt(point, 16))
        : String.fromCharCode(Number.parseInt(point, 16));
    if (dialect === 'json' || dialect === 'javascript') {
      if (char === 'a' || char === 'e' || char === 's') return char;
    }
    return Object.hasOwn(simple, char) ? (simple[char] ?? char) : char;
  });
  // JavaScript and `u'…'` write code points; the others wrote bytes if the bytes are valid UTF-8.
  return bytes && dialect !== 'javascript' && !prefix.includes('u') ? joinBytes(text) : text;
};
