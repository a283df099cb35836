import type { Page } from 'playwright-core';

/** Walks through a screen with the Tab key only. */

type Stop = {
  /** The element's number. */
  id: number;
  description: string;
  /** Its problem; empty if it has a name, a focus mark and is visible. */
  faults: string[];
};
export type Walk = { stops: number; faults: string[]; missed: string[] };

/** The window, or only the place of the screen: rail and bar are the same on every screen. */
export type Part = 'window' | 'screen';

/** Lists the focusable elements and their appearance without focus; the state is stored in the page. */
const prepare = (page: Page, part: Part): Promise<void> =>
  page.evaluate(async part => {
    (document.activeElement as HTMLElement | null)?.blur();
    // The widgets remove their marks in the next frames.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const looks = (element: Element): string => {
      const active = element.getAttribute('aria-activedescendant');
      const label = element.closest('label');
      const parts = [element, label, ...(label?.querySelectorAll('*') ?? []), element.parentElement];
      if (active !== null) parts.push(document.getElementById(active));
      return parts
        .map(part => {
          if (!part) return '';
          const { outline, outlineStyle, boxShadow, borderColor, backgroundColor } = getComputedStyle(part);
          return [outlineStyle === 'none' ? '' : outline, boxShadow, borderColor, backgroundColor].join(' ');
        })
        .join('\n');
    };
    const over = [...document.querySelectorAll('.modal, .popover')].at(-1);
    const place =
      part === 'screen' && over === undefined ? document.querySelector<HTMLElement>('#place') : null;
    if (place) {
      // Tab continues with its first element.
      place.tabIndex = -1;
      place.focus();
    }
    const candidates = [
      ...(over ?? place ?? document.body).querySelectorAll<HTMLElement>(
        'a[href], button, input, textarea, select, [tabindex]',
      ),
    ].filter(
      element =>
        !element.matches(':disabled, h1, [aria-hidden=true]') &&
        element.closest('[inert], [aria-hidden=true]') === null &&
        element.checkVisibility({ visibilityProperty: true }) &&
        // Dialogs have a close button of one pixel for screen readers.
        !(element.tabIndex < 0 && element.style.width === '1px') &&
        // Esc has the same effect as the button in the search box.
        (element.tabIndex >= 0 || element.matches('a, button:not(.search-clear)')),
    );
    const known: Element[] = [];
    Object.assign(globalThis, {
      walk: {
        looks,
        place,
        candidates,
        known,
        before: new Map(
          // A dialog keeps the focus within itself.
          candidates.filter(one => one !== document.activeElement).map(one => [one, looks(one)]),
        ),
      },
    });
  }, part);

/** The focused element; null for the document itself, and outside the walked part. */
const here = (page: Page): Promise<Stop | null> =>
  page.evaluate(() => {
    const { looks, place, known, before } = (
      globalThis as unknown as {
        walk: {
          looks: (element: Element) => string;
          place: Element | null;
          known: Element[];
          before: Map<Element, string>;
        };
      }
    ).walk;
    const element = document.activeElement;
    if (!element || element === document.body || place?.contains(element) === false) return null;
    if (!known.includes(element)) known.push(element);
    const labels = (element as HTMLInputElement).labels;
    const name = [
      element.getAttribute('aria-label'),
      ...(element.getAttribute('aria-labelledby') ?? '')
        .split(' ')
        .map(id => document.getElementById(id)?.textContent),
      ...[...(labels ?? [])].map(label => label.textContent),
      element.textContent,
      element.getAttribute('title'),
    ].find(text => (text ?? '').trim() !== '');
    const description = `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} “${(name ?? '').trim().slice(0, 40)}”`;
    const faults: string[] = [];
    if (name === undefined) faults.push(`${description} has no name`);
    const seen = element.matches('input[type=radio], input[type=checkbox]')
      ? (element.closest('label') ?? element)
      : element;
    const { left, right, top, bottom } = seen.getBoundingClientRect();
    if (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight)
      faults.push(`${description} is out of sight`);
    const unmarked = before.get(element);
    if (unmarked !== undefined && unmarked === looks(element))
      faults.push(`${description} has no mark of the focus`);
    return { id: known.indexOf(element), description, faults };
  });

/** The elements that were not reached; a widget with arrow keys, and a radio group, count once. */
const missed = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { candidates, known } = (
      globalThis as unknown as { walk: { candidates: HTMLElement[]; known: Element[] } }
    ).walk;
    const composite =
      '[role=grid], [role=menu], [role=radiogroup], [role=listbox], [role=toolbar], [role=application], .chart-days';
    const isReached = (one: HTMLElement): boolean => {
      const within = one.closest(composite);
      return known.some(
        stop =>
          one.contains(stop) ||
          within?.contains(stop) ||
          (stop instanceof HTMLInputElement &&
            stop.type === 'radio' &&
            stop.name === one.getAttribute('name')),
      );
    };
    return candidates
      .filter(one => one.isConnected && !isReached(one))
      .map(
        one =>
          `${one.tagName.toLowerCase()}.${one.getAttribute('class') ?? ''} “${(one.textContent ?? '').trim().slice(0, 40)}” ${one.outerHTML.slice(0, 150)}`,
      );
  });

const walkOnce = async (page: Page, part: Part): Promise<Walk> => {
  await prepare(page, part);
  const faults: string[] = [];
  const ids: number[] = [];
  let left = 0;
  for (let step = 0; step < 400; step += 1) {
    await page.keyboard.press('Tab');
    const stop = await here(page);
    if (stop === null) {
      // After the last element the focus leaves the page once, and returns to the first.
      left += 1;
      if ((left > 1 || part === 'screen') && ids.length > 0) break;
      continue;
    }
    if (ids.includes(stop.id)) {
      if (stop.id !== ids[0]) faults.push(`${stop.description} is come to twice`);
      break;
    }
    ids.push(stop.id);
    faults.push(...stop.faults);
  }
  return { stops: ids.length, faults, missed: await missed(page) };
};

/** Presses Tab until the walk leaves the part or is back at its beginning; returns the reached elements and the others. */
export const walkThrough = async (page: Page, part: Part): Promise<Walk> => {
  const walk = await walkOnce(page, part);
  // A screen that still reads its figures moves under the focus. A fault of the screen is one in a second walk too.
  return walk.faults.length === 0 && walk.missed.length === 0 ? walk : walkOnce(page, part);
};
