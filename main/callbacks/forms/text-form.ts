import type { CallbackFields } from '../../../shared/payments/evidence.ts';

/** Pasted text: its percent-encoding, its names. Every function is linear in its input and never throws. */

/** `%C3%B6` → `ö`; with `plus`, `+` is a space as in forms. */
export const percentDecode = (text: string, plus: boolean): string => {
  const spaced = plus && text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    // Valid escapes alone; bytes that are not UTF-8 become U+FFFD.
    return spaced.replace(/(?:%[0-9a-f]{2})+/gi, run =>
      Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
    );
  }
};

const entities = new Map(
  [
    'amp&;lt<;gt>;quot";apos\';nbsp\u00a0;ndash–;mdash—;euro€;pound£;copy©;reg®;hellip…;rsquo’;lsquo‘;rdquo”;ldquo“',
    'auml\u00e4;ouml\u00f6;uuml\u00fc;Auml\u00c4;Ouml\u00d6;Uuml\u00dc;szlig\u00df;eacute\u00e9;egrave\u00e8',
  ]
    .flatMap(row => row.split(';'))
    .map(entity => [entity.slice(0, -1), entity.slice(-1)]),
);

/** `&amp;` → `&`, `&#39;` → `'`; unknown entities stay. */
export const unescapeHtml = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi, (whole, hex, decimal, name) => {
    if (typeof name === 'string') return entities.get(name) ?? whole;
    const point = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });

/**
 * Names and values as Unicode text: a lone surrogate, which JSON can carry but no file can store, becomes U+FFFD. The
 * hashed, stored and shown texts are then the same.
 */
export const wellFormed = (fields: CallbackFields): CallbackFields =>
  fields.every(([name, value]) => name.isWellFormed() && value.isWellFormed())
    ? fields
    : fields.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]);

/** First value under a name; for a repeated name the first value counts everywhere. */
export const valueOf = (fields: CallbackFields, name: string): string | null => {
  for (const field of fields) if (field[0] === name) return field[1];
  return null;
};

/** Fields whose form proves whether they are still percent-encoded. */
const encodedValue: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d(?:\+|%20| )\d\d%3A\d\d%3A\d\d$/i,
  customer_email: /^[^@]+%40[^@]+$/i,
  card: /^\d*(?:%2A)+\d*$/i,
  card_expiration_date: /^\d\d%2F\d{4}$/i,
};
const plusDate = /^\d{4}-\d\d-\d\d\+\d\d:\d\d:\d\d$/;

/**
 * Removes remaining percent-encoding from the values: some tools print a form's parameters without decoding them,
 * some encode twice. Only fields of a strict form (date, e-mail, card) are evidence, since a description may contain
 * a literal `%41`. Returns the fields and the number of removed layers.
 */
export const undoEncoding = (fields: CallbackFields): { fields: CallbackFields; layers: number } => {
  let layers = 0;
  let current = fields;
  while (
    layers < 3 &&
    current.some(
      ([name, value]) => Object.hasOwn(encodedValue, name) && encodedValue[name]?.test(value) === true,
    )
  ) {
    current = current.map(([name, value]) => [percentDecode(name, true), percentDecode(value, true)]);
    layers++;
  }
  // Java's properties.
  if (/^\d{4}-\d\d-\d\d \d\d\\:/.test(valueOf(current, 'date') ?? ''))
    current = current.map(([name, value]) => [name, value.replace(/\\([\\:=#! ])/g, '$1')]);
  // The documentation prints dates with a `+`; if the colons are bare, nothing else was encoded.
  const date = valueOf(current, 'date');
  if (date !== null && plusDate.test(date))
    current = current.map(([name, value]) => [name, name === 'date' ? value.replace('+', ' ') : value]);
  return { fields: current, layers };
};

const distinctive =
  /^(?:order_(?:number|amount|currency|description)|recurring_in(?:it|ti)_trans_id|customer_ip)$/;

const countOf = (fields: CallbackFields, isCounted: (name: string) => boolean): number =>
  fields.filter(([name]) => isCounted(name)).length;

/** Whether these are the names of a callback (§2.6), even an incomplete one. */
export const looksLikeCallback = (fields: CallbackFields): boolean => {
  const signs = countOf(fields, name => distinctive.test(name));
  const others = countOf(fields, name => /^(?:id|type|status|hash)$/.test(name));
  return signs + others >= (signs > 0 ? 2 : 4);
};

/** Whether these are the names of a return URL (assumption: see `formulas.returnUrl`). */
export const looksLikeReturn = (fields: CallbackFields): boolean =>
  countOf(fields, name => name === 'hash') > 0 &&
  countOf(fields, name => name === 'payment_id' || name === 'trans_id') > 0;

/** Whether these are the names of a callback of the family's server-to-server protocol, which is signed differently. */
export const isOtherProtocol = (fields: CallbackFields): boolean => {
  if (looksLikeCallback(fields)) return false;
  const names = new Set(fields.map(([name]) => name));
  return names.has('action') && names.has('result') && (names.has('trans_id') || names.has('order_id'));
};

/** Whether the inspector can name these fields: a callback, of either protocol. */
export const isNameable = (fields: CallbackFields): boolean =>
  looksLikeCallback(fields) || isOtherProtocol(fields);
