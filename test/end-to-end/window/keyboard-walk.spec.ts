import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import { goTo, raiseLink, word } from '../../../tools/browser-harness/console.ts';
import { treeOf } from '../accessibility-tree.ts';

/** A clerk's way through the list, the payment beside it and its actions, by keyboard and accessibility tree. */

onEachDriver('by keyboard alone', name => {
  const { page } = useConsole({ driver: name, size: { width: 1920, height: 1080 } }, async () => {
    await raiseLink(page, { amount: '50', description: 'Oak table', orderNumber: 'TABLE-1' });
    await raiseLink(page, { amount: '150', description: 'Oak bench', orderNumber: 'BENCH-1' });
    await raiseLink(page, { amount: '70', description: 'Lamp', orderNumber: 'LAMP-1' });
    await goTo(page, 'nav.payments');
    await rows().first().waitFor();
  });
  const rows = () => page.getByRole('row').filter({ hasText: /(TABLE|BENCH|LAMP)-1/ });
  const pane = () => page.getByRole('complementary', { name: word('payment.pane') });
  const press = (key: string): Promise<void> => page.keyboard.press(key);
  /** The role, the name and the state of what has the focus. */
  const focused = () =>
    page.evaluate(() => {
      const at = document.activeElement;
      const region = at?.closest('.rail, .pane, .top-bar, #place');
      return {
        region: region?.id === 'place' ? 'screen' : (region?.classList[0] ?? ''),
        id: at?.id ?? '',
        role: at?.getAttribute('role') ?? at?.tagName.toLowerCase() ?? '',
        name: at?.getAttribute('aria-label') ?? at?.textContent ?? '',
        row: at?.getAttribute('aria-activedescendant') ?? '',
      };
    });
  /** The names of the tree's nodes of a role. */
  const named = async (role: string): Promise<string[]> =>
    (await treeOf(page)).filter(node => node.role === role).map(node => node.name);

  test('a clerk searches, walks the list and reaches the payment beside it with keys alone', async () => {
    await press('/');
    await expect.poll(async () => (await focused()).id).toBe('search');
    await page.keyboard.type('oak');
    await expect.poll(() => rows().count()).toBe(2);
    await press('Enter');
    await expect.poll(async () => (await focused()).role).toBe('grid');
    for (const [order, amount] of [
      ['BENCH-1', '€150.00'],
      ['TABLE-1', '€50.00'],
    ] as const) {
      const row = async () =>
        (await named('row')).find(name => name.includes(order))?.replaceAll('\u00a0', ' ');
      await expect.poll(row).toContain(amount);
      await expect.poll(row).toContain(word('state.waiting'));
    }
    await press('Home');
    await pane().getByText('BENCH-1').first().waitFor();
    await press('ArrowDown');
    await pane().getByText('TABLE-1').first().waitFor();
    await expect.poll(() => focused()).toMatchObject({ role: 'grid', row: 'payment-row-1' });
    await press('F6');
    await expect.poll(async () => (await focused()).region).toBe('pane');
    await expect.poll(() => focused()).toMatchObject({ role: 'button' });
    expect((await focused()).name).toContain(word('payment.open'));
    await expect.poll(() => named('complementary')).toContain(word('payment.pane'));
    await expect
      .poll(() => named('button'))
      .toEqual(expect.arrayContaining([word('payment.open'), word('close')]));
    expect((await named('button')).filter(name => name === '')).toEqual([]);
  });

  test('F6 moves from the pane over search and navigation back to the same row, and Shift+F6 returns', async () => {
    await press('Tab');
    await expect.poll(async () => (await focused()).name).toBe(word('close'));
    await press('F6');
    await expect.poll(() => focused()).toMatchObject({ id: 'search' });
    await press('F6');
    await expect.poll(() => focused()).toMatchObject({ region: 'rail' });
    await press('F6');
    await expect.poll(() => focused()).toMatchObject({ role: 'grid', row: 'payment-row-1' });
    await press('Shift+F6');
    await expect.poll(() => focused()).toMatchObject({ region: 'rail' });
    await press('Shift+F6');
    await press('Shift+F6');
    await expect.poll(() => focused()).toMatchObject({ region: 'pane', name: word('close') });
    await press('Shift+F6');
    await expect.poll(() => focused()).toMatchObject({ role: 'grid', row: 'payment-row-1' });
  });

  test('Space selects the current row, and a live region says the count', async () => {
    const count = '1 payment selected.';
    // There before the selection: a region that appears with its text is not announced.
    const region = await page
      .locator('.selection-bar output, .screen.payments output')
      .last()
      .elementHandle();
    await expect.poll(() => named('StaticText')).not.toContain(count);
    await press('Space');
    await expect.poll(() => region?.textContent()).toContain(count);
    await expect.poll(() => named('StaticText')).toContain(count);
    await expect.poll(() => named('status')).not.toEqual([]);
    await expect.poll(() => focused()).toMatchObject({ role: 'grid', row: 'payment-row-1' });
    await press('Escape');
    await expect.poll(() => region?.textContent()).not.toContain(count);
  });

  test('the menu of a payment’s actions opens with Enter and keeps F6, and Esc returns the focus to its button', async () => {
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'TABLE-1' }).waitFor();
    await page.getByRole('button', { name: word('payment.more') }).waitFor();
    for (let steps = 0; (await focused()).name !== word('payment.more'); steps += 1) {
      expect(steps).toBeLessThan(30);
      await press('Tab');
    }
    await expect
      .poll(() => named('button'))
      .toEqual(expect.arrayContaining([expect.stringContaining(word('look-up.now')), word('payment.more')]));
    await press('Enter');
    const menu = page.getByRole('menu', { name: word('payment.more') });
    await menu.waitFor();
    await expect.poll(async () => (await focused()).role).toBe('menuitem');
    const items = await named('menuitem');
    expect(items.length).toBeGreaterThan(1);
    expect(items).not.toContain('');
    await press('F6');
    await expect.poll(() => focused()).toMatchObject({ role: 'menuitem' });
    await press('Escape');
    await menu.waitFor({ state: 'detached' });
    await expect.poll(async () => (await focused()).name).toBe(word('payment.more'));
    await press('F6');
    await expect.poll(() => focused()).toMatchObject({ id: 'search' });
    await press('Shift+F6');
    await expect.poll(() => focused()).toMatchObject({ region: 'screen', name: word('payment.more') });
  });
});
