import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import type { Locator, Page } from 'playwright-core';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { raiseLink, word } from '../../../tools/browser-harness/console.ts';
import { show } from '../../../tools/screens/reach.ts';

/** Dialogs, menus and popovers: they have the keyboard from the moment they are opened, also the first time. */

type Overlay = {
  /** The address's hash of its screen. */
  at: string;
  /** What is awaited, and clicked unless there is a key. */
  from: (page: Page) => Locator;
  key?: string;
};

const clicked = (at: string, from: (page: Page) => Locator): Overlay => ({ at, from });
const pressed = (at: string, key: string): Overlay => ({
  at,
  from: page => page.locator('.screen-name h1:focus'),
  key,
});
/** Opens it with one real click or key press, and waits for nothing. */
const open = async (page: Page, { from, key }: Overlay): Promise<void> => {
  if (key !== undefined) return page.keyboard.press(key);
  // Where it is to stay: a screen that still reads its figures moves.
  let place = await from(page).boundingBox();
  for (let before = null; JSON.stringify(place) !== JSON.stringify(before);) {
    before = place;
    await page.evaluate(() => new Promise(requestAnimationFrame));
    place = await from(page).boundingBox();
  }
  if (place) await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2);
};
const amountFilter = (page: Page) =>
  page
    .getByRole('toolbar', { name: word('filter.name') })
    .getByRole('button', { name: word('filter.amount') });
const named = (page: Page, name: string) => page.getByRole('button', { name }).first();

/** Overlays with a text field, which has the focus. */
const withField: Readonly<Record<string, Overlay>> = {
  'a filter by amount': clicked('#/payments/all', amountFilter),
  'a new person': clicked('#/settings/people', page => named(page, word('agents.add'))),
};
const withoutField: Readonly<Record<string, Overlay>> = {
  'the shortcuts': pressed('#/callbacks', '?'),
  'the people': clicked('#/callbacks', page => page.getByRole('button', { name: /^Signed in:/ })),
  'the code for a camera': clicked('payment', page => named(page, word('link.qr'))),
};
const overlays = { ...withField, ...withoutField };

/** Typing at any speed. */
const parts = fc.constantFrom('anna', ' ', 'nowak', 'n', 'z', '/', '?', '50', 'ö', 'last week');
const texts = fc.sample(
  fc.array(fc.tuple(parts, fc.integer({ min: 0, max: 60 })), { minLength: 4, maxLength: 7 }),
  { numRuns: 2, seed: 40 },
);

onEachDriver('an overlay', name => {
  let payment = '';
  const { page } = useConsole({ driver: name }, async () => {
    await raiseLink(page, { amount: '12', description: 'Tickets', name: 'Anna Nowak' });
    payment = await page.evaluate(() => location.hash);
    await page.reload();
    await page.locator('#place h1').waitFor();
  });

  const hashOf = ({ at }: Overlay): string => (at === 'payment' ? payment : at);
  /** Opens the screen of an overlay; its button is there then. */
  const goTo = async (overlay: Overlay): Promise<void> => {
    await show(page, hashOf(overlay));
    await overlay.from(page).waitFor();
  };
  /** The same in a page that has been loaded again, so that nothing has been opened before. */
  const reload = async (overlay: Overlay): Promise<void> => {
    await goTo(overlay);
    await page.reload();
    await overlay.from(page).waitFor();
  };
  /** Records whether an overlay opens, and presses keys in the task of the click or key that opens it. */
  const pressWithNextAction = (keys: readonly string[]): Promise<void> =>
    page.evaluate(keys => {
      const overlay = '.modal, .whole-window-modal, .popover';
      const seen = { opened: false, closed: false };
      Object.assign(globalThis, { seen });
      const observer = new MutationObserver(records => {
        for (const record of records)
          for (const node of record.addedNodes)
            if (node instanceof Element && (node.matches(overlay) || node.querySelector(overlay)))
              seen.opened = true;
        if (!seen.opened || document.querySelector(overlay)) return;
        seen.closed = true;
        observer.disconnect();
      });
      observer.observe(document.body, { childList: true, subtree: true });
      const act = (event: globalThis.Event): void => {
        if (event instanceof KeyboardEvent && ['Control', 'Shift'].includes(event.key)) return;
        removeEventListener('click', act, true);
        removeEventListener('keydown', act, true);
        // A copy in its place: after it and its microtasks, but in the same task, come the keys.
        event.preventDefault();
        event.stopImmediatePropagation();
        const Kind = event.constructor as typeof MouseEvent;
        event.target?.dispatchEvent(new Kind(event.type, event));
        queueMicrotask(() => {
          for (const key of keys)
            document.activeElement?.dispatchEvent(
              new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
            );
        });
      };
      addEventListener('click', act, true);
      addEventListener('keydown', act, true);
    }, keys);
  const hasClosed = () =>
    page.evaluate(() => (globalThis as unknown as { seen: { closed: boolean } }).seen.closed);

  test.each(Object.keys(overlays))(
    '%s is closed by Esc in the task that first opens it, and letters before it do nothing',
    async key => {
      const overlay = overlays[key];
      if (!overlay) throw new Error(key);
      await goTo(overlay);
      await pressWithNextAction(['o', 'Escape']);
      await open(page, overlay);
      await expect.poll(hasClosed, { interval: 20 }).toBe(true);
      await expect.poll(() => page.evaluate(() => location.hash)).toBe(hashOf(overlay));
    },
  );

  test.each(Object.keys(withField))('%s has what is typed right after it is first opened', async key => {
    const overlay = withField[key];
    if (!overlay) throw new Error(key);
    await reload(overlay);
    await open(page, overlay);
    await page.keyboard.type('pron');
    const field = page.locator('.modal input, .popover input').first();
    await expect.poll(() => field.inputValue(), { interval: 20 }).toBe('pron');
    // One press, although the field contains text.
    await page.keyboard.press('Escape');
    await page.locator('.modal, .popover').waitFor({ state: 'detached' });
  });

  test.each(['the code for a camera', 'a filter by amount'])(
    '%s is closed by Esc while a screen reader’s click has not yet moved the focus into it',
    async key => {
      const overlay = overlays[key];
      if (!overlay) throw new Error(key);
      await goTo(overlay);
      await overlay.from(page).evaluate(async button => {
        // Without a pointer, as a screen reader clicks.
        if (button instanceof HTMLElement) button.click();
        await Promise.resolve();
        button.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
        );
      });
      await page.locator('.modal, .whole-window-modal, .popover').waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate(() => location.hash)).toBe(hashOf(overlay));
    },
  );

  /** Holds back a script until the returned function is called. */
  const holdScript = async (name: string): Promise<() => void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(new RegExp(`/${name}-[\\w-]+\\.js$`), async route => {
      await promise;
      await route.fallback();
    });
    return resolve;
  };
  test('what is typed while a screen is still loaded is in its field', async () => {
    const release = await holdScript('look-up');
    await reload(pressed('#/callbacks', 'l'));
    await page.keyboard.press('l');
    await page.keyboard.type('pron');
    release();
    const field = page.locator('[name="look-up"]');
    await expect.poll(() => field.inputValue(), { interval: 20 }).toBe('pron');
  });

  describe('while the window is busy', () => {
    beforeAll(async () => {
      // The main thread, a third of the time; other windows of the browser may share it.
      await page.evaluate(() => {
        window.setInterval(() => {
          const end = performance.now() + 15;
          while (performance.now() < end);
        }, 45);
      });
    });

    test.each([
      ['the search on the list', '#/payments/all', '#search'],
      ['the customer of a new payment', '#/new', '[name="customerName"]'],
      ['the note of a payment', 'payment', '.note-box textarea, aside textarea'],
    ])(
      'random keys with random pauses in %s end in the same text as without pauses',
      async (_, hash, field) => {
        await show(page, hash === 'payment' ? payment : hash);
        const input = page.locator(field).first();
        for (const typed of texts) {
          await input.fill('');
          await input.focus();
          for (const [part, delay] of typed) await page.keyboard.type(part, { delay });
          await expect.poll(() => input.inputValue()).toBe(typed.map(([part]) => part).join(''));
        }
      },
    );
  });
});
