import type { Page } from 'playwright-core';
import type { MessageKey } from '../../shared/messages/message.ts';
import { appears, goTo, word } from '../browser-harness/console.ts';
import type { Application } from '../browser-harness/harness.ts';

/** The steps that the ways to several screens have in common. */

export type Reach = (page: Page, app: Application) => Promise<unknown>;

/**
 * Closes everything over the screen, so that the next one can be opened. Esc closes one at a time, and the tooltip of a
 * focused button first.
 */
export const closeOverlays = async (page: Page): Promise<void> => {
  const over = page.locator('.shade, .popover, .results, .tooltip[role=tooltip]');
  for (let tries = 0; tries < 8; tries += 1) {
    const open = await over.count();
    if (open === 0) return;
    await page.keyboard.press('Escape');
    await page
      .waitForFunction(
        open => document.querySelectorAll('.shade, .popover, .results, .tooltip[role=tooltip]').length < open,
        open,
        { timeout: 2_000 },
      )
      .catch(() => undefined);
  }
};

/** Opens the screen of an address. */
export const show = (page: Page, address: string): Promise<void> =>
  page.evaluate(hash => {
    location.hash = hash;
  }, address);

/** Opens a screen by the rail and waits for its heading. */
export const at = async (page: Page, key: Parameters<typeof goTo>[1]): Promise<void> => {
  await goTo(page, key);
  await appears(page, '#place h1', word(key));
};

export const settings =
  (key: MessageKey, shown: (page: Page) => Promise<unknown>) =>
  async (page: Page): Promise<void> => {
    await at(page, 'nav.settings');
    await page
      .getByRole('link', { name: word(key), exact: true })
      .last()
      .click();
    await shown(page);
  };

/** Opens what a page of the settings folds away for IT, up to a field of it. */
export const openForIt = async (page: Page, key: MessageKey): Promise<void> => {
  const field = page.getByRole('textbox', { name: word(key) });
  const fold = page.getByText(word('error.for-it'), { exact: true });
  await fold.waitFor();
  if (!(await field.isVisible())) await fold.click();
  await field.waitFor();
};
