import type { CallbackFields } from '../../../shared/payments/evidence.ts';

/** PowerShell's Invoke-WebRequest and Invoke-RestMethod with a body, as browsers copy them. */

const command = /\b(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)\s/i;

/** Whether such a command begins on this line. */
export const opensPowerShell = (line: string): boolean => command.test(line.slice(0, 200));

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0', '\n': '' };

type Part = { text: string; end: number };

/** The string that begins at `at` with a quotation mark. */
const readQuoted = (text: string, at: number, end: number): Part | null => {
  const quote = text.charAt(at);
  let value = '';
  for (let next = at + 1; next < end; next++) {
    const char = text.charAt(next);
    const after = text.charAt(next + 1);
    if (char === quote && after === quote) {
      value += quote;
      next++;
    } else if (char === quote) return { text: value, end: next + 1 };
    else if (quote === '"' && char === '`') {
      value += escapes[after] ?? after;
      next++;
    } else if (quote === '"' && char === '$' && after === '(') {
      // A browser writes a character outside ASCII as `$([char]228)`.
      const code = /^\$\(\[char\](\d{1,5})\)/.exec(text.slice(next, next + 20));
      if (code) value += String.fromCharCode(Number(code[1]));
      else value += char;
      if (code) next += code[0].length - 1;
    } else value += char;
  }
  return null;
};

/** The text between `@'` and `'@`, each at the end or start of a line. */
const readHere = (text: string, at: number, end: number): Part | null => {
  const start = text.indexOf('\n', at) + 1;
  const close = start > 0 ? text.indexOf(`\n${text.charAt(at + 1)}@`, start - 1) : -1;
  if (close < 0 || close >= end) return null;
  return { text: text.slice(start, Math.max(start, close)).replace(/\r$/, ''), end: close + 3 };
};

const pairName = /[\s;]*(?:"([^"`]{1,200})"|'([^']{1,200})'|([\w.[\]-]{1,200}))\s*=\s*/y;

/** The pairs of `@{ name = 'value'; … }`. */
const readTable = (text: string, at: number, end: number): { fields: CallbackFields; end: number } | null => {
  const fields: CallbackFields = [];
  for (let next = at + 2; ;) {
    pairName.lastIndex = next;
    const found = pairName.exec(text);
    if (!found || pairName.lastIndex > end) {
      const close = /[\s;]*\}/y;
      close.lastIndex = next;
      return close.test(text) ? { fields, end: close.lastIndex } : null;
    }
    const start = pairName.lastIndex;
    const char = text.charAt(start);
    const value = char === '"' || char === "'" ? readQuoted(text, start, end) : readBare(text, start, end);
    if (!value) return null;
    fields.push([found[1] ?? found[2] ?? found[3] ?? '', value.text]);
    next = value.end;
  }
};

const readBare = (text: string, at: number, end: number): Part => {
  let stop = at;
  while (stop < end && !/[\s;}]/.test(text.charAt(stop))) stop++;
  return { text: text.slice(at, stop), end: stop };
};

/** The body of the command at `from`: a text, or the pairs of a table; `end` is where its text was read to. */
export const readPowerShell = (
  text: string,
  from: number,
  end: number,
): { bodies: string[]; fields: CallbackFields; end: number } => {
  for (let at = from; at < end; at++) {
    const char = text.charAt(at);
    if (char === '`') at += text.startsWith('\r\n', at + 1) ? 2 : 1;
    else if (char === '"' || char === "'") at = (readQuoted(text, at, end)?.end ?? end) - 1;
    else if (char === '@' && text.charAt(at + 1) === '{') at = (readTable(text, at, end)?.end ?? at + 2) - 1;
    else if (char === '\n') return { bodies: [], fields: [], end: at };
    else if (char === '-' && /^-body[\s(]/i.test(text.slice(at, at + 6)) && /\s/.test(text.charAt(at - 1))) {
      let value = at + 5;
      while (value < end && /[\s(`]/.test(text.charAt(value))) value++;
      const opening = text.slice(value, value + 2);
      const table = opening === '@{' ? readTable(text, value, end) : null;
      if (table) return { bodies: [], ...table };
      const quoted =
        opening === "@'" || opening === '@"'
          ? readHere(text, value, end)
          : /^["']/.test(opening)
            ? readQuoted(text, value, end)
            : null;
      if (quoted) return { bodies: [quoted.text], fields: [], end: quoted.end };
      at = value - 1;
    }
  }
  return { bodies: [], fields: [], end };
};
