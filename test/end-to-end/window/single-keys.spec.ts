import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import { shortcutList } from '../../../renderer/screens/shell/help/shortcut-sheet.tsx';
import { isSingleKey } from '../../../renderer/shortcuts.ts';
import { command, goTo, raiseLink, word, hasFocus } from '../../../tools/browser-harness/console.ts';
import { show } from '../../../tools/screens/reach.ts';

/** Single-key shortcuts can be switched off (WCAG 2.1.4), and put the focus where the next key is meant for. */

onEachDriver('single-key shortcuts', name => {
  const heading = (text: string) => page.getByRole('heading', { level: 1, name: text, exact: true });
  const sheet = () => page.getByRole('dialog', { name: word('shortcuts.name') });
  const { page } = useConsole({ driver: name }, async () => {
    await raiseLink(page, { amount: '12', description: 'One' });
    await raiseLink(page, { amount: '13', description: 'Two' });
    await goTo(page, 'nav.callbacks');
    await heading(word('nav.callbacks')).waitFor();
  });

  test('single-key shortcuts are switched off where they are listed, and the sheet shows that', async () => {
    await heading(word('nav.callbacks')).focus();
    await page.keyboard.press('?');
    await sheet().waitFor();
    await expect.poll(() => sheet().getByText(word('single-keys.off')).count()).toBe(0);
    await sheet()
      .getByRole('switch', { name: word('single-keys') })
      .focus();
    await page.keyboard.press('Space');
    await sheet().getByText(word('single-keys.off')).first().waitFor();
    await expect
      .poll(() => sheet().getByText(word('single-keys.off')).count())
      .toBe(shortcutList.filter(([keys]) => isSingleKey(keys)).length);
    await page.keyboard.press('Escape');
    await sheet().waitFor({ state: 'detached' });
  });

  test('with single-key shortcuts off, no single letter, digit or symbol has an effect, and none is shown', async () => {
    await heading(word('nav.callbacks')).focus();
    for (const key of ['n', 'p', 'l', 'o', 'r', 'f', '/', '?']) await page.keyboard.press(key);
    await heading(word('nav.callbacks')).waitFor();
    await expect.poll(() => sheet().count()).toBe(0);
    await expect.poll(() => page.getByRole('navigation').first().locator('kbd').count()).toBe(0);
    await goTo(page, 'nav.payments');
    const grid = page.getByRole('grid', { name: word('list.name') });
    await grid.focus();
    await page.keyboard.press('j');
    await expect.poll(() => grid.getAttribute('aria-activedescendant')).toBe('payment-row-0');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => grid.getAttribute('aria-activedescendant')).toBe('payment-row-1');
  });

  test('single-key shortcuts are switched on again from the commands', async () => {
    const name = word('single-keys.switch-on');
    await command(page, name, name);
    await page.getByRole('grid').focus();
    await page.keyboard.press('c');
    await heading(word('nav.callbacks')).waitFor();
  });

  test.each([
    ['n', 'nav.new', '[name="amount"]'],
    ['l', 'nav.look-up', '[name="look-up"]'],
  ] as const)(
    'the single-key shortcut %s puts the focus into its field, also if its screen is shown already',
    async (key, entry, field) => {
      await goTo(page, entry);
      await page.locator(field).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('link').first().focus();
      await page.keyboard.press(key);
      await hasFocus(page.locator(field));
    },
  );

  test('New payment in the navigation puts the focus into the amount, also if the empty form is shown already', async () => {
    await goTo(page, 'nav.new');
    const amount = page.locator('[name="amount"]');
    await hasFocus(amount);
    await page.getByRole('link', { name: word('nav.new') }).click();
    await hasFocus(amount);
    await page.keyboard.type('12r');
    await expect.poll(() => amount.inputValue()).toBe('12r');
    await amount.fill('');
  });

  test('a switch leaves the single keys to the window, and a list keeps the letters that choose in it', async () => {
    await goTo(page, 'nav.sandbox');
    await page.getByRole('switch').first().focus();
    await page.keyboard.press('/');
    await hasFocus(page.locator('#search'));
    await page.keyboard.press('Escape');
    await page.getByRole('switch').first().focus();
    await page.keyboard.press('c');
    await heading(word('nav.callbacks')).waitFor();
    await show(page, '#/settings/general');
    const list = page.locator('button.select').first();
    await list.focus();
    await page.keyboard.press('r');
    await hasFocus(list);
    await page.keyboard.press('/');
    await hasFocus(page.locator('#search'));
  });

  test('after P, arrow keys, J and K move through the list of payments, and Enter opens a row', async () => {
    const grid = page.getByRole('grid', { name: word('list.name') });
    const row = (index: number) =>
      expect.poll(() => grid.getAttribute('aria-activedescendant')).toBe(`payment-row-${index}`);
    await goTo(page, 'nav.callbacks');
    await heading(word('nav.callbacks')).focus();
    await page.keyboard.press('p');
    await hasFocus(grid);
    await page.keyboard.press('j');
    await row(1);
    await page.keyboard.press('k');
    await row(0);
    await page.keyboard.press('ArrowDown');
    await row(1);
    // The list is shown already.
    await page.getByRole('link').first().focus();
    await page.keyboard.press('p');
    await hasFocus(grid);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: word('verdict.name') }).waitFor();
  });

  test('Esc leaves a new link’s page for the list that its crumb names, and there does nothing', async () => {
    await raiseLink(page, { amount: '14', description: 'Three' });
    await page.locator('.crumb', { hasText: word('nav.payments') }).waitFor();
    await page.keyboard.press('Escape');
    const grid = page.getByRole('grid', { name: word('list.name') });
    await hasFocus(grid);
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => grid.getAttribute('aria-activedescendant')).toBe('payment-row-1');
  });

  test('the single-key shortcut n puts the focus into the amount if it is pressed before the next screen is drawn', async () => {
    await goTo(page, 'nav.new');
    await page.locator('[name="amount"]').waitFor();
    await page.evaluate(() => {
      const link = document.querySelector<HTMLElement>('a[href^="#/payments"]');
      link?.focus();
      link?.click();
      // The event of the new address comes later.
      link?.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true, cancelable: true }));
    });
    await hasFocus(page.locator('[name="amount"]'));
  });
});
