/** Invisible characters that change how the surrounding text reads: control and bidirectional characters. */
const hidden = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Whether a text contains such characters. */
export const hasHiddenCharacters = (text: string): boolean => text.search(hidden) !== -1;

const unseen = /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

/** What a copied key, number or address got at its ends or inside without anybody seeing it; null if nothing. */
export const unseenIn = (text: string): 'blank' | { code: string } | null => {
  const [found] = text.match(unseen) ?? [];
  if (found !== undefined)
    return { code: `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}` };
  return text === text.trim() ? null : 'blank';
};

/** A key, number or address without that. */
export const withoutUnseen = (text: string): string => text.replaceAll(unseen, '').trim();

/** Embeddings, overrides and isolates: what follows them is turned around, also outside the text that contains them. */
const turning = /[\u202a-\u202e\u2066-\u2069]/g;

/** A text as a part of a line: what would turn the rest of the line around is replaced. */
export const inLine = (text: string): string => text.replaceAll(turning, '\u{FFFD}');

/** One line of text for plain contexts (a window title, a message), with such characters replaced. */
export const plainText = (text: string): string => text.replaceAll(hidden, '\u{FFFD}');
