import { onEachDriver, useConsole, withEvents } from '../../../tools/browser-harness/use-console.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import type { MessageKey } from '../../../shared/messages/message.ts';
import { requested } from '../../../tools/evidence/evidence.ts';
import {
  button,
  command,
  ipcRequest,
  goTo,
  raiseLink,
  waitForState,
  word,
} from '../../../tools/browser-harness/console.ts';
import { type StartedApp } from '../../../tools/browser-harness/open-app.ts';
import { type Payer } from '../../../tools/browser-harness/payer.ts';

/**
 * Screens at the size of a common laptop: the important parts are visible, and nothing moves under the
 * pointer.
 */

onEachDriver('at 1366 by 768', name => {
  let app: StartedApp;
  let page: Page;
  let payer: Payer;
  /** For exports: the console refuses its own folder. */
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-steady-'));
  const grid = () => page.getByRole('grid', { name: word('list.name') });
  const listed = async (): Promise<void> => {
    await goTo(page, 'nav.payments');
    await grid().getByRole('row').nth(2).waitFor();
  };

  useConsole(
    {
      driver: name,
      size: { width: 1366, height: 768 },
      prepare: withEvents(
        Array.from({ length: 60 }, (_, index) => requested(0, {}, { orderNumber: `OLD-${index}` })),
      ),
    },
    started => {
      app = started;
      ({ page, payer } = started);
    },
  );
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test('selecting a row moves no row', async () => {
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
    await payer.go(link, 'pay');
    await waitForState(page, 'paid-confirmed');
    await button(page, 'sources.name').click();
    const frame = page.getByRole('region', { name: word('sources.name') }).last();
    await frame.getByRole('columnheader').nth(4).waitFor();
    expect(
      await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    ).toBeLessThanOrEqual(0);
  });

  test('the page is no taller than the window', async () => {
    await listed();
    expect(
      await page.evaluate(
        () => document.documentElement.scrollHeight - document.documentElement.clientHeight,
      ),
    ).toBe(0);
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
    await section('settings.receiver');
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
    await app.app.evaluate(
      ({ dialog }, filePath) => {
        dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
      },
      join(folder, 'out.csv'),
    );
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

  test('the keys have their German names in German', async () => {
    await ipcRequest(page, 'settings.change', { language: 'de' });
    await page.getByText('Strg K').first().waitFor();
    await ipcRequest(page, 'settings.change', { language: 'en' });
    await page.getByText('Ctrl K').first().waitFor();
    await command(page, 'payments', word('nav.payments'));
  });
});
