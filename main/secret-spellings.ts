const escapedUnits = (text: string, inHex: (unit: number) => string): string =>
  text.replaceAll(/[\x7f-\uffff]/g, unit => String.raw`\u` + inHex(unit.charCodeAt(0)).padStart(4, '0'));

/** A text in JSON as the languages write it: beyond ASCII as it is or as `\u00e9`, slashes as they are or escaped. */
const inJson = (text: string): string[] => {
  const json = JSON.stringify(text).slice(1, -1);
  return [
    json,
    escapedUnits(json, unit => unit.toString(16)),
    escapedUnits(json, unit => unit.toString(16).toUpperCase()),
  ].flatMap(one => [one, one.replaceAll('/', String.raw`\/`)]);
};

const inLowerCaseHex = (encoded: string): string =>
  encoded.replaceAll(/%[0-9A-F]{2}/g, hex => hex.toLowerCase());

/** A text in a URL, as JavaScript, RFC 3986 and a form encode it, once or twice, with hexadecimal digits in either case. */
const inUrl = (text: string): string[] => {
  const encoded = encodeURIComponent(text.toWellFormed());
  const strict = encoded.replaceAll(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams({ a: text }).toString().slice(2);
  const once = [encoded, encoded.replaceAll('%20', '+'), strict, strict.replaceAll('~', '%7E'), form];
  const twice = once.map(one => encodeURIComponent(one));
  return [...once, ...twice].flatMap(one => [one, inLowerCaseHex(one)]);
};

/**
 * The texts in which a server may repeat a secret: unchanged, in upper case as it was hashed, in lower case, in JSON and
 * in a URL. Each once, the longest first: replaced in this order, no part of a longer one remains. An empty secret has
 * none.
 */
export const spellingsOf = (secrets: Iterable<string>): string[] => {
  const spellings = new Set<string>();
  for (const secret of secrets)
    for (const text of [secret, secret.toUpperCase(), secret.toLowerCase()])
      for (const spelling of [text, ...inJson(text), ...inUrl(text)]) spellings.add(spelling);
  spellings.delete('');
  return [...spellings].sort((one, other) => other.length - one.length);
};
