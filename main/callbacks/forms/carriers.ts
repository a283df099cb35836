import { gunzipSync } from 'node:zlib';
import { invisible } from './shapes.ts';
import { decodeString } from './strings.ts';
import { percentDecode, unescapeHtml } from './text-form.ts';

/** Undoes what mails, pages, shells and logs do to a text: each function is linear and null without its sign. */
export type Carrier = (text: string) => string | null;

const softBreak = /=[ \t]{0,80}\r?\n/g;
const encodedByte = /=(?:[C-F][0-9A-F]=[89AB][0-9A-F]|3D|20|0A)/;

const quotedPrintable: Carrier = text =>
  text.search(softBreak) >= 0 || encodedByte.test(text)
    ? text
        .replace(softBreak, '')
        .replace(/(?:=[0-9A-F]{2})+/gi, run => Buffer.from(run.replaceAll('=', ''), 'hex').toString('utf8'))
    : null;

const base64: Carrier = text => {
  const bare = text.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/_-]{40,}={0,2}$/.test(bare)) return null;
  const bytes = Buffer.from(bare, 'base64');
  try {
    // A hostile archive must not fill the memory.
    return (bytes[0] === 0x1f ? gunzipSync(bytes, { maxOutputLength: 8_000_000 }) : bytes).toString('utf8');
  } catch {
    return null;
  }
};

/** The parts of a mail, the plain ones before those in HTML. */
const mime: Carrier = text => {
  if (!/^content-transfer-encoding:/im.test(text)) return null;
  const plain: string[] = [];
  const parts = text.split(/^--[^\s-][^\r\n]{0,100}\r?\n?/m).flatMap(part => {
    const [, encoding] = /^content-transfer-encoding:[ \t]*([\w-]+)/im.exec(part) ?? [];
    const head = /\r?\n\r?\n/.exec(part);
    if (encoding === undefined || !head) return [];
    const content = part.slice(head.index + head[0].length);
    const undo = /base64/i.test(encoding) ? base64 : /quoted/i.test(encoding) ? quotedPrintable : null;
    const decoded = undo?.(content) ?? content;
    if (!/^content-type:[ \t]*text\/html/im.test(part)) plain.push(decoded);
    return [decoded];
  });
  return (plain.length > 0 ? plain : parts).join('\n\n');
};

const html: Carrier = text => {
  const isPage = /<\/\w+>|<br/i.test(text);
  if (!isPage && !/&(?:quot|#\d|#x|lt|gt|amp|apos)/.test(text)) return null;
  const bare = isPage
    ? text
        .replace(/<\/(?:tr|p|div|li|dd|h\d|pre)>|<br[^<>]{0,40}>/gi, '\n')
        .replace(/<\/(?:t[dh]|dt)>/gi, '\t')
        .replace(/<[^<>]{0,2000}>/g, '')
    : text;
  return unescapeHtml(bare);
};

/** Records of a collector, one a line, with the program's line in one of their texts. */
const records: Carrier = text => {
  if (!/^\s*\{"/.test(text)) return null;
  const lines = text.trim().split(/\r?\n/);
  if (lines.length < 3) return null;
  const texts: string[] = [];
  for (const line of lines) {
    const found = /"(?:log|message|msg|MESSAGE|line|textPayload)":\s?"((?:[^"\\]|\\.){0,20000})"/.exec(line);
    if (!found) return null;
    texts.push(decodeString(found[1] ?? '', 'json').replace(/\n$/, ''));
  }
  return texts.join('\n');
};

/** The lines of a tool that breaks a body at a fixed width, joined: their prefix is the same but for numbers. */
const pieces: Carrier = text => {
  const dump = [...text.matchAll(/^[0-9a-f]{6,8}:?\s{1,3}((?:[0-9a-f]{2}\s{0,2}){1,16})(?:\s|\||$)/gim)];
  if (dump.length > 2)
    return Buffer.from(dump.map(([, codes = '']) => codes.replace(/\s/g, '')).join(''), 'hex').toString(
      'utf8',
    );
  const trace = [...text.matchAll(/^(?:[0-9a-f]{4}: |.{0,300}data-HEAP\): )(.*)$/gm)];
  return trace.length > 2 ? trace.map(([, part = '']) => part).join('') : null;
};

/** Length of a line from which a program may have broken it, characters. */
const minWrapped = 40;

/** Joins a line that was broken inside a word with the next one; a mark of quotation before the next is dropped. */
const wrapped: Carrier = text => {
  if (!text.includes('\n')) return null;
  let out = '';
  let isBroken = false;
  for (const given of text.split('\n')) {
    const line = given.replace(/\r$/, '');
    const bare = line.replace(/^[> \t]+/, '');
    if (out !== '' && !(isBroken && bare !== '')) out += '\n';
    out += isBroken ? bare : line.replace(/^(?:> ?)+/, '');
    isBroken = line.length >= minWrapped && !/\s/.test(line.slice(-minWrapped).replace(/^> ?/, ''));
  }
  return out;
};

/** Lines that a terminal cut at its width. */
const cut: Carrier = text => {
  const lines = text.split(/\r?\n/);
  const width = Math.max(...lines.slice(0, 1_000).map(line => line.length));
  if (width < minWrapped || lines.filter(line => line.length === width).length < 2) return null;
  return lines.map(line => (line.length === width ? line : `${line}\n`)).join('');
};

/** Lines folded as in calendars and mail headers. */
const folded: Carrier = text =>
  /.{60}\r?\n[ \t]\S/.test(text) ? text.replace(/\r?\n[ \t](?=\S)/g, '') : null;

const replaced =
  (pattern: RegExp, by: (found: string, inner: string) => string): Carrier =>
  text =>
    text.search(pattern) >= 0 ? text.replace(pattern, by) : null;
const removed = (pattern: RegExp): Carrier => replaced(pattern, () => '');

/** What never belongs to a value; undone before anything is read. */
export const certainCarriers: readonly Carrier[] = [
  // oxlint-disable-next-line no-control-regex -- the colours of a terminal
  removed(/\u001b\[[\d;]{0,20}[A-Za-z]/g),
  // oxlint-disable-next-line no-control-regex -- UTF-16 without a mark
  removed(/\0/g),
  records,
  mime,
  text =>
    /order_\w+=3D/.test(text) || /^content-transfer-encoding:\s*quoted/im.test(text)
      ? quotedPrintable(text)
      : null,
];

/** What a value may contain by chance: tried where a text was not read with certainty, the likelier ones first. */
export const possibleCarriers: readonly Carrier[] = [
  replaced(/(?:\\x[0-9A-F]{2})+/gi, run => Buffer.from(run.replaceAll(/\\x/gi, ''), 'hex').toString('utf8')),
  text => (/\\["'nrtu/]/.test(text) ? decodeString(text, 'json') : null),
  replaced(/#01([12])/g, (_found, digit) => (digit === '2' ? '\n' : '\t')),
  html,
  quotedPrintable,
  text => (/%[0-9A-F]{2}/i.test(text) ? percentDecode(text.replace(/\s+/g, ''), false) : null),
  base64,
  replaced(/""/g, () => '"'),
  text => (text.includes('^"') ? text.replace(/\^(?:\r?\n|([^]))/g, '$1').replace(/\\(["\\])/g, '$1') : null),
  text =>
    /\x60"|\$\(\[char\]/.test(text)
      ? text
          .replace(/\$\(\[char\](\d{1,5})\)/g, (_found, code) => String.fromCharCode(Number(code)))
          .replace(/\x60([^])/g, '$1')
      : null,
  pieces,
  wrapped,
  cut,
  folded,
  replaced(/[“”„]/g, () => '"'),
  replaced(/\u00a0/g, () => ' '),
  removed(new RegExp(invisible, 'g')),
];
