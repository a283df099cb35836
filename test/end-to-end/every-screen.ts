import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { violationsOn } from '../../tools/browser-harness/axe.ts';
import { appears, english, ipcRequest, raiseLink, speak } from '../../tools/browser-harness/console.ts';
import { onEachDriver } from '../../tools/browser-harness/use-console.ts';
import { startApp, type StartedApp } from '../../tools/browser-harness/open-app.ts';
import { windowSize } from '../../tools/fake-electron/host.ts';
import { orderFaults, treeOf } from './accessibility-tree.ts';
import { prepareScreens } from '../../tools/screens/administration-screens.ts';
import { hiddenWhenFocused, lostByArrows, overlaysBeyond } from './focus.ts';
import { see } from './layout.ts';
import { closing, opening, pseudoApplication, pseudoCatalogue } from './pseudo-locale.ts';
import { foreign, orderOf } from './pseudo-texts.ts';
import { closeOverlays, type Reach } from '../../tools/screens/reach.ts';
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

type Theme = 'light' | 'dark' | 'contrast';

/** As the application shows a theme; a change of the setting for each screen would cost more than the check. */
const showTheme = (page: Page, theme: Theme): Promise<void> =>
  page.evaluate(async theme => {
    document.documentElement.dataset['theme'] = theme;
    // A colour between two themes has any contrast.
    await Promise.allSettled(
      document
        .getAnimations()
        .filter(one => one instanceof CSSTransition)
        .map(({ finished }) => finished),
    );
  }, theme);

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

/** The same beside every screen, and checked with the first one; a dialog hides the screen behind it. */
const checkedElsewhere = async (page: Page, screen: string): Promise<string[]> => {
  if (screen === 'payments') return [];
  return ['.rail', '.top-bar', ...((await page.locator('.modal').count()) > 0 ? ['#place'] : [])];
};

/** Screens that keep the language in which they were opened. */
const keepTheirLanguage = new Set(['messages to customers']);

/**
 * The tests of each of `screens`. `areFirst`: each is a screen's first state, not a further one; then also at 200 %, in
 * the colours of the dark and the contrast theme, and in the order for screen readers, once everything over the screen
 * is closed.
 */
export const testEveryScreen = (
  title: string,
  screens: Readonly<Record<string, Reach>>,
  { areFirst }: { areFirst: boolean },
): void => {
  onEachDriver(title, name => {
    let app: StartedApp;
    let page: Page;
    let folder: string;
    beforeAll(async () => {
      folder = newFolder('pseudo');
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
      await page.locator('html[data-theme="light"]').waitFor({ state: 'attached' });
    });
    afterAll(async () => {
      await app?.close();
    });

    describe.each(Object.keys(screens))('%s', screen => {
      beforeAll(async () => {
        await page.setViewportSize(enlarged['400 %']);
        await closeOverlays(page);
        await screens[screen]?.(page, app.app);
      });

      test('is whole at 400 %', async () => {
        await expect
          .poll(async () => ({ faults: (await see(page)).faults, beyond: await overlaysBeyond(page) }))
          .toEqual({ faults: [], beyond: [] });
        expect(await hiddenWhenFocused(page)).toEqual([]);
      });

      if (areFirst)
        test('is whole at 200 %', async () => {
          await page.setViewportSize(enlarged['200 %']);
          // Popovers and charts follow the new size within some frames.
          await expect
            .poll(async () => ({ faults: (await see(page)).faults, beyond: await overlaysBeyond(page) }))
            .toEqual({ faults: [], beyond: [] });
        });

      test('keeps the rules of WCAG 2.2 AA', async () => {
        await page.setViewportSize(windowSize);
        await page.locator('h1').first().waitFor();
        // The focus stays in the search box, whose arrow keys scroll the results.
        const without = screen.endsWith('of the search') ? ['scrollable-region-focusable'] : [];
        const outside = await checkedElsewhere(page, screen);
        expect(await violationsOn(page, { without, outside })).toEqual([]);
      });

      if (areFirst)
        test('has enough contrast in the dark and the contrast theme', async () => {
          const found: Record<string, string[]> = {};
          const outside = await checkedElsewhere(page, screen);
          for (const theme of ['dark', 'contrast'] as const) {
            await showTheme(page, theme);
            found[theme] = await violationsOn(page, { rules: 'colours', outside });
          }
          await showTheme(page, 'light');
          expect(found).toEqual({ dark: [], contrast: [] });
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

      test('can be used with the Tab key alone', async () => {
        const part = screen === 'payments' ? 'window' : 'screen';
        const { stops, faults, missed } = await walkThrough(page, part);
        expect({ faults, missed }).toEqual({ faults: [], missed: [] });
        expect(stops).toBeGreaterThan(0);
      });

      test('keeps the arrow keys in each group of choices', async () => {
        expect(await lostByArrows(page)).toEqual([]);
      });

      if (areFirst)
        test('has its landmarks and headings in order', async () => {
          await closeOverlays(page);
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
  });
};
