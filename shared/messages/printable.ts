const unsafe = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * Text for a terminal: control characters (C0, DEL, C1) and bidirectional characters are escaped as `\uXXXX`, as in
 * JSON. Line breaks between items are the caller's.
 */
export const printable = (text: string): string =>
  text.replaceAll(unsafe, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** JSON for a terminal: `JSON.stringify` with the escapes of `printable`. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(unsafe, character =>
    character === '\n' ? character : printable(character),
  );
