import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { raiseLink } from '../../../tools/browser-harness/console.ts';
import { drivers } from '../../../tools/browser-harness/harness.ts';
import { startApp, type StartedApp } from '../../../tools/browser-harness/open-app.ts';
import { closeOverlays } from '../reach.ts';
import { furtherScreens, screens } from '../screens.ts';
import { prepareScreens } from '../administration-screens.ts';
import { walkThrough } from '../walk.ts';

/** Every screen with the Tab key only: no trap, every element reachable, and always a visible focus. */

const all = { ...screens, ...furtherScreens };

describe.each(drivers)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('the Tab key', () => {
    let app: StartedApp;
    let page: Page;
    beforeAll(async () => {
      app = await startApp({ driver: name, prepare: prepareScreens });
      ({ page } = app);
      await raiseLink(page, { amount: '123.40', description: 'Two nights, room 12' });
    });
    afterAll(() => app?.close());

    test.each(Object.keys(all))('%s', async screen => {
      await closeOverlays(page);
      await all[screen]?.(page, app.app);
      const { stops, faults, missed } = await walkThrough(page, screen === 'payments' ? 'window' : 'screen');
      expect({ faults, missed }).toEqual({ faults: [], missed: [] });
      expect(stops).toBeGreaterThan(0);
    });
  });
});
