import type { CallbackFields } from '../../../shared/payments/evidence.ts';
import { decodeString } from './literal-strings.ts';
import { readPairs } from './pairs.ts';
import { cmdEnd, cmdWords, isForCmd } from './windows-command.ts';

/** curl commands: `curl --data-urlencode 'a=b' -d c=d URL`. */

/** Length limit of a command, characters: the same as that of a line. */
const maxCommandChars = 1_000_000;

/** Whether a curl or wget command begins on this line. */
export const opensCurl = (line: string): boolean =>
  /(?:^|[\s$>])(?:curl|wget)(?:\.exe)?\s/.test(line.slice(0, 200));

/** The end of the command: the first line break outside quotes without a backslash before it. */
const commandEnd = (text: string, from: number, end: number): number => {
  let quote = '';
  const limit = Math.min(end, from + maxCommandChars);
  for (let at = from; at < limit; at++) {
    const char = text.charAt(at);
    if (char === '\\' && quote !== "'") {
      at += text.startsWith('\r\n', at + 1) ? 2 : 1;
    } else if (quote !== '') {
      if (char === quote.slice(-1)) quote = '';
    } else if (char === "'") quote = text.charAt(at - 1) === '$' ? "$'" : char;
    else if (char === '"') quote = char;
    else if (char === '\n') return at;
  }
  return limit;
};

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
    } else if (char === "'" && word === '$') {
      const from = at + 1;
      for (at++; at < command.length && command.charAt(at) !== char; at++)
        if (command.charAt(at) === '\\') at++;
      word = decodeString({ quote: '"', prefix: '', raw: command.slice(from, at) }, 'python');
    } else if (char === "'" || char === '"') {
      word ??= '';
      for (at++; at < command.length && command.charAt(at) !== char; at++) {
        const inside = command.charAt(at);
        const next = command.charAt(at + 1);
        if (inside === '\\' && char === '"' && '"\\$`'.includes(next)) {
          at++;
          word += next;
        } else word += inside;
      }
    } else word = (word ?? '') + char;
  }
  if (word !== null) words.push(word);
  return words;
};

const dataOption =
  /^(?:(--(?:data-urlencode|data(?:-raw|-binary|-ascii)?|json|post-data|form(?:-string)?))(?:=|$)|(-[dF]))([\s\S]*)$/;

/** Options of one `name=value`, unencoded. */
const isPairOption = (option: string): boolean =>
  option === '--data-urlencode' || option === '-F' || option.startsWith('--form');

/**
 * What the command at `from` sends: fields in several options, or one body; and the addresses with a query. `end` is
 * the end of the command.
 */
export const readCurl = (
  text: string,
  from: number,
  end: number,
  line: string,
): { fields: CallbackFields; bodies: string[]; end: number } => {
  const forCmd = isForCmd(line);
  const stop = forCmd ? cmdEnd(text, from, end) : commandEnd(text, from, end);
  const command = text.slice(from, Math.min(stop, from + maxCommandChars));
  const words = forCmd ? cmdWords(command) : shellWords(command);
  const fields: CallbackFields = [];
  const data: string[] = [];
  const addresses: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (/^https?:[^\s?]{1,2000}\?/i.test(word)) addresses.push(word);
    const [, long, short, joined] = dataOption.exec(word) ?? [];
    const option = long ?? short;
    if (option === undefined) continue;
    const value = joined === undefined || joined === '' ? words[++at] : joined;
    if (value === undefined) break;
    const equals = value.indexOf('=');
    if (!isPairOption(option)) data.push(value);
    else if (equals > 0) fields.push([value.slice(0, equals), value.slice(equals + 1)]);
  }
  // Several bodies are joined by `&`; one may be JSON.
  if (data.length > 1 || fields.length > 0) for (const body of data) fields.push(...readPairs(body, true));
  return { fields, bodies: fields.length > 0 ? [] : [...data, ...addresses], end: Math.min(stop + 1, end) };
};
