import type { CallbackFields } from '../../../shared/payments/evidence.ts';
import { readPairs } from './pairs.ts';

/** curl commands with a body in several options: `curl --data-urlencode 'a=b' -d c=d URL`. */

/** Length limit of a command, characters. */
const maxCommandChars = 200_000;

const options =
  /(?:^|\s)(?:--data-urlencode|--data(?:-raw|-binary|-ascii)?|-d|--form(?:-string)?|-F)(?=[\s='"]|$)/g;

/** Whether a curl command with a body in options begins on this line. */
export const opensCurl = (line: string): boolean => /(?:^|[\s$>])curl(?:\.exe)?\s/.test(line.slice(0, 200));

/** The end of the command: the first line break outside quotes without a backslash before it. */
const commandEnd = (text: string, from: number, end: number): number => {
  let quote = '';
  const limit = Math.min(end, from + maxCommandChars);
  for (let at = from; at < limit; at++) {
    const char = text.charAt(at);
    if (char === '\\' && quote !== "'") {
      at += text.startsWith('\r\n', at + 1) ? 2 : 1;
    } else if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === "'" || char === '"') quote = char;
    else if (char === '\n') return at;
  }
  return limit;
};

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** The words of a command line, split like a POSIX shell. */
const shellWords = (command: string): string[] => {
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < command.length; at++) {
    const char = command.charAt(at);
    if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (char === '\\') {
      at++;
      const next = command.charAt(at);
      if (next === '\r' && command.charAt(at + 1) === '\n') at++;
      else if (next !== '\n') word = (word ?? '') + next;
    } else if (char === "'" || char === '"') {
      const isAnsi: boolean = char === "'" && word === '$';
      word = isAnsi ? '' : (word ?? '');
      for (at++; at < command.length && command.charAt(at) !== char; at++) {
        const inside = command.charAt(at);
        const next = command.charAt(at + 1);
        if (inside !== '\\' || (char === "'" && !isAnsi) || (char === '"' && !'"\\$`'.includes(next))) {
          word += inside;
        } else {
          at++;
          word += isAnsi ? (escapes[next] ?? next) : next;
        }
      }
    } else word = (word ?? '') + char;
  }
  if (word !== null) words.push(word);
  return words;
};

/** The fields that the command at `from` sends, and its end; null if fewer than two fields are in separate options. */
export const readCurl = (
  text: string,
  from: number,
  end: number,
): { fields: CallbackFields; end: number } | null => {
  const stop = commandEnd(text, from, end);
  const command = text.slice(from, stop);
  if ((command.match(options)?.length ?? 0) < 2) return null;
  const fields: CallbackFields = [];
  const words = shellWords(command);
  for (let at = 0; at < words.length; at++) {
    const [, long, short, joined] =
      /^(?:(--(?:data-urlencode|data(?:-raw|-binary|-ascii)?|form(?:-string)?))(?:=|$)|(-[dF]))([\s\S]*)$/.exec(
        words[at] ?? '',
      ) ?? [];
    const option = long ?? short;
    if (option === undefined) continue;
    const value = joined === undefined || joined === '' ? words[++at] : joined;
    if (value === undefined) break;
    const equals = value.indexOf('=');
    if (equals <= 0) continue;
    if (option === '--data-urlencode' || option.startsWith('--form') || option === '-F')
      fields.push([value.slice(0, equals), value.slice(equals + 1)]);
    else fields.push(...readPairs(value, true));
  }
  return fields.length > 1 ? { fields, end: Math.min(stop + 1, end) } : null;
};
