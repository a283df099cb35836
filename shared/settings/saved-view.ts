import type { ListColumn } from '../payments/list-columns.ts';

/** A saved, named view of the list. */
export type SavedView = {
  id: string;
  name: string;
  /** The text of the search box: words and filters. Days by name (`today`) are relative to the current day. */
  words: string;
  /** The columns in their order; null = those of the list without a view. */
  columns: ListColumn[] | null;
  /** The id of the only person who sees it; null = everyone on this PC. */
  owner: string | null;
};

/** Limits of the views that one person sees: their number by the height of the rail, their names by its width. */
export const maxViews = 20;
export const maxViewNameChars = 40;
/** Limit of the views of all people of a PC. */
export const maxStoredViews = 400;
/** Length limit of a view's search text, characters. */
export const maxViewQueryChars = 500;

/** The views that a person sees, in their order. `personId`: the signed-in person. */
export const viewsFor = <V extends Pick<SavedView, 'owner'>>(views: readonly V[], personId: string): V[] =>
  views.filter(({ owner }) => owner === null || owner === personId);

const countByName = (views: readonly Pick<SavedView, 'name'>[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { name } of views) {
    const key = name.toLocaleLowerCase();
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
};

/**
 * Whether a change of the views that a person sees gives two of them one name. Others can give a view for everyone the
 * name of a person's own: such a pair in `present` keeps the person from no other change.
 */
export const hasNewNamesake = (
  present: readonly Pick<SavedView, 'name'>[],
  wanted: readonly Pick<SavedView, 'name'>[],
): boolean => {
  const before = countByName(present);
  return [...countByName(wanted)].some(([name, count]) => count > Math.max(1, before.get(name) ?? 0));
};
