import type { CallbackFields } from '../../../shared/payments/evidence.ts';
import type { Tree } from './literal.ts';
import { isNameable, undoEncoding } from './text-form.ts';

/** Reads callbacks from a text inside a structure: a body in a log entry, JSON in JSON. */
export type ReadInner = (text: string) => CallbackFields[];

/** Limit of fields below one value; it prevents a hostile tree from multiplying. */
const maxFields = 2_000;

const isList = (tree: Tree): tree is Extract<Tree, { kind: 'list' }> => tree.kind === 'list';

/**
 * `custom_data: { a: 1 }` is `custom_data[a]=1` on the wire; a list of one is its item; a longer one repeats the
 * name.
 */
const flatten = (name: string, tree: Tree, into: CallbackFields): void => {
  if (into.length > maxFields) return;
  if (tree.kind === 'text') into.push([name, tree.text]);
  else if (isList(tree)) {
    for (const item of tree.items) flatten(name, item, into);
    if (tree.items.length === 0) into.push([name, '']);
  } else for (const [key, value] of tree.entries) flatten(`${name}[${key}]`, value, into);
};

const mapFields = (entries: readonly [string, Tree][]): CallbackFields => {
  const fields: CallbackFields = [];
  for (const [name, value] of entries) flatten(name, value, fields);
  return fields;
};

const textAt = (tree: Tree, ...names: string[]): string | null => {
  if (tree.kind !== 'map') return null;
  for (const [key, value] of tree.entries)
    if (value.kind === 'text' && names.includes(key.toLowerCase())) return value.text;
  return null;
};

/** Pair lists: `[["id","x"],…]`, `[('id','x'),…]`, `[{"name":"id","value":"x"},…]` as in HAR and Postman. */
const pairFields = (items: readonly Tree[]): CallbackFields | null => {
  const fields: CallbackFields = [];
  for (const item of items) {
    const [key, value] = isList(item) ? item.items : [];
    if (key?.kind === 'text' && value && isList(item) && item.items.length === 2)
      flatten(key.text, value, fields);
    else {
      const name = textAt(item, 'name', 'key', 'field', 'parameter');
      const text = textAt(item, 'value');
      if (name === null || text === null) return null;
      fields.push([name, text]);
    }
  }
  return fields;
};

const base64 = /^[A-Za-z0-9+/_-]{40,}={0,2}$/;

const fromText = (text: string, inner: ReadInner): CallbackFields[] => {
  if (/order_|_id|hash/.test(text)) return inner(text);
  if (text.length <= 1_000_000 && base64.test(text)) {
    const decoded = Buffer.from(text, 'base64').toString('utf8');
    if (/order_number|order_id/.test(decoded)) return inner(decoded);
  }
  return [];
};

/** Two callbacks with the same fields, in any order, have the same key. */
const keyOf = (fields: CallbackFields): string =>
  fields
    .map(field => JSON.stringify(field))
    .sort()
    .join(',');

/** In a HAR only the request counts, its text before its parameter list: both have the same content. */
const harRequest = (tree: Tree, inner: ReadInner): CallbackFields[] | null => {
  if (tree.kind !== 'map') return null;
  const request = tree.entries.find(([key]) => key === 'request')?.[1];
  if (request?.kind !== 'map') return null;
  const post = request.entries.find(([key]) => key === 'postData')?.[1];
  const query = request.entries.find(([key]) => key === 'queryString')?.[1];
  if (!post && !query) return null;
  const text = post ? textAt(post, 'text') : null;
  const read = text === null ? [] : fromText(text, inner);
  if (read.length > 0) return read;
  const params = post?.kind === 'map' ? post.entries.find(([key]) => key === 'params')?.[1] : undefined;
  for (const list of [params, query]) {
    const found = list ? callbacksIn(list, inner) : [];
    if (found.length > 0) return found;
  }
  return [];
};

/** Whether a tree is an HTTP archive. */
export const isHar = (tree: Tree): boolean => {
  if (tree.kind !== 'map') return false;
  const log = tree.entries.find(([key]) => key === 'log')?.[1];
  return log?.kind === 'map' && log.entries.some(([key]) => key === 'entries');
};

/** Every callback in a tree, in order. One that is printed twice in one record (parsed and raw) counts once. */
export const callbacksIn = (tree: Tree, inner: ReadInner): CallbackFields[] => {
  if (tree.kind === 'text') return fromText(tree.text, inner);
  if (isList(tree)) {
    const pairs = pairFields(tree.items);
    if (pairs && isNameable(pairs)) return [undoEncoding(pairs).fields];
    return tree.items.flatMap(item => callbacksIn(item, inner));
  }
  const fields = mapFields(tree.entries);
  const own = tree.entries.filter(([, value]) => value.kind === 'text' || isList(value)).length;
  if (own > 0 && isNameable(fields)) return [undoEncoding(fields).fields];
  const request = harRequest(tree, inner);
  if (request) return request;
  const found: CallbackFields[] = [];
  const numbered = tree.entries.every(([name]) => /^\d+$/.test(name));
  const seen = new Set<string>();
  const take = (group: readonly CallbackFields[]): void => {
    const before = found.length;
    for (const fields of group) if (seen.size === 0 || !seen.has(keyOf(fields))) found.push(fields);
    if (!numbered) for (const fields of found.slice(before)) seen.add(keyOf(fields));
  };
  for (const [key, value] of tree.entries) {
    // A whole body as a name: the result of JSON posted as a form in PHP and Express.
    if (key.length > 60 && /order_number/.test(key)) take(inner(key));
    take(callbacksIn(value, inner));
  }
  return found;
};
