/** A saved, named view of the list. */
export type SavedView = {
  id: string;
  name: string;
  /** The text of the search box: words and filters. Days by name (`today`) are relative to the current day. */
  words: string;
};

/** Limits of saved views: their number by the height of the rail, their names by its width. */
export const maxViews = 20;
export const maxViewNameChars = 40;
/** Length limit of a view's search text, characters. */
export const maxViewQueryChars = 500;
