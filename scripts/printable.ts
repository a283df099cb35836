const unsafe = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * Text for a terminal: control characters (C0, DEL, C1) and characters that turn the direction of writing are
 * escaped as `\uXXXX`, as JSON writes them. A line break between items is the caller's own.
 */
export const printable = (text: string): string =>
  text.replaceAll(unsafe, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** JSON for a terminal: as `JSON.stringify`, with what `printable` escapes escaped as well. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(unsafe, character =>
    character === '\n' ? character : printable(character),
  );
