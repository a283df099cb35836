import type { Page } from 'playwright-core';

/** Walks through a screen with the Tab key only. */

/** The walk so far, in the page. */
type Recorder = {
  /** The reached elements, in sequence. */
  known: Element[];
  candidates: HTMLElement[];
  /** The problems of the reached elements: no name, no focus mark, not visible. */
  faults: string[];
  /** Whether the walk has left the part or is back at its beginning. */
  hasEnded: boolean;
  /** Records where the last press led, unless that has been recorded. */
  recordPress: () => void;
  /** Stops listening to the keyboard. */
  stop: () => void;
};
export type Walk = { stops: number; faults: string[]; missed: string[] };

/** The window, or only the place of the screen: rail and bar are the same on every screen. */
export type Part = 'window' | 'screen';

/**
 * Lists the focusable elements and their appearance without focus; the page records each stop itself, before the next
 * press: asking for it takes longer than the press.
 */
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
    const whole = place ?? (over === undefined ? document.body : null);
    if (whole) {
      // Tab continues with its first element, and not after one that may be replaced during the walk.
      whole.tabIndex = -1;
      whole.focus();
    }
    if (whole === document.body) whole.removeAttribute('tabindex');
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
    const before = new Map(
      // A dialog keeps the focus within itself.
      candidates.filter(one => one !== document.activeElement).map(one => [one, looks(one)]),
    );
    const known: Element[] = [];
    const faults: string[] = [];
    let left = 0;
    let hasEnded = false;
    const record = (): void => {
      const element = document.activeElement;
      if (!element || element === document.body || place?.contains(element) === false) {
        // After the last element the focus leaves the page once, and returns to the first.
        left += 1;
        hasEnded = (left > 1 || part === 'screen') && known.length > 0;
        return;
      }
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
      if (known.includes(element)) {
        if (element !== known[0]) faults.push(`${description} is come to twice`);
        hasEnded = true;
        return;
      }
      known.push(element);
      if (name === undefined) faults.push(`${description} has no name`);
      const seen = element.matches('input[type=radio], input[type=checkbox]')
        ? (element.closest('label') ?? element)
        : element;
      const { left: start, right, top, bottom } = seen.getBoundingClientRect();
      if (right <= 0 || bottom <= 0 || start >= innerWidth || top >= innerHeight)
        faults.push(`${description} is out of sight`);
      const unmarked = before.get(element as HTMLElement);
      if (unmarked !== undefined && unmarked === looks(element))
        faults.push(`${description} has no mark of the focus`);
    };
    let isPressed = false;
    const recordPress = (): void => {
      if (isPressed && !hasEnded) record();
      isPressed = false;
    };
    const onPress = (event: KeyboardEvent): void => {
      // Before this press moves the focus on: by now the stop has its mark.
      recordPress();
      isPressed = true;
      if (!hasEnded) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener('keydown', onPress, { capture: true });
    const walk: Recorder = {
      known,
      candidates,
      faults,
      get hasEnded() {
        return hasEnded;
      },
      recordPress,
      stop: () => removeEventListener('keydown', onPress, { capture: true }),
    };
    Object.assign(globalThis, { walk });
  }, part);

/** Records the last press; whether the walk is complete. */
const hasEnded = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const { walk } = globalThis as unknown as { walk: Recorder };
    walk.recordPress();
    return walk.hasEnded;
  });

/** The result; of the elements that were not reached, a widget with arrow keys and a radio group count once. */
const resultOf = (page: Page): Promise<Walk> =>
  page.evaluate(() => {
    const { candidates, known, faults, stop } = (globalThis as unknown as { walk: Recorder }).walk;
    stop();
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
    const missed = candidates
      .filter(one => one.isConnected && !isReached(one))
      .map(
        one =>
          `${one.tagName.toLowerCase()}.${one.getAttribute('class') ?? ''} “${(one.textContent ?? '').trim().slice(0, 40)}” ${one.outerHTML.slice(0, 150)}`,
      );
    return { stops: known.length, faults, missed };
  });

const maxPresses = 400;
/** Presses before the page is asked whether the walk is complete; those after its end do nothing. */
const batchSize = 6;

const walkOnce = async (page: Page, part: Part): Promise<Walk> => {
  await prepare(page, part);
  for (let presses = 0; presses < maxPresses; presses += batchSize) {
    for (let press = 0; press < batchSize; press += 1) await page.keyboard.press('Tab');
    if (await hasEnded(page)) break;
  }
  return resultOf(page);
};

/** Presses Tab until the walk leaves the part or is back at its beginning; returns the reached elements and the others. */
export const walkThrough = async (page: Page, part: Part): Promise<Walk> => {
  const walk = await walkOnce(page, part);
  // A screen that still reads its figures moves under the focus. A fault of the screen is one in a second walk too.
  return walk.faults.length === 0 && walk.missed.length === 0 ? walk : walkOnce(page, part);
};
