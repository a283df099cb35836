import type { Doubt } from '../../../shared/callbacks/inspection.ts';
import { signedNames } from '../../../shared/callbacks/signed-fields.ts';
import type { CallbackFields, CallbackForm } from '../../../shared/payments/evidence.ts';
import { invisible, shapeless } from './shapes.ts';
import { looksLikeCallback } from './text-form.ts';

/** Number of fields from which a reader may have stopped. */
export const maxReadFields = 2_000;

/** Forms with a mark at their end: what is missing in them was not sent. */
const closedForms: ReadonlySet<CallbackForm> = new Set(['json', 'multipart']);
const signed: ReadonlySet<string> = new Set(signedNames);
/** A text that was cut, bytes that were lost, characters that programs add, signs of an escape that was not undone. */
const damage = new RegExp(
  String.raw`…$|^\d[.,]?\d*E\+\d+$|[ÃÂ][^\w\s]|â€|\.\.\.$|#01[12]|\ufffd|${invisible}|=3D|\\(?:u[0-9a-f]{4}|["'nrt/])`,
);

/**
 * Why the fields of a callback may not be what was sent; null if all that is signed was read with certainty. What was
 * not is never called forged, nor without a hash.
 */
export const doubtOf = (fields: CallbackFields, form: CallbackForm): Doubt | null => {
  if (!looksLikeCallback(fields)) return null;
  if (fields.length >= maxReadFields) return 'cut';
  const has = (name: string): boolean => fields.some(([own]) => own === name);
  const wrong = shapeless(fields);
  if (wrong !== null && !(wrong === 'hash' && !has('hash') && closedForms.has(form))) return 'uncertain';
  if (!has('order_description') && !closedForms.has(form)) return 'uncertain';
  return fields.some(([name, value]) => signed.has(name) && damage.test(value)) ? 'uncertain' : null;
};
