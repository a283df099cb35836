/** What identifies a payment in a pasted text: an e-mail, a line of a log, an address. */

const uuid = /(?<![\p{L}\p{N}-])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![\p{L}\p{N}-])/giu;
const address = /https?:\/\/[^\s<>|"'`]+/gi;
/** Marks that separate an order number from the text around it. */
const separators = /[\s/?&=#:,;()[\]<>"'|*]+/;

/** The UUIDs of a text, in lower case, each once. */
export const uuidsIn = (text: string): string[] => [
  ...new Set((text.match(uuid) ?? []).map(id => id.toLowerCase())),
];

/** The address that a mail filter (Safe Links, Proofpoint) or a search page put into its own. */
const unwrapped = (found: string): string => {
  const [, inner] =
    /urldefense\.com\/v3\/__(https?:.+?)__;/i.exec(found) ??
    /[?&](?:url|q|u)=(https?(?:%3A|:|-3A)[^&]+)/i.exec(found) ??
    [];
  if (inner === undefined) return found;
  const escaped = /^https?-3A/i.test(inner)
    ? inner.replaceAll('_', '/').replaceAll(/-([0-9A-F]{2})/gi, '%$1')
    : inner;
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
};

/**
 * The web addresses of a text, without the punctuation of a sentence around them and without what wrapped them, also
 * those that a mail program broke over two lines.
 */
export const addressesIn = (text: string): string[] => {
  const whole = text.includes('\n') ? [text, text.replaceAll(/[\s>]*\n[\s>]*/g, '')] : [text];
  const found = whole.flatMap(one => one.match(address) ?? []);
  return [...new Set(found)].map(one =>
    unwrapped(one.replaceAll('&amp;', '&')).replace(/[.,;:!?)\]}»”]+$/u, ''),
  );
};

/**
 * The text without web addresses: a payment link is a bearer credential and must not become part of the window's
 * address.
 */
export const withoutAddresses = (text: string): string =>
  text.includes('://') ? text.replaceAll(address, ' ').replaceAll(/\s+/g, ' ').trim() : text;

/** Whether a text is too long to be search words: then only an id in it counts. */
export const isPasted = (text: string): boolean =>
  text.includes('\n') ||
  text.includes('://') ||
  text.trim().split(/\s+/).length > 4 ||
  /^\p{L}[\p{L} -]{2,30}[:#]\s*\S+$/u.test(text.trim());

/** Limit of parts of a text that are tried as order numbers. */
const maxCandidates = 300;

/** Parts of a text that may be order numbers: with a digit, and long enough not to be a day or a room. */
export const orderNumbersIn = (text: string): string[] => {
  const parts = [...text.split(/\s+/), ...text.split(separators)]
    .map(part => part.replace(/^[^\p{L}\p{N}]+/u, '').replace(/[^\p{L}\p{N}]+$/u, ''))
    .filter(part => part.length <= 255 && /\d/.test(part) && /^\d{5,}$|^(?=.*\D).{4,}$/.test(part))
    .filter(part => !/[|*]/.test(part));
  return [...new Set(parts)].slice(0, maxCandidates);
};

/** Whether a text of these search words is prose with something that identifies a payment: its words are no filters. */
export const isProse = (text: string, words: string): boolean =>
  isPasted(text) &&
  words.trim().split(/\s+/).length > 3 &&
  (uuidsIn(text).length > 0 ||
    addressesIn(text).length > 0 ||
    orderNumbersIn(text).some(part => /\p{L}/u.test(part) || /^\d{5,}$/.test(part)));
