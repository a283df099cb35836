import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import {
  box,
  button,
  goTo,
  raiseLink,
  results,
  startNewPayment,
  word,
  shows,
  pay,
} from '../../../tools/browser-harness/console.ts';
import { readSheet } from '../../export/read-sheet.ts';
import { willChoose } from '../../../tools/browser-harness/harness.ts';

/** Frequent work during a phone call, limited in keys and actions. */

/** Presses keys and counts them; a chord such as Control+Enter is one. */
const keyboard = (page: Page) => {
  let keys = 0;
  return {
    press: async (...pressed: string[]): Promise<void> => {
      for (const key of pressed) {
        await page.keyboard.press(key);
        keys += 1;
      }
    },
    type: async (text: string): Promise<void> => {
      for (const letter of text) {
        await page.keyboard.press(letter === ' ' ? 'Space' : letter);
        keys += 1;
      }
    },
    count: () => keys,
  };
};

const isFocused = (page: Page, name: string): Promise<boolean> =>
  page.evaluate(wanted => document.activeElement?.getAttribute('name') === wanted, name);

onEachDriver('frequent work', name => {
  /** Outside the console's own folder, where exports are refused. */
  const folder = newFolder('month');
  const app = useConsole({ driver: name });
  const { page } = app;
  // Each test begins with an empty form.
  beforeEach(async () => {
    await startNewPayment(page);
    await button(page, 'new.clear').click();
    await page.locator('[name="amount"][value=""]:focus').waitFor();
    // The suggested order number arrives before anything is typed.
    await page.locator('[name="orderNumber"][value^="CF-"]').waitFor();
  });

  test('a link is created from an empty form in at most 30 keys and no mouse', async () => {
    const keys = keyboard(page);
    await expect.poll(() => isFocused(page, 'amount')).toBe(true);
    await keys.type('1234.56');
    for (let steps = 0; steps < 6 && !(await isFocused(page, 'description')); steps += 1)
      await keys.press('Tab');
    await expect.poll(() => isFocused(page, 'description')).toBe(true);
    await keys.type('Two nights 7');
    await keys.press('Control+Enter');
    await page.getByTestId('payment-link').waitFor();
    expect(keys.count()).toBeLessThanOrEqual(30);
  });

  test('a link with a customer’s name of six letters needs at most 8 keys more than one without', async () => {
    const write = async (name: string): Promise<number> => {
      await startNewPayment(page);
      await button(page, 'new.clear').click();
      await page.locator('[name="amount"][value=""]:focus').waitFor();
      await page.locator('[name="orderNumber"][value^="CF-"]').waitFor();
      const keys = keyboard(page);
      await keys.type('80');
      await keys.press('Tab');
      await expect.poll(() => isFocused(page, 'description')).toBe(true);
      await keys.type('Deposit');
      if (name !== '') {
        for (let steps = 0; steps < 4 && !(await isFocused(page, 'customerName')); steps += 1)
          await keys.press('Tab');
        await keys.type(name);
      }
      await keys.press('Enter');
      await page.getByTestId('payment-link').waitFor();
      return keys.count();
    };
    const without = await write('');
    expect((await write('A Lund')) - without).toBeLessThanOrEqual(8);
    await page.getByRole('complementary').getByText('A Lund').waitFor();
  });

  test('the same link is created again in at most 4 keys, with a question while the first can still be paid', async () => {
    const first = await raiseLink(page, { amount: '12.50', description: 'Blue chair' });
    const keys = keyboard(page);
    await keys.press('a');
    await page.getByRole('alertdialog').locator(':focus').waitFor();
    await keys.press('Tab', 'Enter');
    await expect.poll(() => page.getByTestId('payment-link').innerText()).not.toBe(first.link);
    expect(keys.count()).toBeLessThanOrEqual(4);
  });

  test('"did it go through?" is answered in two actions: the number, and Enter', async () => {
    const { link, orderNumber } = await raiseLink(page, { amount: '12.50', description: 'Blue chair' });
    await pay(link);
    await goTo(page, 'nav.callbacks');
    await page.keyboard.press('/');
    await page.keyboard.type(orderNumber);
    await page.keyboard.press('Enter');
    const row = page.getByRole('grid').getByRole('row').filter({ hasText: orderNumber });
    await shows(row, new RegExp(`${word('state.paid-confirmed')}|${word('state.paid-unconfirmed')}`));
  });

  test('a paid payment is in the accountant’s workbook of the month after three actions: Ctrl+K, the command, Enter', async () => {
    const { link } = await raiseLink(page, { amount: '12.50', description: 'For the books' });
    await pay(link);
    await page.getByText(word('state.paid-confirmed')).first().waitFor();
    const file = join(folder, 'month.xlsx');
    await willChoose(app.app, file);
    const keys = keyboard(page);
    await keys.press('Control+k');
    await page.locator('#search:focus').waitFor();
    await keys.type('accou');
    await results(page)
      .getByRole('option', { name: word('export.for-books') })
      .waitFor();
    await keys.press('ArrowDown');
    await page.locator('#search[aria-activedescendant]').waitFor();
    await keys.press('Enter');
    const dialog = page.getByRole('dialog', { name: word('export.title') });
    await dialog.locator('button[type="submit"]:focus').waitFor();
    await keys.press('Enter');
    await shows(page.getByTestId('export-strip'), /exported to/);
    const sheet = readSheet(readFileSync(file));
    expect(sheet.flat().some(({ value }) => value === 'For the books')).toBe(true);
    expect(keys.count()).toBeLessThanOrEqual(10);
  });

  test('a pasted callback is diagnosed without a further action, and a card number in it is shown masked with a warning', async () => {
    await goTo(page, 'nav.callbacks');
    await box(page, 'callbacks.paste').waitFor();
    await page.evaluate(
      text => {
        const data = new DataTransfer();
        data.setData('text/plain', text);
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
      },
      `id=6f1d2c3b-0000-4000-8000-000000000001\norder_number=A-1\norder_amount=10.00\norder_currency=EUR\norder_description=x\ntype=sale\nstatus=success\ncard=4111111111111111\nhash=${'0'.repeat(40)}`,
    );
    const meaning = page.getByRole('region', { name: word('callbacks.meaning') });
    await meaning.waitFor();
    await page.getByText(word('verification.invalid')).first().waitFor();
    await expect.poll(() => meaning.innerText()).not.toMatch(/^paid/i);
    await page.getByText(word('callbacks.card')).waitFor();
    await page.getByText('411111******1111').first().waitFor();
  });
});
