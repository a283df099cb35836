import { isUtf8 } from 'node:buffer';
import type { CallbackFields, CallbackForm } from '../../shared/payments/evidence.ts';
import { opensMultipart, readMultipart } from './forms/multipart.ts';
import { readJson as readTree } from './forms/json.ts';
import { readLines, readPairs } from './forms/pairs.ts';
import { undoEncoding, wellFormed } from './forms/text-form.ts';
import { isKnownName } from './parameter-spec.ts';
import { parseCallbacks } from './parse.ts';
import { callbacksIn } from './forms/tree.ts';

export type ReceivedBody = { fields: CallbackFields; form: CallbackForm };

const latin = new TextDecoder('windows-1252');

/** The text of a body: UTF-8, unless its sender declares Latin-1 and its bytes are no UTF-8. */
export const bodyText = (bytes: Buffer, contentType: string): string => {
  if (!/charset="?(?:iso-8859-1|latin-?1|windows-1252)/i.test(contentType)) return bytes.toString('utf8');
  const text = isUtf8(bytes) ? bytes.toString('utf8') : latin.decode(bytes);
  // A form escapes the bytes of its characters.
  return text.replace(/(?:%[89A-F][0-9A-F])+/gi, run => {
    const escaped = Buffer.from(run.replaceAll('%', ''), 'hex');
    return isUtf8(escaped) ? run : encodeURIComponent(latin.decode(escaped));
  });
};

/** Limit of parameters, more than any gateway sends; a body of 64 KiB could hold 30,000. */
const maxFields = 500;

const readJson = (text: string): CallbackFields[] => {
  const trimmed = text.trim();
  const read = readTree(trimmed, 0, trimmed.length);
  if (!read.tree || read.end !== trimmed.length) return [];
  return callbacksIn(read.tree, inner => parseCallbacks(inner).callbacks.map(found => found.fields));
};

/** The number of different callback parameters among the fields. */
const knownNames = (fields: CallbackFields): number =>
  new Set(fields.flatMap(([name]) => (isKnownName(name) ? [name] : []))).size;

/** Two callback fields: enough to treat a body without line breaks as a form. */
const isForm = (fields: CallbackFields): boolean => {
  let known = 0;
  for (const [name] of fields) if (isKnownName(name) && ++known > 1) return true;
  return false;
};

const readText = (text: string, isPlain: boolean): ReceivedBody[] => {
  const form: ReceivedBody = { fields: readPairs(text), form: 'urlencoded' };
  // A form body encodes its line breaks: a bare one, or a character of another form, requires full parsing.
  if (!isPlain && !text.includes('\n') && isForm(form.fields)) return [form];
  const lines = readLines(text);
  if (lines && isForm(lines)) return [{ fields: undoEncoding(lines).fields, form: 'lines' }];
  const found = parseCallbacks(text).callbacks.map(({ fields, form: read }) => ({ fields, form: read }));
  const first = found[0];
  return first && (isPlain || knownNames(first.fields) > knownNames(form.fields)) ? found : [form];
};

/**
 * Reads the callbacks in the body of a delivery (§4.3). The interface does not specify the content type, so the text
 * decides: multipart, JSON (a list holds several), a form body, or one `name=value` a line (§2.6). Each is decoded
 * only once, since the evidence is what arrived. Empty if it is not a callback.
 */
export const readBody = (body: string, contentType: string): ReceivedBody[] => {
  const text = body.startsWith('\ufeff') ? body.slice(1) : body;
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const start = text.startsWith('\r\n') ? 2 : 0;
  let found: ReceivedBody[] = [];
  if (opensMultipart(text, start))
    found = [{ fields: readMultipart(text, start, text.length).fields, form: 'multipart' }];
  else if (/^\s*[{[]/.test(text)) found = readJson(text).map(fields => ({ fields, form: 'json' }));
  if (found.length === 0) found = readText(text, type === 'text/plain');
  return found
    .filter(
      ({ fields }) =>
        fields.length <= maxFields &&
        fields.some(([name]) => isKnownName(name) && name !== 'status' && name !== 'type'),
    )
    .map(({ fields, form }) => ({ fields: wellFormed(fields), form }));
};
