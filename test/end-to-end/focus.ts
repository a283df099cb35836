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
      // A note about a payment covers the page only until it is closed or its time has passed.
      const notes = element.closest('.toasts');
      const hit = document.elementsFromPoint(x, y).find(one => one.closest('.toasts') === notes);
      if (hit === undefined || !(seen.contains(hit) || hit.contains(seen)))
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

/** The groups of choices from which an arrow key moves the focus, or in which it chooses nothing. */
export const lostByArrows = async (page: Page): Promise<string[]> => {
  const lost: string[] = [];
  const over = page.locator('.modal, .popover').last();
  const shown = (await over.count()) > 0 ? over : page;
  for (const group of await shown.getByRole('radiogroup').all()) {
    const choices = group.locator('input:enabled');
    const all = await choices.count();
    if (all < 2 || !(await group.isVisible())) continue;
    const marked = group.locator('input:checked');
    await ((await marked.count()) > 0 ? marked : choices.first()).focus();
    const seen = new Set<string>();
    // Once around: the last press is back at the first choice.
    for (let press = 0; press < all; press += 1) {
      await page.keyboard.press('ArrowDown');
      seen.add(
        await group.evaluate(
          async (element, before) => {
            // A choice that changes the form is drawn some frames later.
            for (let frame = 0; frame < 60; frame += 1) {
              await new Promise(requestAnimationFrame);
              const focused = element.querySelector<HTMLInputElement>('input:focus');
              if (focused?.checked === true && focused.value !== before) return focused.value;
            }
            return 'lost';
          },
          [...seen].at(-1) ?? null,
        ),
      );
    }
    if (seen.size < all || seen.has('lost')) lost.push(`${await group.innerText()}: ${[...seen].join(', ')}`);
  }
  return lost;
};
