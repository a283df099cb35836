import * as z from 'zod';
import { maxViewNameChars, maxViews, viewsFor, type SavedView } from '../../../shared/settings/saved-view.ts';
import { savedViewSchema } from '../../../shared/settings/settings.ts';

const sharedViewsSchema = z.array(savedViewSchema).max(maxViews);

/** The views in a stored list; null if this version cannot read it. */
export const readViews = (body: string): SavedView[] | null => {
  try {
    const read = sharedViewsSchema.safeParse(JSON.parse(body));
    return read.success ? read.data.map(view => ({ ...view, owner: null })) : null;
  } catch {
    return null;
  }
};

/** The list as the shared log stores it: the views of everyone. */
export const writeViews = (views: readonly SavedView[]): string => JSON.stringify(viewsFor(views, ''));

/** Views with the same search and columns are one. */
const contentOf = ({ words, columns }: SavedView): string => JSON.stringify([words, columns]);
/** Whether the team has this view, changed or under another name. */
const isIn = (team: readonly SavedView[], view: SavedView): boolean =>
  team.some(({ id }) => id === view.id) || team.some(one => contentOf(one) === contentOf(view));

const freeName = (name: string, views: readonly SavedView[]): string => {
  const taken = new Set(views.map(one => one.name.toLocaleLowerCase()));
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` (${number})`;
    const free = name.slice(0, maxViewNameChars - suffix.length) + suffix;
    if (!taken.has(free.toLocaleLowerCase())) return free;
  }
};

/**
 * The team's views, and after them those of an installation that joins, up to the limit. A name that the team uses for
 * another search gets a number.
 */
export const joinViews = (team: readonly SavedView[], local: readonly SavedView[]): SavedView[] => {
  const joined = [...team];
  for (const view of viewsFor(local, ''))
    if (joined.length < maxViews && !isIn(joined, view))
      joined.push({ ...view, name: freeName(view.name, joined) });
  return joined;
};

/**
 * `views` with `shared` in place of those of everyone: the first ones take the positions of the earlier ones, further
 * ones follow.
 */
export const placeViews = (views: readonly SavedView[], shared: readonly SavedView[]): SavedView[] => {
  const rest = [...shared];
  const placed = views.flatMap(view => (view.owner === null ? rest.splice(0, 1) : [view]));
  return [...placed, ...rest];
};

/**
 * The views of an installation after a copy of the team's. `isFirst`: it had none before, and what the team has no room
 * for becomes `person`'s.
 */
export const mergeViews = (
  local: readonly SavedView[],
  team: readonly SavedView[],
  isFirst: boolean,
  person: string | undefined,
): SavedView[] => {
  const left = isFirst ? viewsFor(local, '').filter(view => !isIn(team, view)) : [];
  return [
    ...placeViews(local, team),
    ...left.flatMap(view => (person === undefined ? [] : [{ ...view, owner: person }])),
  ];
};
