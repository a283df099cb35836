import { onEachDriver, useConsole, withEvents } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import type { MessageKey } from '../../../shared/messages/message.ts';
import { requested } from '../../../tools/evidence/evidence.ts';
import { violationsOn } from '../../../tools/browser-harness/axe.ts';
import {
  button,
  ipcRequest,
  goTo,
  raiseLink,
  word,
  shows,
  pay,
} from '../../../tools/browser-harness/console.ts';

/** A bulk look-up of many payments, from a supervisor's view after a night without callbacks. */

onEachDriver('bulk look-up', name => {
  let orders: string[] = [];
  const grid = () => page.getByRole('grid', { name: word('list.name') });
  const row = (orderNumber: string) => grid().getByRole('row').filter({ hasText: orderNumber });
  const openView = (key: MessageKey) =>
    page.getByRole('navigation').first().getByRole('link').getByText(word(key), { exact: true }).click();
  const chosen = () => grid().locator('[role="row"][aria-selected="true"]');
  const strip = () => page.getByRole('region', { name: word('bulk-look-up.name') });

  const { page } = useConsole(
    {
      driver: name,
      prepare: withEvents(
        Array.from({ length: 520 }, (_, index) => requested(0, {}, { orderNumber: `OLD-${index}` })),
      ),
    },
    async () => {
      await ipcRequest(page, 'settings.change', { lookUpAutomatically: false });
      for (const amount of ['21', '22', '23']) {
        const { link, orderNumber } = await raiseLink(page, { amount, description: 'A night' });
        orders = [...orders, orderNumber];
        await ipcRequest(page, 'sandbox.faults', { faults: ['callback-none'] });
        if (amount === '22') await pay(link);
        await ipcRequest(page, 'sandbox.faults', { faults: [] });
      }
      await openView('view.open');
      await row(orders[2] ?? '').waitFor();
    },
  );

  test('rows of the list are selected with Space and Shift+arrow, and deselected with Escape', async () => {
    await grid().focus();
    await page.keyboard.press('Space');
    await expect.poll(() => chosen().count()).toBe(1);
    await page.keyboard.press('Shift+ArrowDown');
    await expect.poll(() => chosen().count()).toBe(2);
    await page.getByText('2 payments selected.').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => chosen().count()).toBe(0);
    await grid().waitFor();
  });

  test('rows of the list are selected with the mouse without opening them', async () => {
    await row(orders[0] ?? '')
      .getByRole('gridcell')
      .first()
      .click();
    await row(orders[2] ?? '').click({ modifiers: ['Shift'] });
    await expect.poll(() => chosen().count()).toBe(3);
    await button(page, 'selection.none').click();
    await expect.poll(() => chosen().count()).toBe(0);
  });

  test('all matching payments are looked up, and the summary of the results opens them', async () => {
    await grid().focus();
    await page.keyboard.press('Control+a');
    await page.getByText('3 payments selected.').waitFor();
    await button(page, 'selection.look-up').click();
    // The bulk look-up continues on every screen.
    await goTo(page, 'nav.callbacks');
    await strip().getByText('Checked 3 payments: 1 changed, 0 failed').waitFor();
    // The message about the paid one is above the summary, whose buttons stay free.
    const toast = page.getByRole('region', { name: word('outcome.toasts') });
    await toast.waitFor();
    const [message, summary] = await Promise.all([toast.boundingBox(), strip().boundingBox()]);
    expect((message?.y ?? 0) + (message?.height ?? 0)).toBeLessThanOrEqual(summary?.y ?? 0);
    expect(await violationsOn(page, { within: 'section' })).toEqual([]);
    await strip().getByRole('link', { name: '1 now paid' }).click();
    await page.getByRole('heading', { level: 1, name: word('bulk-look-up.list.paid-now') }).waitFor();
    await shows(row(orders[1] ?? ''), word('state.paid-checked'));
    const other = grid()
      .getByRole('row')
      .filter({ hasText: orders[0] ?? '' });
    await expect.poll(() => other.count()).toBe(0);
  });

  test('the newest of more than five hundred matching payments are selected, and the list shows that', async () => {
    await goTo(page, 'nav.payments');
    await row(orders[0] ?? '').waitFor();
    await grid().focus();
    await page.keyboard.press('Control+a');
    await shows(page, '500 payments selected. You can select up to 500 payments. The newest are selected.');
    await expect.poll(() => row(orders[0] ?? '').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Escape');
  });

  test('the summary of bulk look-up is closed once it has been read', async () => {
    await button(strip(), 'dismiss').click();
    await strip().waitFor({ state: 'detached' });
  });
});
