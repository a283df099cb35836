import type { Doubt } from '../../../shared/callbacks/inspection.ts';
import { signedNames } from '../../../shared/callbacks/signed-fields.ts';
import type { CallbackFields, CallbackForm } from '../../../shared/payments/evidence.ts';
import { isKnownName, parameters } from '../parameter-spec.ts';
import { looksLikeCallback, valueOf } from './text-form.ts';

/** The forms of values that decide whether a text was read: an id is a UUID, a hash has 40 hexadecimal digits. */

/** A line break within a value, as mails, terminals and quotations put it there. */
const wrap = String.raw`(?:=?\r?\n[ \t>|]{0,8})?`;
const wrapped = (chars: string, count: number): string => `[${chars}](?:${wrap}[${chars}]){${count - 1}}`;
const uuid = wrapped('0-9a-f-', 36);
const email = String.raw`[^\s"'<>=@,;:]{1,64}@[\w.-]{1,200}\w`;

/** By name, as the source of a regular expression. */
const shapes: Readonly<Record<string, string>> = {
  id: uuid,
  trans_id: uuid,
  payment_id: uuid,
  hash: wrapped('0-9a-f', 40),
  order_amount: String.raw`\d{1,15}(?:[.,]\d{1,10})*`,
  order_currency: '[A-Z]{3,6}',
  type: 'sale|3ds|redirect|refund|void|recurring|chargeback|capture|auth|reversal',
  status: 'success|fail|waiting|undefined',
  action: '[A-Z_]{3,20}',
  result: '[A-Z_]{3,20}',
  customer_ip: String.raw`\d{1,3}(?:\.\d{1,3}){3}`,
  customer_email: email,
  customer_country: '[A-Z]{2}',
  date: String.raw`\d{4}-\d\d-\d\d[ T+]\d\d\\?:\d\d\\?:\d\d`,
};
/** Invisible characters that programs add. */
export const invisible = String.raw`[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]`;

const compiled = new Map(
  Object.entries(shapes).map(([name, source]) => [
    name,
    {
      near: new RegExp(String.raw`^([^]{0,90}?)(?<!\w)(?:${source})(?!\w|-\w)`, 'i'),
      here: new RegExp(String.raw`(${source})${invisible}*(?!\w|-\w)`, 'iy'),
    },
  ]),
);

/** The length of what separates a name from a value of its form shortly after it; null if there is none. */
export const gapBefore = (name: string, text: string, from: number): string | null =>
  compiled.get(name)?.near.exec(text.slice(from, from + 160))?.[1] ?? null;

/** The end of the value of this name's form at `at`; null if there is none, or the name has no form. */
export const shapeEnd = (name: string, text: string, at: number): number | null => {
  const here = compiled.get(name)?.here;
  if (!here) return null;
  here.lastIndex = at;
  return here.test(text) ? here.lastIndex : null;
};

const otherNames = ['action', 'result', 'order_id', 'payment_id', 'amount', 'currency'];
const names = [...parameters.map(parameter => parameter.name), ...otherNames].sort(
  (one, other) => other.length - one.length,
);
const bareName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const byBareName = new Map(names.map(name => [bareName(name), name]));

/** A known name, without a letter beside it, also as `orderNumber`, `Order number` or `order\_number`. */
export const nameToken = new RegExp(
  String.raw`(?<![\w-])(?:${names.map(name => name.replaceAll('_', String.raw`(?:\\?[_ ])?`)).join('|')})(?![\w-])`,
  'gi',
);

/** The name that a text writes in one of these ways; null if no parameter of a callback has it. */
export const knownName = (written: string): string | null =>
  isKnownName(written) ? written : (byBareName.get(bareName(written)) ?? null);

const exact: Readonly<Record<string, RegExp>> = {
  id: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  order_number: /^.+$/s,
  order_amount: /^\d{1,15}(?:\.\d{1,10})?$/,
  order_currency: /^[A-Za-z][A-Za-z0-9]{2,5}$/,
  hash: /^[0-9a-f]{40}$/i,
};

/** The name of a signed parameter that is missing or has not its form; null if there is none. */
export const shapeless = (fields: CallbackFields): string | null => {
  const values = new Map(fields.map(([name, value]) => [name, value.trim()]));
  return Object.keys(exact).find(name => exact[name]?.test(values.get(name) ?? '') !== true) ?? null;
};

/** Number of fields from which a reader may have stopped. */
const maxReadFields = 2_000;

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
  if (/^•+$/.test(valueOf(fields, 'hash') ?? '')) return 'hash-hidden';
  if (fields.length >= maxReadFields) return 'cut';
  const has = (name: string): boolean => fields.some(([own]) => own === name);
  const wrong = shapeless(fields);
  if (wrong !== null && !(wrong === 'hash' && !has('hash') && closedForms.has(form))) return 'uncertain';
  if (!has('order_description') && !closedForms.has(form)) return 'uncertain';
  return fields.some(([name, value]) => signed.has(name) && damage.test(value)) ? 'uncertain' : null;
};
