import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import type { MessageKey } from '../../../shared/messages/message.ts';
import type { ListColumn } from '../../../shared/payments/list-columns.ts';
import { goTo, raiseLink, word, hasFocus, inPage } from '../../../tools/browser-harness/console.ts';
import { closeOverlays } from '../../../tools/screens/reach.ts';

/** The filters above the list of payments correspond to the text of the search box. */

onEachDriver('the filters of the list', name => {
  const { page } = useConsole({ driver: name }, async () => {
    await raiseLink(page, { amount: '50', description: 'Fifty', orderNumber: 'FIFTY-1' });
    await raiseLink(page, { amount: '150', description: 'More', orderNumber: 'MORE-1' });
  });
  const rows = () => page.getByRole('row').filter({ hasText: /(FIFTY|MORE)-1/ });
  const typed = () => page.locator('#search').inputValue();
  const filter = (key: MessageKey) =>
    page
      .getByRole('toolbar', { name: word('filter.name') })
      .getByRole('button', { name: word(key) })
      .first();

  test('the filters of the list are opened, selected and closed with the keyboard, and write their terms into the search box', async () => {
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('f');
    await page.locator('.filters button:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('menu', { name: word('filter.state') }).waitFor();
    const declined = page.getByRole('menuitemcheckbox', { name: word('state.declined') });
    for (let step = 0; !(await declined.evaluate(item => item === document.activeElement)); step += 1) {
      expect(step).toBeLessThan(20);
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Space');
    await page.keyboard.press('Escape');
    await page.getByText(word('empty.found')).waitFor();
    await expect.poll(typed).toBe('status:declined');
    await expect.poll(() => filter('filter.state').innerText()).toContain(word('state.declined'));

    // Past the button that removes it.
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.keyboard.type('50');
    await page.keyboard.press('Enter');
    await expect.poll(typed).toBe('=50 status:declined');
    await page.getByRole('button', { name: `Remove filter: ${word('filter.state')}` }).press('Enter');
    await page.locator('.filters button:focus').waitFor();
    await expect.poll(() => rows().count()).toBe(1);
    await expect.poll(() => rows().first().innerText()).toContain('FIFTY-1');
    await page.getByRole('button', { name: word('filter.clear') }).press('Enter');
    await expect.poll(() => rows().count()).toBe(2);
    await expect.poll(typed).toBe('');
  });

  test('the filters of the list accept days from a calendar and by name', async () => {
    await filter('filter.date').click();
    await page.getByRole('button', { name: word('filter.date.7') }).click();
    await expect.poll(typed).toBe('days:7');
    await expect.poll(() => rows().count()).toBe(2);
    await filter('filter.date').click();
    await page.getByRole('button', { name: /^Previous/ }).click();
    await page.locator('.calendar-cell:not([data-outside-month])', { hasText: /^3$/ }).click();
    await page.locator('.calendar-cell:not([data-outside-month])', { hasText: /^5$/ }).click();
    await page.getByRole('button', { name: word('filter.apply') }).click();
    await expect.poll(typed).toMatch(/^\d{4}-\d\d-03\.\.\d{4}-\d\d-05$/);
    await page.getByText(word('empty.found')).waitFor();
  });

  test('the filters of the list accept days that are typed digit by digit, and by the arrow keys', async () => {
    await filter('filter.date').click();
    await page.getByRole('spinbutton').first().click();
    await page.keyboard.type('0102202601062026');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: word('filter.apply') }).click();
    await expect.poll(typed).toBe('2026-01-02..2026-01-06');
  });

  test('a narrowed view stays selected, and its terms in the search box can be changed', async () => {
    await page
      .getByRole('navigation')
      .getByRole('link')
      .getByText(word('view.open'), { exact: true })
      .click();
    await expect.poll(() => rows().count()).toBe(2);
    await expect.poll(typed).toBe('');
    await filter('filter.currency').click();
    await page.getByRole('menuitemradio', { name: 'EUR' }).click();
    await expect.poll(typed).toMatch(/^currency:EUR status:waiting,/);
    await expect.poll(() => rows().count()).toBe(2);
  });

  test('the columns of the list are selected and moved with the keyboard, shown in the header row, and stored', async () => {
    await goTo(page, 'nav.payments');
    const header = () => page.getByRole('columnheader').allInnerTexts();
    const shown = (...columns: readonly ListColumn[]) => columns.map(column => word(`column.${column}`));
    await page.getByRole('button', { name: word('columns.name') }).press('Enter');
    const dialog = page.getByRole('dialog', { name: word('columns.name') });
    await dialog.getByRole('checkbox', { name: word('column.description') }).press('Space');
    await dialog.getByRole('checkbox', { name: word('column.payment-id') }).press('Space');
    await dialog.getByRole('button', { name: /^Customer: move left/ }).press('Enter');
    const first = dialog.getByRole('button', { name: /^Customer: move left/ });
    await expect.poll(header).toEqual(expect.arrayContaining(shown('payment-id')));
    await page.keyboard.press('Enter');
    // At the top it can move no further; the arrow back has the focus, and reverts the move.
    await expect.poll(() => first.isDisabled()).toBe(true);
    await hasFocus(dialog.getByRole('button', { name: /move right/ }));
    await page.keyboard.press('Enter');
    await closeOverlays(page);
    const wanted: ListColumn[] = ['state', 'customer', 'amount', 'when', 'agent', 'order', 'payment-id'];
    await expect.poll(header).toEqual(['', ...shown(...wanted)]);
    expect((await inPage(page).state()).settings.columns).toEqual(wanted);
    const amount = page.getByRole('row').filter({ hasText: 'MORE-1' }).locator('.cell.amount');
    const looks = await amount.evaluate(cell => {
      const { textAlign, fontVariantNumeric } = getComputedStyle(cell);
      return { textAlign, fontVariantNumeric, column: cell.getAttribute('aria-colindex') };
    });
    expect(looks).toEqual({ textAlign: 'end', fontVariantNumeric: 'tabular-nums', column: '4' });
    await page.getByRole('button', { name: word('columns.name') }).press('Enter');
    await dialog.getByRole('button', { name: word('columns.first') }).press('Enter');
    await closeOverlays(page);
    await page.setViewportSize({ width: 1920, height: 1080 });
    const wide: ListColumn[] = [
      'state',
      'amount',
      'customer',
      'description',
      'when',
      'agent',
      'changed',
      'card',
      'order',
    ];
    await expect.poll(header).toEqual(['', ...shown(...wide)]);
    await page.setViewportSize({ width: 1366, height: 768 });
    await expect
      .poll(header)
      .toEqual(['', ...shown('state', 'amount', 'customer', 'description', 'when', 'agent', 'order')]);
  });

  test('the filters of the list include other profiles, agents and flags', async () => {
    await goTo(page, 'nav.payments');
    await expect.poll(() => rows().count()).toBe(2);
    await filter('profile').click();
    await page.getByRole('menuitemradio', { name: word('filter.profile.all') }).click();
    await expect.poll(typed).toBe('profile:all');
    await page.getByText(word('list.everywhere')).waitFor();
    const { agent } = (await inPage(page).state()).settings;
    await filter('filter.agent').click();
    await page.getByRole('menuitemradio', { name: agent, exact: true }).click();
    await expect.poll(typed).toBe(`agent:"${agent}" profile:all`);
    await expect.poll(() => rows().count()).toBe(2);
    await filter('filter.flag').click();
    await page.getByRole('menuitemcheckbox', { name: word('flag.settled-twice') }).click();
    await page.getByText(word('empty.found')).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(typed).toBe(`flag:settled-twice agent:"${agent}" profile:all`);
  });

  const search = async (text: string): Promise<void> => {
    await page.locator('#search').fill(text);
    await page.keyboard.press('Enter');
  };

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
