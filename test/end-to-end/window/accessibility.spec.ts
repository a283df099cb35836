import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOn } from '../../../tools/browser-harness/axe.ts';
import { ipcRequest } from '../../../tools/browser-harness/console.ts';
import { drivers } from '../../../tools/browser-harness/harness.ts';
import { startApp, type StartedApp } from '../../../tools/browser-harness/open-app.ts';
import { prepareScreens } from '../administration-screens.ts';
import { closeOverlays } from '../reach.ts';
import { furtherScreens, screens } from '../screens.ts';

/** axe finds no violation of WCAG 2.2 AA on any screen, in each theme. */

describe.each(drivers)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('accessibility', () => {
    let app: StartedApp;
    let page: Page;
    beforeAll(async () => {
      app = await startApp({ driver: name, prepare: prepareScreens });
      ({ page } = app);
    });
    afterAll(() => app?.close());

    const check = async (options: Parameters<typeof violationsOn>[1] = {}): Promise<void> => {
      await page.locator('h1').first().waitFor();
      expect(await violationsOn(page, options)).toEqual([]);
    };

    describe.each(Object.keys(screens))('%s', screen => {
      beforeAll(async () => {
        await screens[screen]?.(page, app.app);
      });
      test.each(['light', 'dark', 'contrast'] as const)('in the %s theme', async theme => {
        await ipcRequest(page, 'settings.change', { theme });
        await page.locator(`html[data-theme="${theme}"]`).waitFor({ state: 'attached' });
        // A colour between two themes has any contrast.
        await page.evaluate(() =>
          Promise.allSettled(
            document
              .getAnimations()
              .filter(one => one instanceof CSSTransition)
              .map(({ finished }) => finished),
          ),
        );
        await check({ rules: theme === 'light' ? 'wcag' : 'colours' });
      });
    });

    test.each(Object.keys(furtherScreens))('%s', async screen => {
      await closeOverlays(page);
      await furtherScreens[screen]?.(page, app.app);
      // The focus stays in the box of the commands, whose arrow keys scroll the list.
      await check({ without: screen === 'the commands' ? ['scrollable-region-focusable'] : [] });
    });
  });
});
