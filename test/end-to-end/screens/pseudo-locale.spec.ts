import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { box, ipcRequest, english, raiseLink, speak } from '../../../tools/browser-harness/console.ts';
import { drivers, launch, type Application } from '../../../tools/browser-harness/harness.ts';
import { see } from '../layout.ts';
import { closing, opening, pseudoApplication, pseudoCatalogue } from '../pseudo-locale.ts';
import { closeOverlays } from '../reach.ts';
import { furtherScreens, screens } from '../screens.ts';
import { prepareScreens } from '../administration-screens.ts';

/**
 * A third language is one file: the window uses its texts, their length and their direction, and nothing is
 * lost.
 */

const all = { ...screens, ...furtherScreens };

const named = (locale: string, options: Intl.DateTimeFormatOptions): string[] =>
  [...Array(24).keys()].map(index =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(
      Date.UTC(2026, 0, 1 + index * 15),
    ),
  );
const calendar = (['de', 'he-IL', 'en-US'] as const).flatMap(locale => [
  ...named(locale, { month: 'long' }),
  ...named(locale, { month: 'short' }),
  ...named(locale, { weekday: 'long' }),
  ...named(locale, { weekday: 'short' }),
]);

/**
 * Texts outside the catalogues: data, keys of a keyboard, names of the interface, dates, and a few words of
 * React Aria.
 */
const words = new Set(
  `Ctrl Enter Esc Shift Space EUR UTC JSON POST GET Sandbox Payer Ada Jane Doe Blue chair For everyone Two tickets
  Zwei Nächte Zimmer Deposit Maria Schmidt console card hash id type status success fail waiting sale redirect 3ds refund chargeback capture customer_ip
  order_amount order_currency order_description order_number node CF SEED RTL jetzt vor Sek Min Std um Uhr Heute Jahr
  Monat Tag jjjj mm tt Startdatum Enddatum Letztes verfügbares Datum Ausgewählter Bereich bis ausgewählt Schließen Weiter Zurück Ablegebereich Dismiss Next
  Caddy nginx shop example com MB yyyy dd keychain unavailable
  Previous DropZone Today Last available date year month day`
    .split(/\s+/)
    .concat(
      userInfo().username,
      calendar.flatMap(text => text.match(/\p{L}+/gu) ?? []),
    ),
);
/** Addresses, requests as sent, names of the interface, order numbers, and the strings of hashes. */
const data = /https?:\/\/\S+|\{"[^]*\}|\/[\w/.-]+|\S+@\S+|\b[\w-]*\d[\w-]*\b|[^⟦⟧]*•{8}|\ben-US\b/g;

/** The rest of a text without the catalogue's words and data. */
const foreign = (text: string): string => {
  let rest = text.replaceAll(/[\u2068\u2069]/g, '');
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replaceAll(/⟦[^⟦⟧]*⟧/g, '');
  }
  const left = rest.replaceAll(data, ' ').match(/[\p{L}_]+/gu) ?? [];
  return left.filter(one => one.length > 1 && !words.has(one)).join(' ');
};

/** The positions of given data in the window, and the data that is not left-to-right. */
const orderOf = (page: Page, known: readonly string[]): Promise<{ found: number; reversed: string[] }> =>
  page.evaluate(all => {
    const reversed: string[] = [];
    let found = 0;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const one of all) {
        const from = (node.textContent ?? '').indexOf(one);
        if (from < 0 || !node.parentElement?.checkVisibility()) continue;
        const places = Array.from({ length: one.length }, (_, index) => {
          const range = document.createRange();
          range.setStart(node, from + index);
          range.setEnd(node, from + index + 1);
          return range.getBoundingClientRect();
        });
        found += 1;
        const backwards = places.some((place, index) => {
          const before = places[index - 1];
          return before !== undefined && before.top === place.top && place.left < before.left;
        });
        if (backwards) reversed.push(`${one} in ${node.parentElement.className}`);
      }
    return { found, reversed };
  }, known);

describe.each(drivers)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('the window in the pseudo-locale', () => {
    let app: Application;
    let page: Page;
    const folder = mkdtempSync(join(tmpdir(), 'counterfoil-pseudo-'));
    beforeAll(async () => {
      const appFolder = pseudoApplication(join(folder, 'app'));
      speak(english);
      await prepareScreens(join(folder, 'data'));
      app = await launch({
        driver: name,
        browser: 'shared',
        appFolder,
        userData: join(folder, 'data'),
        env: { COUNTERFOIL_POLICY: join(folder, 'data', 'policy.json') },
      });
      page = await app.firstWindow();
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await box(page, 'new.amount').waitFor();
      await ipcRequest(page, 'settings.change', { language: 'de' });
      speak(pseudoCatalogue());
      await box(page, 'new.amount').waitFor();
    });
    afterAll(async () => {
      speak(english);
      await app?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test.each(Object.keys(all))('%s', async screen => {
      await closeOverlays(page);
      await all[screen]?.(page, app);
      const { faults, texts } = await see(page);
      expect(texts.some(text => text.startsWith(opening) && text.endsWith(closing))).toBe(true);
      const foreignFiles = texts.map(foreign).filter(text => text !== '');
      expect({ faults, foreignFiles }).toEqual({ faults: [], foreignFiles: [] });
    });

    test('the window is mirrored, and data is still written from left to right', async () => {
      await closeOverlays(page);
      const orderNumber = '77-RTL/5';
      await raiseLink(page, { amount: '123,40', description: 'Zwei Nächte', orderNumber });
      await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl');
      const rail = await page.locator('.rail').boundingBox();
      expect((rail?.x ?? 0) + (rail?.width ?? 0)).toBe(await page.evaluate(() => innerWidth));
      const link = await page.getByTestId('payment-link').innerText();
      const count = await orderOf(page, [orderNumber, '123,40', link.trim()]);
      expect(count.reversed).toEqual([]);
      expect(count.found).toBeGreaterThan(3);
      // Data is aligned with the start of the surrounding text: at the right.
      const gap = await page
        .locator('.open-link-to')
        .first()
        .evaluate(card => {
          const range = document.createRange();
          range.selectNodeContents(card.querySelector('.code') ?? card);
          return card.getBoundingClientRect().right - range.getBoundingClientRect().right;
        });
      expect(gap).toBeLessThan(12);
    });
  });
});
