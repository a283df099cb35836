import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import { raiseLink, word } from '../../../tools/browser-harness/console.ts';

/** One search box for words, filters and order numbers. */

onEachDriver('the search box', name => {
  const { page } = useConsole({ driver: name }, async () => {
    await raiseLink(page, { amount: '50', description: 'Fifty', orderNumber: 'FIFTY-1' });
    await raiseLink(page, { amount: '150', description: 'More', orderNumber: 'MORE-1' });
  });
  const search = async (text: string): Promise<void> => {
    await page.locator('#search').fill(text);
    await page.keyboard.press('Enter');
  };
  const rows = () => page.getByRole('row').filter({ hasText: /(FIFTY|MORE)-1/ });

  test('the filters show the terms of the search box, and each can be removed with the keyboard', async () => {
    await search('open today 50 EUR');
    const set = page.getByRole('button', { name: /^Remove filter: (Status|Date|Amount)/ });
    await page.getByText('Amount: 50.00 EUR').waitFor();
    await expect.poll(() => set.count()).toBe(3);
    await rows().first().waitFor();
    await expect.poll(() => rows().count()).toBe(1);
    await expect.poll(() => rows().first().innerText()).toContain('FIFTY-1');
    await set.filter({ visible: true }).last().press('Enter');
    await expect.poll(() => rows().count()).toBe(2);
    await expect.poll(() => page.locator('#search').inputValue()).toBe('open today');
  });

  test('beside the list of found payments the current row’s payment is shown, and none that was not found', async () => {
    const type = (text: string): Promise<void> => page.locator('#search').fill(text);
    await type('open today');
    await expect.poll(() => rows().count()).toBe(2);
    const grid = page.getByRole('grid');
    const current = grid.locator('.current');
    await grid.press('Home');
    await current.getByText('MORE-1').waitFor();
    // As soon as the window is wide enough.
    await page.setViewportSize({ width: 1920, height: 1080 });
    const pane = page.getByRole('complementary', { name: word('payment.pane') });
    await pane.getByText('MORE-1').first().waitFor();
    await type('open today 50 EUR');
    await expect.poll(() => rows().count()).toBe(1);
    await pane.waitFor({ state: 'detached' });
    await current.getByText('FIFTY-1').waitFor();
    // The payment of before is the current one again.
    await type('open today');
    await pane.getByText('MORE-1').first().waitFor();
    await current.getByText('MORE-1').waitFor();
    await grid.press('End');
    await pane.getByText('FIFTY-1').first().waitFor();
    await grid.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'FIFTY-1' }).waitFor();
    await page.setViewportSize({ width: 1366, height: 768 });
  });

  test('the search box finds an order by its complete number, with any other filters', async () => {
    await search('refunded FIFTY-1');
    await page.getByText(word('list.outside')).waitFor();
    await expect.poll(() => rows().count()).toBe(1);
  });
});
