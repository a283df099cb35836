import type { CallbackFields } from '../../../shared/payments/evidence.ts';
import { percentDecode } from './text-form.ts';

/** `name=value&name=value` bodies. */

/** Reads a form body in one pass without intermediate lists: this is the receiver's hot path. */
export const readPairs = (text: string): CallbackFields => {
  const pairs: CallbackFields = [];
  for (let from = 0; from <= text.length;) {
    const ampersand = text.indexOf('&', from);
    const to = ampersand < 0 ? text.length : ampersand;
    const equals = text.indexOf('=', from);
    if (equals > from && equals < to)
      pairs.push([
        percentDecode(text.slice(from, equals), true),
        percentDecode(text.slice(equals + 1, to), true),
      ]);
    else if (to > from) pairs.push([percentDecode(text.slice(from, to), true), '']);
    from = to + 1;
  }
  return pairs;
};

/** A form body never contains a blank, a quote, a bar or a backslash. */
const run = /[^\s"'<>|`\\]+/g;
const doubled = /(?:order_number|payment_id)%(?:25){0,3}3D/i;

/** The runs of a line that may be form bodies or queries, each from its first name on. */
export const bodiesIn = (line: string): { body: string; at: number }[] => {
  if (!line.includes('&') && !doubled.test(line)) return [];
  const found: { body: string; at: number }[] = [];
  const runs = [...line.matchAll(run)];
  runs.forEach(({ 0: text, index }, number) => {
    // Encoded a second time.
    const decoded = !text.includes('=') && doubled.test(text) ? percentDecode(text, false) : text;
    const equals = decoded.indexOf('=');
    // A body begins with a name.
    if (equals < 0 || decoded.indexOf('&') < equals) return;
    // Not encoded: the value continues behind a blank.
    if (!decoded.includes('hash=') && runs.slice(number + 1, number + 50).some(next => /&\w+=/.test(next[0])))
      return;
    const plain = decoded.replaceAll('&amp;', '&');
    let from = Math.max(...['?', '{', '(', ',', ';', '['].map(sign => plain.lastIndexOf(sign, equals))) + 1;
    // A label such as `body=` or `data:` before the first pair is not part of it.
    from += /^(?:[\w.-]+[:=])(?=[\w.[\]-]+=)/.exec(plain.slice(from, from + 160))?.[0].length ?? 0;
    found.push({ body: plain.slice(from).replace(/#.*$/, ''), at: index });
  });
  return found;
};

/** The parameters of a text with one `name=value` a line (§2.6); null if a line is not one. */
export const readLines = (text: string): CallbackFields | null => {
  const lines = text.split(/\r?\n/).filter(line => line.trim() !== '');
  const isJoined = lines.slice(0, -1).every(line => line.trimEnd().endsWith('&'));
  const fields = lines.map((line): [string, string] => {
    const [, name = '', value = ''] = /^\s*([A-Za-z_][\w.[\]-]*)=(.*)$/.exec(line) ?? [];
    return [name, isJoined ? value.replace(/&[ \t]*$/, '') : value];
  });
  return lines.length > 1 && fields.every(([name]) => name !== '') ? fields : null;
};
