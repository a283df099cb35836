import type { Page } from 'playwright-core';

/** Where the focus can be, and whether it is visible there. */

/**
 * Focuses every element that Tab can reach, in sequence, and returns those that are not visible: outside the
 * window, or covered by a bar (WCAG 2.4.11).
 */
export const hiddenWhenFocused = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    // The results of the search are closed when the focus leaves its box.
    const over = [...document.querySelectorAll('.modal, .popover, .results')].at(-1);
    const all = (over ?? document.body).querySelectorAll<HTMLElement>(
      'a[href], button, input, textarea, select, [tabindex]',
    );
    const hidden: string[] = [];
    for (const element of all) {
      if (element.tabIndex < 0 || element.matches(':disabled') || element.closest('[inert]')) continue;
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      element.focus();
      if (document.activeElement !== element) continue;
      // A native checkbox that is drawn by its label is visible if the label is.
      const own = element.getBoundingClientRect();
      const native = element.matches('input[type=radio], input[type=checkbox]') || own.width <= 1;
      const seen = native ? (element.closest('label') ?? element.parentElement ?? element) : element;
      if (seen.getAttribute('aria-hidden') === 'true' || seen.closest('[aria-hidden="true"]')) continue;
      const { left, right, top, bottom } = seen.getBoundingClientRect();
      if (right - left <= 1) continue;
      const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
      const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
      const hit = document.elementFromPoint(x, y);
      if (hit === null || !(seen.contains(hit) || hit.contains(seen)))
        hidden.push(
          `${element.tagName.toLowerCase()}.${element.className} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}” beneath ${hit?.getAttribute('class') ?? 'the edge'}`,
        );
    }
    return hidden;
  });

/** Popovers that do not fit into the window, though they could scroll. */
export const overlaysBeyond = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.modal, .popover')].flatMap(over => {
      const { left, right, top, bottom } = over.getBoundingClientRect();
      const fits = left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
      return fits ? [] : [`${over.className}: ${[left, top, right, bottom].map(Math.round).join(' ')}`];
    }),
  );
