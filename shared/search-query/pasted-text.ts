/** What identifies a payment in a pasted text: an e-mail, a line of a log, an address. */

const uuid = /(?<![\p{L}\p{N}-])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![\p{L}\p{N}-])/giu;
const address = /https?:\/\/[^\s<>"'`]+/gi;
/** Marks that separate an order number from the text around it. */
const separators = /[\s/?&=#:,;()[\]<>"'|*]+/;

/** The UUIDs of a text, in lower case, each once. */
export const uuidsIn = (text: string): string[] => [
  ...new Set((text.match(uuid) ?? []).map(id => id.toLowerCase())),
];

/** The web addresses of a text, without the punctuation of a sentence around them. */
export const addressesIn = (text: string): string[] =>
  (text.match(address) ?? []).map(found => found.replaceAll('&amp;', '&').replace(/[.,;:!?)\]}»”]+$/u, ''));

/**
 * The text without web addresses: a payment link is a bearer credential and must not become part of the window's
 * address.
 */
export const withoutAddresses = (text: string): string =>
  text.includes('://') ? text.replaceAll(address, ' ').replaceAll(/\s+/g, ' ').trim() : text;

/** Whether a text is too long to be search words: then only an id in it counts. */
export const isPasted = (text: string): boolean =>
  text.includes('\n') || text.includes('://') || text.trim().split(/\s+/).length > 4;

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
