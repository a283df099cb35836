import type { CallbackFields } from '../../../shared/payments/evidence.ts';

/** `multipart/form-data` (RFC 7578), as text. */

/** Whether a multipart body begins at `at`. */
export const opensMultipart = (text: string, at: number): boolean =>
  text.startsWith('--', at) && /^--[^\r\n]{1,200}\r?\ncontent-/i.test(text.slice(at, at + 240));

const nameOf = (head: string): string | null => {
  const found = /content-disposition:[^\r\n]*?[; ]name=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(head);
  return found?.[1]?.replace(/\\(.)/g, '$1').replaceAll('%22', '"') ?? found?.[2] ?? null;
};

/** The parts in order with unchanged values; `end` is the end of the body. */
export const readMultipart = (
  text: string,
  from: number,
  end: number,
): { fields: CallbackFields; end: number } => {
  const line = text.indexOf('\n', from);
  const boundary = text.slice(from, line < 0 ? end : line).trimEnd();
  const fields: CallbackFields = [];
  let at = line < 0 ? end : line + 1;
  while (at < end) {
    let stop = text.indexOf(`\n${boundary}`, at);
    if (stop < 0 || stop > end) stop = end;
    const part = text.slice(at, stop > at && text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop);
    const blank = /\r?\n\r?\n/.exec(part);
    const name = nameOf(part.slice(0, blank ? blank.index : part.length));
    if (name !== null) fields.push([name, blank ? part.slice(blank.index + blank[0].length) : '']);
    if (stop === end) return { fields, end };
    const after = stop + 1 + boundary.length;
    const next = text.indexOf('\n', after);
    if (text.startsWith('--', after) || next < 0)
      return { fields, end: next < 0 ? end : Math.min(end, next + 1) };
    at = next + 1;
  }
  return { fields, end };
};
