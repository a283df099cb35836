import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { goTo, ipcRequest, raiseLink, word } from '../../../tools/browser-harness/console.ts';
import { prepareScreens } from '../../../tools/screens/administration-screens.ts';
import { show } from '../../../tools/screens/reach.ts';
import { seededOrder } from '../../../tools/screens/seeded-log.ts';
import { see } from '../layout.ts';

/** The frame around the screens and its bars, from a small window to a large monitor. */

onEachDriver('layout', name => {
  let page: Page;
  const boxOf = async (selector: string) => {
    const box = await page.locator(selector).first().boundingBox();
    if (box === null) throw new Error(`${selector} is not visible`);
    return box;
  };
  const resize = (width: number, height: number) => page.setViewportSize({ width, height });

  useConsole({ driver: name, size: { width: 1366, height: 768 }, prepare: prepareScreens }, async started => {
    ({ page } = started);
    await raiseLink(page, { amount: '21', description: 'A lamp' });
  });

  test('the search box has the same place on every screen of a large monitor', async () => {
    await resize(2560, 1440);
    const places = new Set<number>();
    for (const screen of ['nav.payments', 'nav.overview', 'nav.callbacks'] as const) {
      await goTo(page, screen);
      places.add((await boxOf('.search')).x);
    }
    expect(places.size).toBe(1);
  });

  test('the rail of a small window shows the kind of the active profile', async () => {
    await resize(900, 600);
    const kind = page.locator('.profile-switch-kind').getByText(word('kind.sandbox'), { exact: true });
    await kind.waitFor();
    const [word_, rail] = [await kind.boundingBox(), await boxOf('.rail')];
    expect(word_?.width ?? 0).toBeGreaterThan(20);
    expect((word_?.x ?? 0) + (word_?.width ?? 0)).toBeLessThanOrEqual(rail.x + rail.width);
  });

  test('the list shows as many of its first columns as have room, and cuts none', async () => {
    await goTo(page, 'nav.payments');
    const grid = page.getByRole('grid');
    await grid.getByRole('row').nth(1).waitFor();
    const heads = () => grid.getByRole('columnheader').allInnerTexts();
    for (const [width, height] of [
      [900, 600],
      [1000, 700],
      [1366, 768],
      [1920, 1080],
    ] as const) {
      await resize(width, height);
      await expect.poll(() => grid.evaluate(one => one.scrollWidth - one.clientWidth)).toBe(0);
    }
    await expect.poll(() => heads()).toContain(word('column.changed'));
    await resize(900, 600);
    await expect.poll(heads).not.toContain(word('column.changed'));
    await expect
      .poll(() => heads())
      .toEqual(expect.arrayContaining([word('column.state'), word('column.customer'), word('column.when')]));
  });

  test.each(['en', 'de'] as const)(
    'in %s the sources of a payment are compared without a broken word',
    async language => {
      await resize(1366, 768);
      await ipcRequest(page, 'settings.change', { language });
      await page.locator(`html[lang="${language}"]`).waitFor();
      await show(page, `#/payment/sandbox/${seededOrder('sources-disagree')}`);
      await page.locator('.sources tr.differs').waitFor();
      expect((await see(page)).faults).toEqual([]);
    },
  );

  test.each(['en', 'de'] as const)(
    'in %s the bar of selected payments is one line at 1366 pixels',
    async language => {
      await resize(1366, 768);
      await ipcRequest(page, 'settings.change', { language });
      await page.locator(`html[lang="${language}"]`).waitFor();
      await page.locator('a[href="#/payments/all"], a[href*="payments"]').first().click();
      await page.getByRole('grid').getByRole('row').nth(1).waitFor();
      await page.getByRole('grid').focus();
      await page.keyboard.press('Space');
      expect((await boxOf('.selection-bar')).height).toBeLessThan(60);
      await page.keyboard.press('Escape');
    },
  );
});
