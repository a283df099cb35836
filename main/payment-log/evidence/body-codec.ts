/**
 * Compresses event bodies. Nine tenths of a callback's thousand bytes repeat: parameter names, brackets and values
 * from short lists. A body is stored as a shape, which many bodies share, and the values that fill it. Decoding
 * returns exactly the text that was hashed.
 */

/** Marks a value in a shape. JSON text never contains these characters unescaped. */
const string = '\u0001';
const number = '\u0002';
const order = '\u0003';
const payment = '\u0004';
/** Encloses the shape of a JSON text that is itself a value, such as a request as it was sent. */
const open = '\u0005';
const close = '\u0006';
const marks = new RegExp(`([${string}-${close}])`);

/** Keys whose values come from short lists: these values stay in the shape. */
const ofFewValues = new Set([
  'requestedBy',
  'by',
  'channel',
  'code',
  'contentType',
  'currency',
  'digest',
  'endpoint',
  'form',
  'merchant_key',
  'methods',
  'operation',
  'reason',
  'status',
  'type',
  'uppercasing',
  'verdict',
  'via',
  'order_currency',
  'customer_country',
  'card_expiration_date',
]);
/** Length limit of a value in a shape, characters; longer texts would create a separate shape each. */
const maxDictionaryValues = 64;
/** Keys whose value may be a complete JSON text. */
const ofJson = new Set(['request', 'body']);

/** Fields of the event outside its body; an equal value in the body is not stored twice. */
export type KnownValues = { orderNumber: string | null; paymentId: string | null };
export type EncodedBody = { shape: string; values: string };

/** The object that a JSON text contains, if serializing it again yields the same bytes; otherwise undefined. */
export const asJson = (text: string): unknown => {
  if (!text.startsWith('{')) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return JSON.stringify(parsed) === text ? parsed : undefined;
  } catch {
    return undefined;
  }
};

/** Cache of names as JSON writes them: there are few, and every body repeats them. */
const quotedNames = new Map<string, string>();
const quoted = (name: string): string => {
  const known = quotedNames.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(name);
  if (quotedNames.size < 1_000) quotedNames.set(name, text);
  return text;
};

/** Splits a body into shape and values. `body`: plain JSON values. */
export const encodeBody = (body: unknown, { orderNumber, paymentId }: KnownValues): EncodedBody => {
  const values: (string | number)[] = [];
  let inside = false;
  const text = (value: string, key: string): string => {
    if (value === '') return '""';
    if (value === orderNumber) return order;
    if (value === paymentId) return payment;
    if (ofFewValues.has(key) && value.length <= maxDictionaryValues) return quoted(value);
    if (ofJson.has(key) && !inside) {
      const parsed = asJson(value);
      if (parsed !== undefined) {
        inside = true;
        const shape = open + shapeOf(parsed, '') + close;
        inside = false;
        return shape;
      }
    }
    values.push(value);
    return string;
  };
  const shapeOf = (value: unknown, key: string): string => {
    if (typeof value === 'string') return text(value, key);
    if (typeof value === 'number') {
      values.push(value);
      return number;
    }
    if (Array.isArray(value)) {
      // A pair of texts is a parameter: its name belongs to the shape.
      const [name, of] = value;
      if (value.length === 2 && typeof name === 'string' && typeof of === 'string' && key === 'fields')
        return `[${quoted(name)},${text(of, name)}]`;
      let items = '';
      for (const item of value) items += `${items === '' ? '' : ','}${shapeOf(item, key)}`;
      return `[${items}]`;
    }
    if (typeof value === 'object' && value !== null) {
      let entries = '';
      for (const [name, of] of Object.entries(value))
        if (of !== undefined) entries += `${entries === '' ? '' : ','}${quoted(name)}:${shapeOf(of, name)}`;
      return `{${entries}}`;
    }
    return JSON.stringify(value);
  };
  return { shape: shapeOf(body, ''), values: values.length === 0 ? '' : JSON.stringify(values) };
};

/** A shape split at its marks, ready to be filled. */
export type Shape = readonly string[];
export const readShape = (shape: string): Shape => shape.split(marks);

/**
 * Fills a shape: the body's JSON text, byte for byte as it was hashed. Throws a SyntaxError if the values are
 * damaged.
 */
export const decodeBody = (shape: Shape, values: string, { orderNumber, paymentId }: KnownValues): string => {
  const filled: (string | number)[] = values === '' ? [] : JSON.parse(values);
  let next = 0;
  let text = '';
  let outside = '';
  for (const part of shape)
    switch (part) {
      case string:
      case number:
        text += JSON.stringify(filled[next] ?? null);
        next += 1;
        break;
      case order:
        text += JSON.stringify(orderNumber);
        break;
      case payment:
        text += JSON.stringify(paymentId);
        break;
      case open:
        outside = text;
        text = '';
        break;
      case close:
        text = outside + JSON.stringify(text);
        outside = '';
        break;
      default:
        text += part;
    }
  return text;
};
