import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../../tools/build/steps.ts';
import { ipcRequest, raiseLink } from '../../../tools/browser-harness/console.ts';
import { byBlocks, readPng, shareThatDiffers, writePng, type Picture } from '../picture.ts';
import { closeOverlays, type Reach } from '../../../tools/screens/reach.ts';
import { screens } from '../../../tools/screens/screens.ts';
import { seedLog } from '../../../tools/screens/seeded-log.ts';

/**
 * Compares the main screens with images, in blocks of eight pixels: another rasterisation of the same words
 * passes, a missing panel does not. `RENEW_SCREENS=1` writes the images again: see docs/build/testing.md.
 */

const folder = join(root, 'test', 'fixtures', 'screens');
const renew = process.env['RENEW_SCREENS'] === '1';
/** Blocks differ if their means differ by more than this, of 255, compared with their neighbours too. */
const tolerance = 12;
/** The share of the window that may differ. */
const maxDifference = 0.06;

const main = ['new payment', 'payments', 'a payment', 'callbacks', 'overview', 'settings'] as const;
const themes = ['light', 'dark'] as const;

/** A shift by a few pixels is no change: four by four blocks are compared as one. */
const difference = (one: Picture, other: Picture): number =>
  shareThatDiffers(byBlocks(one, 4), byBlocks(other, 4), tolerance / 2);
const pictureOf = async (page: Page): Promise<Picture> =>
  byBlocks(readPng(await page.screenshot({ animations: 'disabled', caret: 'hide' })), 8);

/** The width of one line in the window's two fonts, pixels: other fonts make the comparison invalid. */
const facesOf = (page: Page): Promise<number[]> =>
  page.evaluate(() =>
    ['var(--face)', 'var(--face-code)'].map(face => {
      const line = document.createElement('span');
      line.textContent = 'Two nights, room 12 – EUR 123.40';
      Object.assign(line.style, { position: 'absolute', whiteSpace: 'nowrap', fontFamily: face });
      document.body.append(line);
      const { width } = line.getBoundingClientRect();
      line.remove();
      return Math.round(width);
    }),
  );

onEachDriver('the look of', name => {
  let strange = '';
  const show = async (screen: string): Promise<void> => {
    await closeOverlays(page);
    const reach: Reach | undefined = screens[screen];
    await reach?.(page, app.app);
    await page.mouse.move(700, 60);
  };
  const showTheme = async (theme: (typeof themes)[number]): Promise<void> => {
    await ipcRequest(page, 'settings.change', { theme });
    await page.locator(`html[data-theme="${theme}"]`).waitFor({ state: 'attached' });
  };
  const app = useConsole({ driver: name, prepare: seedLog }, async () => {
    // The links at the bottom grow with every test; the screens are compared without them.
    await ipcRequest(page, 'settings.change', { waitingRail: false });
    await raiseLink(page, { amount: '123.40', description: 'Two nights, room 12' });
    const file = join(folder, 'faces.json');
    const faces = await facesOf(page);
    await page.setViewportSize({ width: 1366, height: 768 });
    if (renew) writeFileSync(file, `${JSON.stringify(faces)}\n`);
    const known = JSON.parse(readFileSync(file, 'utf8')) as number[];
    const apart = known.map((width, index) => Math.abs((faces[index] ?? 0) / width - 1));
    if (Math.max(...apart) > 0.06)
      strange = `other fonts: ${faces.join(', ')} px instead of ${known.join(', ')}`;
  });
  const { page } = app;

  describe.each(main)('%s:', screen => {
    beforeAll(() => show(screen));

    test.for(themes)('a screen looks as in its stored picture, in the %s theme', async (theme, { skip }) => {
      await showTheme(theme);
      const file = join(folder, `${screen.replaceAll(' ', '-')}-${theme}.png`);
      if (renew) writeFileSync(file, writePng(await pictureOf(page)));
      skip(strange !== '', strange);
      const stored = readPng(readFileSync(file));
      await expect.poll(async () => difference(await pictureOf(page), stored)).toBeLessThan(maxDifference);
    });
  });

  describe('after a change of the styles:', () => {
    beforeAll(async () => {
      await showTheme('light');
      await show('a payment');
    });

    /** The difference between the payment and its image after a change of the styles. */
    const differenceWith = async (css: string): Promise<number> => {
      await page.evaluate(text => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        document.adoptedStyleSheets = [sheet];
      }, css);
      const differing = difference(
        await pictureOf(page),
        readPng(readFileSync(join(folder, 'a-payment-light.png'))),
      );
      await page.evaluate(() => {
        document.adoptedStyleSheets = [];
      });
      return differing;
    };
    test.each([
      ['a missing panel', '.verdict { display: none }'],
      ['hidden panels', '.panel { visibility: hidden }'],
      ['a rail without its place', '.shell { display: block }'],
      ['the colours of the other theme', ':root { color-scheme: dark !important }'],
    ])('a change of the styles is detected in the picture of a payment: %s', async (_, css) => {
      await expect.poll(() => differenceWith(css)).toBeGreaterThan(maxDifference);
    });
    test('the same words in other letters pass', async ({ skip }) => {
      skip(strange !== '', strange);
      await expect
        .poll(() => differenceWith(':root { --face: "DejaVu Serif", serif }'))
        .toBeLessThan(maxDifference);
    });
  });
});
