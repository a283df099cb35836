import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { colours, faintTexts, violationsOn } from '../../tools/browser-harness/axe.ts';
import { appears, english, ipcRequest, raiseLink, speak } from '../../tools/browser-harness/console.ts';
import { onEachDriver } from '../../tools/browser-harness/use-console.ts';
import { startApp, type StartedApp } from '../../tools/browser-harness/open-app.ts';
import { windowSize } from '../../tools/fake-electron/host.ts';
import { orderFaults, treeOf } from './accessibility-tree.ts';
import { cardDigits, cardNumbersKept } from './card-fields.ts';
import { prepareScreens } from '../../tools/screens/administration-screens.ts';
import { hiddenWhenFocused, lostByArrows, overlaysBeyond } from './focus.ts';
import { see } from './layout.ts';
import { closing, opening, pseudoApplication, pseudoCatalogue } from './pseudo-locale.ts';
import { foreign, orderOf } from './pseudo-texts.ts';
import { closeOverlays, show, type Reach } from '../../tools/screens/reach.ts';
import { walkThrough } from './walk.ts';

/**
 * Opens each screen once, in one application, and checks there what must hold for every screen: opening one costs as
 * much as checking it. It is opened in the smallest window, where the least fits, and seen in the larger ones from there.
 */

/** 1280 × 1024 at 400 % and 1366 × 768 at 200 % (WCAG 1.4.4, 1.4.10, 2.4.11). */
const enlarged = {
  '400 %': { width: 320, height: 256 },
  '200 %': { width: 683, height: 384 },
} as const;

const pseudo = pseudoCatalogue();

/** Shows the window in the pseudo-locale during `work`: a new language replaces every text at once. */
const inPseudoLocale = async (page: Page, work: () => Promise<void>): Promise<void> => {
  const change = async (language: 'en' | 'de', direction: 'ltr' | 'rtl'): Promise<void> => {
    await ipcRequest(page, 'settings.change', { language });
    await appears(page, `html[dir=${direction}]`);
  };
  // An announcement in the language before stays for seconds.
  await page.evaluate(() => {
    for (const log of document.querySelectorAll('[data-live-announcer] > *')) log.replaceChildren();
  });
  await change('de', 'rtl');
  speak(pseudo);
  try {
    await work();
  } finally {
    speak(english);
    await change('en', 'ltr');
  }
};

/** Screens that keep the language in which they were opened. */
const keepTheirLanguage = new Set(['messages to customers']);

/** The part of the window that is a screen's own, as a selector: what is over it, or its place. The rest is checked once. */
const partOf = async (page: Page, screen: string): Promise<string> => {
  if (screen === 'payments') return 'html';
  for (const over of ['.modal', '.whole-window-modal', '.popover', '.results'])
    if ((await page.locator(over).count()) > 0) return over;
  return '#place';
};

/**
 * The tests of each of `screens`. `areFirst`: each is a screen's first state, not a further one; then also at 200 % and
 * in the order for screen readers, once everything over the screen is closed.
 */
export const testEveryScreen = (
  title: string,
  screens: Readonly<Record<string, Reach>>,
  { areFirst }: { areFirst: boolean },
): void => {
  onEachDriver(title, name => {
    let app: StartedApp;
    let page: Page;
    beforeAll(async () => {
      const folder = newFolder('pseudo');
      app = await startApp({
        driver: name,
        appFolder: pseudoApplication(join(folder, 'app')),
        prepare: prepareScreens,
      });
      ({ page } = app);
      // Messages to customers begin with the language of the payment before: these are in the pseudo-locale throughout.
      await inPseudoLocale(page, async () => {
        await raiseLink(page, { amount: '123,40', description: 'Zwei Nächte, Zimmer 12' });
      });
      await ipcRequest(page, 'settings.change', { theme: 'light' });
      await appears(page, 'html[data-theme=light]');
    });
    afterAll(async () => {
      await app?.close();
    });

    const isWhole = (): Promise<void> =>
      // Popovers and charts follow a new size within some frames.
      expect
        .poll(async () => ({ faults: (await see(page)).faults, beyond: await overlaysBeyond(page) }))
        .toEqual({ faults: [], beyond: [] });

    describe.each(Object.keys(screens))('%s', screen => {
      let part: string;
      beforeAll(async () => {
        await page.setViewportSize(enlarged['400 %']);
        await closeOverlays(page);
        await screens[screen]?.(page, app.app);
        part = await partOf(page, screen);
      });

      // A field of this screen would drop digits for a while after a card number; a new one takes them.
      afterAll(() => show(page, '#/callbacks'));

      test('is whole at 400 %, and what has the focus is in view', async () => {
        await isWhole();
        expect(await hiddenWhenFocused(page)).toEqual([]);
      });

      if (areFirst)
        test('is whole at 200 %', async () => {
          await page.setViewportSize(enlarged['200 %']);
          await isWhole();
        });

      test('has every text in a longer language from the catalogue, and none is cut', async () => {
        await page.setViewportSize(windowSize);
        await inPseudoLocale(page, async () => {
          if (keepTheirLanguage.has(screen)) await screens[screen]?.(page, app.app);
          await expect
            .poll(async () => {
              const { faults, texts } = await see(page);
              const isThere = texts.some(text => text.startsWith(opening) && text.endsWith(closing));
              return { isThere, faults, foreignTexts: texts.map(foreign).filter(text => text !== '') };
            })
            .toEqual({ isThere: true, faults: [], foreignTexts: [] });
        });
      });

      test('keeps the rules of WCAG 2.2 AA, and has enough contrast in each theme', async () => {
        await page.locator('h1').first().waitFor();
        // The focus stays in the search box, whose arrow keys scroll the results.
        const without = screen.endsWith('of the search') ? ['scrollable-region-focusable'] : [];
        expect(await violationsOn(page, { within: part, without: [...colours, ...without] })).toEqual([]);
        expect(await faintTexts(page, part)).toEqual({});
      });

      test('can be used with the Tab key alone, and keeps the arrow keys in each group of choices', async () => {
        const { stops, faults, missed } = await walkThrough(page, part === 'html' ? 'window' : 'screen');
        expect({ faults, missed }).toEqual({ faults: [], missed: [] });
        expect(stops).toBeGreaterThan(0);
        expect(await lostByArrows(page)).toEqual([]);
      });

      test('takes a card number in none of its fields', async () => {
        expect(await cardNumbersKept(page, part)).toEqual([]);
      });

      test('has named dialogs, which leave the focus in the window when they close', async () => {
        const dialogs = (await treeOf(page)).filter(({ role }) => role.endsWith('dialog'));
        await closeOverlays(page);
        expect(dialogs.filter(dialog => dialog.name === '')).toEqual([]);
        if (dialogs.length > 0)
          await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
      });

      if (areFirst)
        test('has its landmarks and headings in order', async () => {
          expect(orderFaults(await treeOf(page))).toEqual([]);
        });
    });

    if (areFirst)
      test('the window is mirrored in a language written from right to left, and data is not', async () => {
        await page.setViewportSize(windowSize);
        await closeOverlays(page);
        await inPseudoLocale(page, async () => {
          const orderNumber = '77-RTL/5';
          await raiseLink(page, { amount: '123,40', description: 'Zwei Nächte', orderNumber });
          const rail = await page.locator('.rail').boundingBox();
          expect((rail?.x ?? 0) + (rail?.width ?? 0)).toBe(await page.evaluate(() => innerWidth));
          const link = await page.getByTestId('payment-link').innerText();
          const count = await orderOf(page, [orderNumber, '123,40', link.trim()]);
          expect(count.reversed).toEqual([]);
          expect(count.found).toBeGreaterThan(3);
          // Data is aligned with the start of the surrounding text: at the right.
          const gap = await page
            .locator('.open-link-to')
            .first()
            .evaluate(card => {
              const range = document.createRange();
              range.selectNodeContents(card.querySelector('.code') ?? card);
              return card.getBoundingClientRect().right - range.getBoundingClientRect().right;
            });
          expect(gap).toBeLessThan(12);
        });
      });

    test('a card number that was typed in any field leaves no byte on the disk or in the window', async () => {
      expect(await page.content()).not.toContain(cardDigits);
      await app.app.close();
      const files = readdirSync(app.userData, { recursive: true, withFileTypes: true });
      const bytes = files
        .filter(entry => entry.isFile())
        .map(entry => readFileSync(join(entry.parentPath, entry.name)));
      expect(bytes.some(one => one.includes(cardDigits))).toBe(false);
      expect(bytes.some(one => one.includes('Zwei Nächte'))).toBe(true);
    });
  });
};
