import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MessageKey } from '../../../shared/messages/message.ts';
import {
  button,
  command,
  goTo,
  ipcRequest,
  raiseLink,
  waitForState,
  word,
  pay,
} from '../../../tools/browser-harness/console.ts';
import { prepareScreens } from '../../../tools/screens/administration-screens.ts';
import { show } from '../../../tools/screens/reach.ts';
import { seededOrder } from '../../../tools/screens/seeded-log.ts';
import { see } from '../layout.ts';
import { willChoose } from '../../../tools/browser-harness/harness.ts';

/** The frame around the screens, from a small window to a large monitor; nothing moves under the pointer. */

onEachDriver('layout', name => {
  /** For exports: the console refuses its own folder. */
  const folder = newFolder('layout');
  const grid = () => page.getByRole('grid', { name: word('list.name') });
  const listed = async (): Promise<void> => {
    await resize(1366, 768);
    await goTo(page, 'nav.payments');
    await grid().getByRole('row').nth(2).waitFor();
  };
  const boxOf = async (selector: string) => {
    const box = await page.locator(selector).first().boundingBox();
    if (box === null) throw new Error(`${selector} is not visible`);
    return box;
  };
  const resize = (width: number, height: number) => page.setViewportSize({ width, height });

  const app = useConsole(
    { driver: name, size: { width: 1366, height: 768 }, prepare: prepareScreens },
    async () => {
      await raiseLink(page, { amount: '21', description: 'A lamp' });
    },
  );
  const { page } = app;

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

  test('selecting a row moves no row', async () => {
    await ipcRequest(page, 'settings.change', { language: 'en' });
    await page.locator('html[lang="en"]').waitFor();
    await listed();
    const tops = () =>
      grid()
        .getByRole('row')
        .evaluateAll(rows => rows.slice(0, 8).map(row => Math.round(row.getBoundingClientRect().top)));
    const before = await tops();
    await grid().getByRole('row').nth(2).getByRole('gridcell').first().click();
    await page.getByRole('toolbar', { name: word('selection.name') }).waitFor();
    expect(await tops()).toEqual(before);
    await button(page, 'selection.none').click();
    expect(await tops()).toEqual(before);
  });

  test('the column with the comparison of three sources is visible at 1366 by 768', async () => {
    const { link } = await raiseLink(page, { amount: '10', description: 'Two nights at the seaside' });
    await pay(link);
    await waitForState(page, 'paid-confirmed');
    await button(page, 'sources.name').click();
    const frame = page.getByRole('region', { name: word('sources.name') }).last();
    await frame.getByRole('columnheader').nth(4).waitFor();
    expect(
      await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    ).toBeLessThanOrEqual(0);
  });

  test('another section of the settings, and another screen, start at their top', async () => {
    const place = page.locator('#place');
    const top = () => place.evaluate(element => element.scrollTop);
    const section = (key: MessageKey) => page.getByRole('link', { name: word(key), exact: true }).click();
    const scrollDown = async (): Promise<void> => {
      await place.evaluate(element => element.scrollTo(0, 200));
      await expect.poll(top).toBeGreaterThan(0);
    };
    await goTo(page, 'nav.settings');
    await section('settings.assumptions');
    await scrollDown();
    await section('settings.general');
    await page.getByText(word('background.name')).first().waitFor();
    expect(await top()).toBe(0);
    await scrollDown();
    await goTo(page, 'nav.sandbox');
    await page.getByRole('switch').nth(5).waitFor();
    expect(await top()).toBe(0);
  });

  test('the message about a finished export disappears automatically', async () => {
    await willChoose(app.app, join(folder, 'out.csv'));
    await listed();
    await page.clock.install();
    await button(page, 'export.open').press('Enter');
    const dialog = page.getByRole('dialog', { name: word('export.title') });
    await dialog
      .getByRole('radio', { name: word('export.format.csv'), exact: false })
      .first()
      .press('Space');
    await dialog.getByRole('button', { name: word('export.start') }).press('Enter');
    const strip = page.getByTestId('export-strip');
    await strip.getByText(/exported to out\.csv/).waitFor();
    await strip.getByRole('button', { name: word('export.show') }).waitFor();
    await page.clock.fastForward(31_000);
    await expect.poll(() => strip.innerText()).toBe('');
  });

  test.each([
    ['light', 'rgb(245, 246, 248)'],
    ['dark', 'rgb(11, 13, 17)'],
  ] as const)('the window has the colours of the chosen theme: %s', async (theme, colour) => {
    await ipcRequest(page, 'settings.change', { theme });
    await expect
      .poll(() => page.evaluate(() => getComputedStyle(document.body).backgroundColor))
      .toBe(colour);
  });

  test('the keys have their German names in German', async () => {
    await ipcRequest(page, 'settings.change', { language: 'de' });
    await page.getByText('Strg K').first().waitFor();
    await ipcRequest(page, 'settings.change', { language: 'en' });
    await page.getByText('Ctrl K').first().waitFor();
    await command(page, 'payments', word('nav.payments'));
  });
});
