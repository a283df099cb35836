import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPaymentLog } from '../../../main/payment-log/sqlite/open-payment-log.ts';
import { isAtRest, reconciliationCauses } from '../../../shared/reports/reconcile.ts';
import { button, goTo, word } from '../../../tools/browser-harness/console.ts';
import { drivers } from '../../../tools/browser-harness/harness.ts';
import { startApp, type StartedApp } from '../../../tools/browser-harness/open-app.ts';
import { moved, attemptHistories } from '../../../tools/evidence/incomplete-payments.ts';

/** The keystroke-level promise of the review page, with a full day's queue. */

const size = 50;
const causes = reconciliationCauses.filter(cause => !isAtRest(cause));

describe.each(drivers)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('a queue of 50 payments', () => {
    let app: StartedApp;
    let page: Page;
    beforeAll(async () => {
      app = await startApp({
        driver: name,
        prepare: async userData => {
          const log = await openPaymentLog({ file: join(userData, 'payments.db'), writer: 'yesterday' });
          if (!log.ok) throw new Error(log.error.code);
          for (let index = 0; index < size; index += 1) {
            const cause = causes[index % causes.length] ?? 'chargeback';
            await log.value.append(moved(attemptHistories[cause], 'sandbox', `Q-${index}`));
          }
          await log.value.close();
        },
      });
      ({ page } = app);
    });
    afterAll(() => app?.close());

    test('a queue of 50 payments is brought to zero from any screen by keyboard, in at most 10 keys', async () => {
      await goTo(page, 'nav.overview');
      let keys = 0;
      const press = async (key: string): Promise<void> => {
        await page.keyboard.press(key);
        keys += 1;
      };
      await press('r');
      await page.getByText(`${size} payments to review`, { exact: true }).first().waitFor();
      await page.locator('.review-grid:focus').waitFor();
      await press('Control+a');
      await page.locator('.selection-count').getByText(String(size)).waitFor();
      await press('e');
      await page.getByRole('dialog').getByRole('radio').first().and(page.locator(':focus')).waitFor();
      await press('ArrowDown');
      await press('Enter');
      const empty = page.getByText(word('review.empty.all'));
      await empty.waitFor();
      const view = await page.evaluate(() => ({ height: window.innerHeight, width: window.innerWidth }));
      const bar = await page.locator('.selection-bar').boundingBox();
      expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeGreaterThan(view.height - 80);
      const ring = () =>
        page.evaluate(() => {
          const { outlineStyle } = getComputedStyle(document.activeElement ?? document.body);
          return outlineStyle === 'none'
            ? null
            : (document.activeElement?.getBoundingClientRect().width ?? 0);
        });
      // The list is read again meanwhile; the page stays as it is.
      const until = Date.now() + 2_500;
      while (Date.now() < until) {
        await expect.poll(() => empty.isVisible()).toBe(true);
        expect((await ring()) ?? 0).toBeLessThan(view.width / 2);
      }
      const entry = page.getByRole('navigation').getByRole('link', { name: word('nav.reconciliation') });
      await entry.getByText(/\d/).waitFor({ state: 'detached' });
      expect(keys).toBeLessThanOrEqual(10);
      await button(page, 'undo').waitFor();
    });
  });
});
