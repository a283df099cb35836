import { peelEncodedBody } from './pairs.ts';
import { unescapeHtml } from './text-form.ts';

/** Undoes what mail programs, web pages and terminals do to a text, each in linear time. */

export type Rewriting = {
  /** The text before it was changed; null if there is no sign of this change. */
  undo: (text: string) => string | null;
  /** The form to name, if the change itself is one. */
  form: 'base64' | null;
};

const softBreak = /=[ \t]{0,80}\r?\n/;
/** A broken line, a character of several bytes, or a parameter's own sign of equality. */
const proofs = [/=[ \t]{0,80}\r?\n[^\r\n]/, /=[C-F][0-9A-F]=[89AB][0-9A-F]/, /\border_\w+=3D/];
const encodedByte = /=(?:[C-F][0-9A-F]=[89AB][0-9A-F]|3D|20)/;

/** Whether every `=` of a text belongs to quoted-printable (RFC 2045), and one of them proves it. */
export const isQuotedPrintable = (text: string): boolean => {
  if (!text.includes('=')) return false;
  if (/^content-transfer-encoding:[ \t]*quoted-printable/im.test(text)) return true;
  if (!proofs.some(proof => proof.test(text))) return false;
  return isAllEncoded(text);
};

/** Whether a text may have been encoded, although nothing proves it: a description can contain `=3D`. */
export const mayBeQuotedPrintable = (text: string): boolean => /=3D/.test(text) && isAllEncoded(text);

const isAllEncoded = (text: string): boolean => {
  for (let at = text.indexOf('='); at >= 0; at = text.indexOf('=', at + 1))
    if (!/^=(?:[0-9A-F]{2}|[ \t]{0,70}\r?(?:\n|$))/.test(text.slice(at, at + 80))) return false;
  return true;
};

const decodeQuotedPrintable = (text: string): string => {
  const bytes = Buffer.from(text.replace(/=[ \t]{0,80}\r?\n/g, ''), 'utf8');
  let out = 0;
  for (let at = 0; at < bytes.length; at++) {
    const code =
      bytes[at] === 61 ? Number.parseInt(bytes.toString('latin1', at + 1, at + 3), 16) : Number.NaN;
    const isEscape = !Number.isNaN(code) && /^[0-9A-Fa-f]{2}$/.test(bytes.toString('latin1', at + 1, at + 3));
    bytes[out++] = isEscape ? code : (bytes[at] ?? 0);
    if (isEscape) at += 2;
  }
  return bytes.toString('utf8', 0, out);
};

/** Length of a line from which a program may have broken it, characters. */
const minWrappedChars = 40;

/** Joins a line that was broken inside a word with the next one; a mark of quotation before the next is dropped. */
const joinWrapped = (text: string): string => {
  let out = '';
  let isBroken = false;
  for (const given of text.split('\n')) {
    const line = given.endsWith('\r') ? given.slice(0, -1) : given;
    const bare = line.replace(/^[> \t]+/, '');
    if (out !== '' && !(isBroken && bare !== '')) out += '\n';
    out += isBroken ? bare : line;
    isBroken = line.length >= minWrappedChars && !/\s/.test(line.slice(-minWrappedChars).replace(/^> ?/, ''));
  }
  return out;
};

export const undoQuotedPrintable: Rewriting = {
  undo: text => (softBreak.test(text) || encodedByte.test(text) ? decodeQuotedPrintable(text) : null),
  form: null,
};

/** The likelier ones first. */
export const rewritings: readonly Rewriting[] = [
  // A quoted string with `\n` written out.
  {
    undo: text =>
      /\\[rn]/.test(text) ? text.replace(/\\r\\n|\\[rn]/g, '\n').replace(/\\(["'\\/])/g, '$1') : null,
    form: null,
  },
  // A body that a mail program or a terminal wrapped.
  { undo: text => (text.includes('\n') && text.includes('&') ? joinWrapped(text) : null), form: null },
  { undo: text => (/&(?:quot;|#|lt;|gt;|amp;|apos;)/.test(text) ? unescapeHtml(text) : null), form: null },
  { undo: text => (text.includes('%') ? peelEncodedBody(text.replace(/\s+/g, '')) : null), form: null },
  {
    undo: text => {
      const bare = text.replace(/\s+/g, '');
      return /^[A-Za-z0-9+/_-]{40,}={0,2}$/.test(bare) ? Buffer.from(bare, 'base64').toString('utf8') : null;
    },
    form: 'base64',
  },
  undoQuotedPrintable,
];
