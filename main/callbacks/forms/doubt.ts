import type { Doubt } from '../../../shared/callbacks/inspection.ts';
import type { CallbackFields } from '../../../shared/payments/evidence.ts';

/** Whether a callback was read with certainty. What was not is never called forged. */

/** The characters of formats and escapes, which the values of these parameters never contain. */
const formatSign = /["'&<>^`=\\{}[\]|;\r\n\ufffd]|%[0-9A-F]{2}/;
const strictNames = new Set(['id', 'hash', 'type', 'status', 'order_amount', 'order_currency']);

/** Number of fields from which a reader may have stopped. */
export const maxReadFields = 2_000;

/** Why these fields may not be what was sent; null if there is no sign of it. */
export const doubtOf = (fields: CallbackFields): Doubt | null => {
  if (fields.length >= maxReadFields) return 'cut';
  return fields.some(
    ([name, value]) => (strictNames.has(name) && formatSign.test(value.trim())) || value.includes('\ufffd'),
  )
    ? 'uncertain'
    : null;
};

const amount = /^[\d.,]+$/;

/** Whether the fields are a whole callback that was read with certainty. */
export const isCertain = (fields: CallbackFields): boolean => {
  if (doubtOf(fields) !== null) return false;
  const values = new Map(fields);
  return (
    values.has('id') &&
    values.has('order_number') &&
    amount.test(values.get('order_amount') ?? '0') &&
    (values.get('hash') ?? '') !== ''
  );
};

const hashName = /(?<![\w-])hash(?![\w-])/g;

/** Finds the name `hash` between two places of a text. Each text is searched once, if the places only rise. */
export const hashFinder = (text: string): ((from: number, to: number) => boolean) => {
  let found = -1;
  return (from, to) => {
    if (found < from) {
      hashName.lastIndex = from;
      found = hashName.exec(text)?.index ?? text.length;
    }
    return found < to;
  };
};
