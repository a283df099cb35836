/** Limit of a search text, characters: a pasted e-mail, or a line of a log. */
export const maxSearchText = 2_000;
