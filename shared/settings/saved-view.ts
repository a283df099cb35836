export type { SavedView } from './saved-view-schema.ts';

/** Views of the list that somebody saved: as many as a rail can hold, their names as long as it is wide. */
export const maxViews = 20;
export const maxViewNameChars = 40;
/** Letters in the words of a view. */
export const maxViewQueryChars = 500;
