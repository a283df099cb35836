import { onEachDriver, useConsole, withEvents } from '../../../tools/browser-harness/use-console.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { isAtRest, reconciliationCauses } from '../../../shared/reports/reconcile.ts';
import { button, goTo, word } from '../../../tools/browser-harness/console.ts';
import { moved, attemptHistories } from '../../../tools/evidence/incomplete-payments.ts';

/** The keystroke-level promise of the review page, with a full day's queue. */

const size = 50;
const causes = reconciliationCauses.filter(cause => !isAtRest(cause));

onEachDriver('a queue of 50 payments', name => {
  let page: Page;
  useConsole(
    {
      driver: name,
      prepare: withEvents(
        ...Array.from({ length: size }, (_, index) =>
          moved(attemptHistories[causes[index % causes.length] ?? 'chargeback'], 'sandbox', `Q-${index}`),
        ),
      ),
    },
    started => {
      ({ page } = started);
    },
  );

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
        return outlineStyle === 'none' ? null : (document.activeElement?.getBoundingClientRect().width ?? 0);
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
