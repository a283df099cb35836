import type { CallbackFields } from '../../../shared/payments/evidence.ts';
import type { Tree } from './json.ts';
import { isNameable, looksLikeCallback, undoEncoding } from './text-form.ts';

/** Reads callbacks from a text inside a structure: a body in a log entry, JSON in JSON. */
export type ReadInner = (text: string) => CallbackFields[];

/** Limit of fields below one value; it prevents a hostile tree from multiplying. */
const maxFields = 2_000;

/**
 * `custom_data: { a: 1 }` is `custom_data[a]=1` on the wire; a list of one is its item; a longer one repeats the
 * name. DynamoDB writes each value as `{ S: value }`.
 */
const flatten = (name: string, tree: Tree, into: CallbackFields): void => {
  if (into.length > maxFields) return;
  if (tree.kind === 'text') into.push([name, tree.text]);
  else if (tree.kind === 'list') {
    for (const item of tree.items) flatten(name, item, into);
    if (tree.items.length === 0) into.push([name, '']);
  } else
    for (const [key, value] of tree.entries)
      flatten(tree.entries.length === 1 && /^[SN]$/.test(key) ? name : `${name}[${key}]`, value, into);
};

const mapFields = (entries: readonly [string, Tree][]): CallbackFields => {
  const fields: CallbackFields = [];
  for (const [name, value] of entries) flatten(name, value, fields);
  return fields;
};

const at = (tree: Tree | undefined, ...names: string[]): Tree | undefined =>
  tree?.kind === 'map' ? tree.entries.find(([key]) => names.includes(key.toLowerCase()))?.[1] : undefined;

/** Pair lists: `[["id","x"],…]`, `[{"name":"id","value":"x"},…]` as in HAR and Postman. */
const pairFields = (items: readonly Tree[]): CallbackFields | null => {
  const fields: CallbackFields = [];
  for (const item of items) {
    const isPair = item.kind === 'list' && item.items.length === 2;
    const name = isPair ? item.items[0] : at(item, 'name', 'key', 'field', 'parameter');
    const value = isPair ? item.items[1] : at(item, 'value');
    if (name?.kind !== 'text' || !value) return null;
    flatten(name.text, value, fields);
  }
  return fields;
};

const base64 = /^[A-Za-z0-9+/_-]{40,}={0,2}$/;

const fromText = (text: string, inner: ReadInner): CallbackFields[] => {
  if (/order_|_id|hash/.test(text)) return inner(text);
  if (text.length > 1_000_000 || !base64.test(text)) return [];
  const decoded = Buffer.from(text, 'base64').toString('utf8');
  return /order_number|order_id/.test(decoded) ? inner(decoded) : [];
};

/** Two callbacks with the same fields, in any order, have the same key. */
const keyOf = (fields: CallbackFields): string =>
  JSON.stringify(fields.map(pair => JSON.stringify(pair)).sort());

/** In an HTTP archive only the request counts, its text before its parameter list: both have the same content. */
const requestIn = (tree: Tree, inner: ReadInner): CallbackFields[] | null => {
  const request = at(tree, 'request');
  const post = at(request, 'postdata');
  const query = at(request, 'querystring');
  if (!post && !query) return null;
  for (const part of [at(post, 'text'), at(post, 'params'), query]) {
    const found = part ? callbacksIn(part, inner) : [];
    if (found.length > 0) return found;
  }
  return [];
};

/** Every callback in a tree, in order. One that is printed twice in one record (parsed and raw) counts once. */
export const callbacksIn = (tree: Tree, inner: ReadInner): CallbackFields[] => {
  if (tree.kind === 'text') return fromText(tree.text, inner);
  if (tree.kind === 'list') {
    const pairs = pairFields(tree.items);
    if (pairs && isNameable(pairs)) return [undoEncoding(pairs).fields];
    return tree.items.flatMap(item => callbacksIn(item, inner));
  }
  const fields = mapFields(tree.entries);
  const own = tree.entries.filter(([, value]) => value.kind !== 'map' || value.entries.length === 1).length;
  if (own > 0 && isNameable(fields)) return [undoEncoding(fields).fields];
  // Elasticsearch's names have the path before them, those of GELF a line.
  const prefixed = fields
    .filter(([name]) => /[._]/.test(name))
    .map(([name, value]): [string, string] => [name.replace(/^(?:.*\.|_)/, ''), value]);
  if (own > 0 && looksLikeCallback(prefixed)) return [prefixed];
  const request = requestIn(tree, inner);
  if (request) return request;
  const isNumbered = tree.entries.every(([name]) => /^\d+$/.test(name));
  const seen = new Set<string>();
  return tree.entries.flatMap(([key, value]) => {
    // A whole body as a name: the result of JSON posted as a form in PHP and Express.
    const named = key.length > 60 && key.includes('order_number') ? inner(key) : [];
    const found = [...named, ...callbacksIn(value, inner)].filter(one => isNumbered || !seen.has(keyOf(one)));
    for (const fields of found) seen.add(keyOf(fields));
    return found;
  });
};
