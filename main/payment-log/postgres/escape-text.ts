/** PostgreSQL's texts cannot contain U+0000. It is stored as these two characters; the first one is doubled. */
const escape = '\u0010';
const escaped = new RegExp(`${escape}([${escape}0])`, 'g');

/** A text for a column: every text can be stored and read back. The text must be well-formed. */
export const escapeText = (text: string): string =>
  text.includes(escape) || text.includes('\0')
    ? text.replaceAll(escape, escape + escape).replaceAll('\0', `${escape}0`)
    : text;

/** The text of a column. */
export const unescapeText = (text: string): string =>
  text.includes(escape) ? text.replaceAll(escaped, (_, of: string) => (of === '0' ? '\0' : escape)) : text;
