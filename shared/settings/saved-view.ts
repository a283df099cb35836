export type { SavedView } from './saved-view-schema.ts';

/** Limits of saved views: their number by the height of the rail, their names by its width. */
export const maxViews = 20;
export const maxViewNameChars = 40;
/** Length limit of a view's search text, characters. */
export const maxViewQueryChars = 500;
