/** Characters that change how the text around them is read: controls, and those that turn its direction. */
const hidden = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Whether a text holds characters that change how the text around them is read. */
export const hasHiddenCharacters = (text: string): boolean => text.search(hidden) !== -1;

/** One line of text for a place that cannot set it apart (a window title, a message), with such characters replaced. */
export const plainText = (text: string): string => text.replaceAll(hidden, '\u{FFFD}');

/** The same for text of several lines: line breaks stay. */
export const plainLines = (text: string): string => text.split('\n').map(plainText).join('\n');
