import type { CallbackFields, CallbackForm } from '../../shared/evidence.ts';
import { opensMultipart, readMultipart } from './forms/multipart.ts';
import { readLiteral } from './forms/literal.ts';
import { readPairs } from './forms/pairs.ts';
import { isKnownName } from './interface-table.ts';
import { parseCallbacks } from './parse.ts';
import { callbacksIn } from './forms/tree.ts';

export type ReceivedBody = { fields: CallbackFields; form: CallbackForm };

/** More parameters than any gateway sends; a body of 64 KiB could hold 30,000. */
const mostFields = 500;

const jsonFields = (text: string): CallbackFields | null => {
  const trimmed = text.trim();
  const read = readLiteral(trimmed, 0, trimmed.length);
  if (!read.tree || read.form !== 'json' || read.end !== trimmed.length) return null;
  return (
    callbacksIn(read.tree, inner => parseCallbacks(inner).callbacks.map(found => found.fields))[0] ?? null
  );
};

/**
 * Reads the body of a delivery as its content type says, decoding once and no more: what
 * arrived is evidence and is not guessed at. A body without a type is JSON if it begins
 * like JSON, a form otherwise (§2.6 shows key=value parameters; the type is not shown, §4.3).
 * Null when it is no callback.
 */
export const readBody = (text: string, contentType: string): ReceivedBody | null => {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  let fields: CallbackFields | null;
  let form: CallbackForm;
  if (type === 'multipart/form-data') {
    form = 'multipart';
    const start = text.startsWith('\r\n') ? 2 : 0;
    fields = opensMultipart(text, start) ? readMultipart(text, start, text.length).fields : null;
  } else if (
    type === 'application/json' ||
    type.endsWith('+json') ||
    (type === '' && /^\s*[{[]/.test(text))
  ) {
    form = 'json';
    fields = jsonFields(text);
  } else if (type === '' || type === 'application/x-www-form-urlencoded') {
    form = 'urlencoded';
    fields = readPairs(text, true);
  } else if (type === 'text/plain') {
    const found = parseCallbacks(text).callbacks[0];
    form = found?.form ?? 'lines';
    fields = found?.fields ?? null;
  } else return null;
  if (!fields || fields.length > mostFields) return null;
  const wellFormed = fields.some(([name]) => isKnownName(name) && name !== 'status' && name !== 'type');
  return wellFormed ? { fields, form } : null;
};
