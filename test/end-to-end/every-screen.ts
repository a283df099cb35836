import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOn } from '../../tools/browser-harness/axe.ts';
import { ipcRequest, raiseLink } from '../../tools/browser-harness/console.ts';
import { drivers } from '../../tools/browser-harness/harness.ts';
import { startApp, type StartedApp } from '../../tools/browser-harness/open-app.ts';
import { orderFaults, treeOf } from './accessibility-tree.ts';
import { prepareScreens } from './administration-screens.ts';
import { closeOverlays, type Reach } from './reach.ts';
import { walkThrough } from './walk.ts';

/**
 * Opens each screen once, in one application, and checks there what must hold for every screen: opening one costs as
 * much as checking it.
 */

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

/**
 * The tests of each of `screens`. `inEachTheme`: also the colours of the dark and the contrast theme, and the order for
 * screen readers, once everything over the screen is closed.
 */
export const testEveryScreen = (
  title: string,
  screens: Readonly<Record<string, Reach>>,
  { inEachTheme }: { inEachTheme: boolean },
): void => {
  describe.each(drivers)('on $name', ({ name, available }) => {
    describe.skipIf(!available)(title, () => {
      let app: StartedApp;
      let page: Page;
      beforeAll(async () => {
        app = await startApp({ driver: name, prepare: prepareScreens });
        ({ page } = app);
        await raiseLink(page, { amount: '123.40', description: 'Two nights, room 12' });
        await ipcRequest(page, 'settings.change', { theme: 'light' });
        await page.locator('html[data-theme="light"]').waitFor({ state: 'attached' });
      });
      afterAll(() => app?.close());

      describe.each(Object.keys(screens))('%s', screen => {
        beforeAll(async () => {
          await closeOverlays(page);
          await screens[screen]?.(page, app.app);
        });

        test('keeps the rules of WCAG 2.2 AA', async () => {
          await page.locator('h1').first().waitFor();
          // The focus stays in the box of the commands, whose arrow keys scroll the list.
          const without = screen === 'the commands' ? ['scrollable-region-focusable'] : [];
          expect(await violationsOn(page, { without })).toEqual([]);
        });

        test.runIf(inEachTheme)('has enough contrast in the dark and the contrast theme', async () => {
          const found: Record<string, string[]> = {};
          for (const theme of ['dark', 'contrast'] as const) {
            await showTheme(page, theme);
            found[theme] = await violationsOn(page, { rules: 'colours' });
          }
          await showTheme(page, 'light');
          expect(found).toEqual({ dark: [], contrast: [] });
        });

        test('can be used with the Tab key alone', async () => {
          const part = screen === 'payments' ? 'window' : 'screen';
          const { stops, faults, missed } = await walkThrough(page, part);
          expect({ faults, missed }).toEqual({ faults: [], missed: [] });
          expect(stops).toBeGreaterThan(0);
        });

        test.runIf(inEachTheme)('has its landmarks and headings in order', async () => {
          await closeOverlays(page);
          expect(orderFaults(await treeOf(page))).toEqual([]);
        });
      });
    });
  });
};
