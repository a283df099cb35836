/** Text as HTML, for printed papers and pages that customers see. */

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For an attribute, or for an element that has no other text. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, found => escapes[found] ?? found);

/** Escaped and isolated, so that bidirectional characters in it have no effect after it. */
export const safe = (text: string): string => (text === '' ? '' : `<bdi>${escaped(text)}</bdi>`);
