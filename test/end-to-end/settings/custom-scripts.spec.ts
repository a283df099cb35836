import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { violationsOn } from '../../../tools/browser-harness/axe.ts';
import { ipcRequest, goTo, raiseLink, word } from '../../../tools/browser-harness/console.ts';
import { drivers } from '../../../tools/browser-harness/harness.ts';
import { startApp, type StartedApp } from '../../../tools/browser-harness/open-app.ts';

/** What an agent says is the merchant's to word. */

describe.each(drivers)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('what to say', () => {
    let app: StartedApp;
    let page: Page;
    const own = 'Your link is good for {minutes, plural, one {one minute} other {# minutes}} yet.';
    /** The state of the payment that was just made. */
    let state = 'started';
    const sentence = () => page.getByRole('textbox', { name: word(`state.${state}`), exact: true });
    const row = () => page.locator(`.wording[data-state="${state}"]`);
    const openPanel = async (): Promise<void> => {
      await goTo(page, 'nav.settings');
      await page.getByRole('link', { name: word('settings.wording') }).click();
      await sentence().waitFor();
    };
    beforeAll(async () => {
      app = await startApp({ driver: name, size: { width: 1366, height: 768 } });
      ({ page } = app);
      const { orderNumber } = await raiseLink(page, { amount: '12', description: 'One' });
      const read = await ipcRequest(page, 'payments.read', { profileId: 'sandbox', orderNumber });
      if (read.ok) ({ state } = read.value.payment);
    });
    afterAll(() => app?.close());

    // Each begins at the open panel, with no sentence of the merchant's.
    beforeEach(async () => {
      await ipcRequest(page, 'settings.change', { sentences: { en: {}, de: {} } });
      await goTo(page, 'nav.payments');
      await openPanel();
    });

    test('one that cannot be said is refused beside its box, and stays as it was typed', async () => {
      await sentence().fill('It was paid at {time}.');
      await row().getByText('{time}').first().waitFor();
      await sentence().press('Enter');
      await expect.poll(() => sentence().inputValue()).toBe('It was paid at {time}.');
      await expect.poll(() => sentence().getAttribute('aria-invalid')).toBe('true');
    });

    test('one that can be said is shown with sample values as it is typed, kept by Enter, and said on the payment', async () => {
      await sentence().fill(own);
      await row().getByText('Your link is good for 12 minutes yet.').waitFor();
      await sentence().press('Enter');
      await row().getByText(word('wording.own'), { exact: true }).waitFor();
      await goTo(page, 'nav.payments');
      await page.locator('.grid-body [role="row"]').first().click();
      await page.getByText(/Your link is good for \d+ minutes yet\./).waitFor();
    });

    test('axe finds nothing wrong with the panel', async () => {
      expect(await violationsOn(page, { rules: 'all' })).toEqual([]);
    });

    test('ours comes back at a press, and theirs once more by undo', async () => {
      const press = (key: string) =>
        row()
          .getByRole('button', { name: word(key) })
          .press('Enter');
      await sentence().fill(own);
      await sentence().press('Enter');
      await row().getByText(word('wording.own'), { exact: true }).waitFor();
      await press('wording.give-back');
      await row().getByText(word('wording.ours'), { exact: true }).waitFor();
      await expect.poll(() => sentence().inputValue()).toBe('');
      await press('undo');
      await row().getByText(word('wording.own'), { exact: true }).waitFor();
      await expect.poll(() => sentence().inputValue()).toBe(own);
    });
  });
});
