import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { raiseLink } from '../../../tools/browser-harness/console.ts';
import { hiddenWhenFocused, overlaysBeyond } from '../focus.ts';
import { drivers } from '../../../tools/browser-harness/harness.ts';
import { startApp, type StartedApp } from '../../../tools/browser-harness/open-app.ts';
import { see } from '../layout.ts';
import { closeOverlays } from '../reach.ts';
import { furtherScreens, screens } from '../screens.ts';
import { prepareScreens } from '../administration-screens.ts';

/** Every screen enlarged: 1366 × 768 at 200 %, and 1280 × 1024 at 400 % (WCAG 1.4.4, 1.4.10, 2.4.11). */

const sizes = {
  '200 %': { width: 683, height: 384 },
  '400 %': { width: 320, height: 256 },
} as const;
const all = { ...screens, ...furtherScreens };

describe.each(drivers)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('the enlarged window', () => {
    let app: StartedApp;
    let page: Page;
    beforeAll(async () => {
      app = await startApp({ driver: name, prepare: prepareScreens });
      ({ page } = app);
      await raiseLink(page, { amount: '123.40', description: 'Two nights, room 12' });
    });
    afterAll(() => app?.close());

    describe.each(Object.keys(all))('%s', screen => {
      beforeAll(async () => {
        await page.setViewportSize(sizes['400 %']);
        await closeOverlays(page);
        await all[screen]?.(page, app.app);
      });

      test('at 400 %', async () => {
        const { faults } = await see(page);
        const beyond = await overlaysBeyond(page);
        const hidden = await hiddenWhenFocused(page);
        expect({ faults, beyond, hidden }).toEqual({ faults: [], beyond: [], hidden: [] });
      });

      // States of a screen are tested in the smaller window only, where less fits.
      test.runIf(screen in screens)('at 200 %', async () => {
        await page.setViewportSize(sizes['200 %']);
        // Popovers and charts follow the new size within some frames.
        await expect
          .poll(async () => ({ faults: (await see(page)).faults, beyond: await overlaysBeyond(page) }))
          .toEqual({ faults: [], beyond: [] });
      });
    });
  });
});
