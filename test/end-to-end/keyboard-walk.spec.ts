import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { box, raiseLink } from './console.ts';
import { drivers, launch, type Application } from './harness.ts';
import { closeOverlays, furtherScreens, screens } from './screens.ts';
import { tellLog } from './told-log.ts';
import { walkThrough } from './walk.ts';

/** Every screen with the Tab key alone: no trap, nothing that cannot be come to, and always a mark of where one is. */

const all = { ...screens, ...furtherScreens };

describe.each(drivers)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('the Tab key', () => {
    let app: Application;
    let page: Page;
    const userData = mkdtempSync(join(tmpdir(), 'counterfoil-walk-'));
    beforeAll(async () => {
      await tellLog(userData);
      app = await launch({ driver: name, userData });
      page = await app.firstWindow();
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await box(page, 'new.amount').waitFor();
      await raiseLink(page, { amount: '123.40', description: 'Two nights, room 12' });
    });
    afterAll(async () => {
      await app?.close();
      rmSync(userData, { recursive: true, force: true });
    });

    test.each(Object.keys(all))('%s', async screen => {
      await closeOverlays(page);
      await all[screen]?.(page);
      const { stops, faults, missed } = await walkThrough(page);
      expect({ faults, missed }).toEqual({ faults: [], missed: [] });
      expect(stops).toBeGreaterThan(0);
    });
  });
});
