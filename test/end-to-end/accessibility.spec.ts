import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { box, deskCall, goTo, raiseLink, startNewPayment, word } from './console.ts';
import { drivers, launch, type Application } from './harness.ts';

/** Every screen by the rules of WCAG 2.2 AA, in each theme; axe finds nothing. */

const screens: Record<string, (page: Page) => Promise<unknown>> = {
  'new payment': startNewPayment,
  'a payment': page => raiseLink(page, { amount: '12', description: 'For everyone' }),
  payments: page => goTo(page, 'nav.payments'),
  'payments with filters': async page => {
    await page.locator('#search').fill('today EUR profile:all');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: word('filter.clear') }).waitFor();
  },
  'the dates of a filter': async page => {
    await goTo(page, 'nav.payments');
    await page
      .getByRole('toolbar', { name: word('filter.name') })
      .getByRole('button', { name: word('filter.date') })
      .click();
    await page.locator('.calendar').waitFor();
  },
  'the columns of the list': async page => {
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: word('columns.name') }).click();
    await page.getByRole('dialog', { name: word('columns.name') }).waitFor();
  },
  'the states of a filter': async page => {
    await page.keyboard.press('Escape');
    await page
      .getByRole('toolbar', { name: word('filter.name') })
      .getByRole('button', { name: word('filter.state') })
      .click();
    await page.getByRole('menu').waitFor();
  },
  'look-up': async page => {
    await page.keyboard.press('Escape');
    await goTo(page, 'nav.look-up');
  },
  callbacks: page => goTo(page, 'nav.callbacks'),
  reconciliation: page => goTo(page, 'nav.reconciliation'),
  overview: page => goTo(page, 'nav.overview'),
  'overview as a table': async page => {
    await goTo(page, 'nav.overview');
    await page.locator('.segment', { hasText: word('overview.period.7') }).click();
    await page.locator('.segment', { hasText: word('overview.as.table') }).click();
  },
  'overview of a day': async page => {
    await goTo(page, 'nav.overview');
    await page.locator('.segment', { hasText: word('overview.period.today') }).click();
    await page.locator('.bars').waitFor();
  },
  'the note for the next shift': async page => {
    await goTo(page, 'nav.overview');
    await page.getByRole('button', { name: word('nav.shift-note') }).click();
    await page.getByTestId('shift-note').waitFor();
  },
  sandbox: page => goTo(page, 'nav.sandbox'),
  settings: page => goTo(page, 'nav.settings'),
  'the page of assumptions': async page => {
    await goTo(page, 'nav.settings');
    await page.getByRole('link', { name: word('settings.assumptions') }).click();
    await page
      .getByRole('button', { name: word('dry-run.show') })
      .first()
      .click();
    await page.getByRole('heading', { level: 4 }).first().waitFor();
  },
  'settings of the desk': async page => {
    await goTo(page, 'nav.settings');
    await page.getByRole('link', { name: word('settings.desk'), exact: true }).click();
    await page.getByRole('switch', { name: word('outside.notifications') }).waitFor();
  },
  'settings of the appearance': async page => {
    await goTo(page, 'nav.settings');
    await page.getByRole('link', { name: word('settings.appearance'), exact: true }).click();
    await page.getByRole('switch', { name: word('single-keys') }).waitFor();
  },
};

describe.each(drivers)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('accessibility', () => {
    let app: Application;
    let page: Page;
    const userData = mkdtempSync(join(tmpdir(), 'counterfoil-axe-'));
    beforeAll(async () => {
      app = await launch({ driver: name, userData });
      page = await app.firstWindow();
      // Colours are judged at rest, not halfway through a fade.
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await box(page, 'new.amount').waitFor();
    });
    afterAll(async () => {
      await app?.close();
      rmSync(userData, { recursive: true, force: true });
    });

    describe.each(['light', 'dark', 'contrast'] as const)('in the %s theme', theme => {
      beforeAll(async () => {
        await deskCall(page, 'settings.change', { theme });
        await page.locator(`html[data-theme="${theme}"]`).waitFor({ state: 'attached' });
      });
      test.each(Object.keys(screens))('%s', async screen => {
        await screens[screen]?.(page);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        const { violations } = await new AxeBuilder({ page })
          .setLegacyMode(true)
          .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
          .analyze();
        expect(
          violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
          ),
        ).toEqual([]);
      });
    });
  });
});
