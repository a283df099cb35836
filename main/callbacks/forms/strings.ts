/** Quoted strings by the escapes of their language. */

/** `php`: a single-quoted string of PHP; `code`: languages with the escapes of C. */
export type Dialect = 'json' | 'php' | 'code';

const simple = new Map(
  ['n\n', 'r\r', 't\t', 'b\b', 'f\f', 'v\v', 'a\u0007', 'e\u001b', '0\0', '\n'].map(pair => [
    pair.charAt(0),
    pair.slice(1),
  ]),
);

const escape = /\\(?:x([0-9a-f]{2})|u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|U([0-9a-f]{8})|([^]))/gi;

const fromPoint = (point: number): string => (point <= 0x10ffff ? String.fromCodePoint(point) : '\uFFFD');

/** Joins bytes written as `\xC3\xB6` into UTF-8 if they are valid. */
const joinBytes = (text: string): string =>
  text.replace(/[\u0080-\u00ff]{2,}/g, run => {
    const joined = Buffer.from(run, 'latin1').toString('utf8');
    return joined.includes('\uFFFD') ? run : joined;
  });

/** The value of a string literal. An unknown escape yields its character. */
export const decodeString = (raw: string, dialect: Dialect): string => {
  if (!raw.includes('\\')) return raw;
  if (dialect === 'php') return raw.replace(/\\([\\'])/g, '$1');
  let bytes = false;
  const text = raw.replace(escape, (_whole, ...groups: (string | undefined)[]) => {
    const [hex, braced, short, long, char = ''] = groups;
    bytes ||= hex !== undefined;
    const point = hex ?? short;
    if (point !== undefined) return String.fromCharCode(Number.parseInt(point, 16));
    const wide = braced ?? long;
    if (wide !== undefined) return fromPoint(Number.parseInt(wide, 16));
    return simple.get(char) ?? char;
  });
  return bytes ? joinBytes(text) : text;
};
