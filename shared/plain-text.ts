/** Invisible characters that change how the surrounding text reads: control and bidirectional characters. */
const hidden = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Whether a text contains such characters. */
export const hasHiddenCharacters = (text: string): boolean => text.search(hidden) !== -1;

/** One line of text for plain contexts (a window title, a message), with such characters replaced. */
export const plainText = (text: string): string => text.replaceAll(hidden, '\u{FFFD}');
