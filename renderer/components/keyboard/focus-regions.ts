import { canHaveFocus } from '../../focus.ts';

/**
 * The regions of the window in the order of F6. `entry` gets the focus each time; otherwise the element that had it
 * when F6 left the region, then `first`. The pane is inside the screen and counts as its own.
 */
const regions: readonly { place: string; entry?: string; first: readonly string[] }[] = [
  { place: '.rail', first: ['[aria-current]', 'a'] },
  // The grid of the list has the focus and names the current row.
  { place: '#place', entry: '.list-frame [role="grid"]', first: ['h1'] },
  { place: '.list-and-pane .pane', first: ['button'] },
  { place: '.top-bar', entry: '#search', first: [] },
];

/** The element that had the focus when F6 left a region. */
const left = new WeakMap<Element, HTMLElement>();

/** Moves the focus to the next region that is shown, or, with `isBack`, to the previous one. */
export const moveToRegion = (isBack: boolean): void => {
  const shown = regions.flatMap(({ place: selector, entry, first }) => {
    const place = document.querySelector(selector);
    if (place === null) return [];
    const find = (part: string): HTMLElement | null => place.querySelector<HTMLElement>(part);
    const target = [
      entry === undefined ? null : find(entry),
      left.get(place) ?? null,
      ...first.map(find),
    ].find(element => element !== null && place.contains(element) && canHaveFocus(element));
    return target ? [{ place, target }] : [];
  });
  const { activeElement } = document;
  const at = shown.findLastIndex(({ place }) => place.contains(activeElement));
  const from = shown[at]?.place;
  if (from !== undefined && activeElement instanceof HTMLElement) left.set(from, activeElement);
  const next = at === -1 && isBack ? -1 : at + (isBack ? -1 : 1);
  shown.at(next % shown.length)?.target.focus();
};
