/** Commands of Windows' cmd.exe, as browsers copy them ("Copy as cURL (cmd)") and people write them. */

/** Whether a command is written for cmd.exe: a caret before a quotation mark, or at the end of its first line. */
export const isForCmd = (line: string): boolean =>
  /^[^\n]{0,200}?curl(?:\.exe)?\s{1,20}\^"/.test(line) || line.trimEnd().endsWith(' ^');

/** The end of the command: the first line without a caret at its end. `^` and two line breaks are one in a value. */
export const cmdEnd = (text: string, from: number, end: number): number => {
  for (let at = from; ;) {
    const found = text.indexOf('\n', at);
    const stop = found < 0 || found > end ? end : found;
    const last = text.charCodeAt(stop - 1) === 13 ? stop - 2 : stop - 1;
    if (stop === end || text.charAt(last) !== '^') return stop;
    at = stop + 1;
    if (text.startsWith('\r\n', at)) at += 2;
    else if (text.startsWith('\n', at)) at += 1;
  }
};

const caret = /\^(?:\r?\n(\r?\n)?|([\s\S]))/g;

/** The words of a command: first without cmd's carets, then split as a program splits its command line. */
export const cmdWords = (command: string): string[] => {
  const plain = command.includes('^"')
    ? command.replace(caret, (_whole, brk, char) => (typeof char === 'string' ? char : brk ? '\n' : ' '))
    : command.replace(/\^\r?\n/g, ' ');
  const words: string[] = [];
  let word: string | null = null;
  let isQuoted = false;
  for (let at = 0; at < plain.length; at++) {
    const char = plain.charAt(at);
    const next = plain.charAt(at + 1);
    if (char === '\\' && (next === '"' || next === '\\')) {
      word = (word ?? '') + next;
      at++;
    } else if (char === '"' && isQuoted && next === '"') {
      word = `${word ?? ''}"`;
      at++;
    } else if (char === '"') {
      isQuoted = !isQuoted;
      word ??= '';
    } else if (!isQuoted && /\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + char;
  }
  if (word !== null) words.push(word);
  return words;
};
