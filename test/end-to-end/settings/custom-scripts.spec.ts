import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { beforeEach, expect, test } from 'vitest';
import type { MessageKey } from '../../../shared/messages/message.ts';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import { ipcRequest, goTo, raiseLink, word, button, inPage } from '../../../tools/browser-harness/console.ts';

/** The merchant's own scripts for the agents. */

onEachDriver('"What to say"', name => {
  const own = 'Your link is good for {minutes, plural, one {one minute} other {# minutes}} yet.';
  /** The state of the payment that was created last. */
  let state: PaymentState = 'started';
  const sentence = () => page.getByRole('textbox', { name: word(`state.${state}`), exact: true });
  const row = () => page.locator(`.custom-script[data-state="${state}"]`);
  const openPanel = async (): Promise<void> => {
    await goTo(page, 'nav.settings');
    await page.getByRole('link', { name: word('settings.custom-scripts') }).click();
    await sentence().waitFor();
  };
  const { page } = useConsole({ driver: name, size: { width: 1366, height: 768 } }, async () => {
    const { orderNumber } = await raiseLink(page, { amount: '12', description: 'One' });
    ({ state } = (await inPage(page).read(orderNumber)).payment);
  });

  // Each test begins with the open panel, without a custom script.
  beforeEach(async () => {
    await ipcRequest(page, 'settings.change', { sentences: { en: {}, de: {} } });
    await goTo(page, 'nav.payments');
    await openPanel();
  });

  test('an invalid script is refused at its field, and stays as typed', async () => {
    await sentence().fill('It was paid at {time}.');
    await row().getByText('{time}').first().waitFor();
    await sentence().press('Enter');
    await expect.poll(() => sentence().inputValue()).toBe('It was paid at {time}.');
    await expect.poll(() => sentence().getAttribute('aria-invalid')).toBe('true');
  });

  test('a valid script is shown with sample values while it is typed, saved with Enter, and shown on the payment', async () => {
    await sentence().fill(own);
    await row().getByText('Your link is good for 12 minutes yet.').waitFor();
    await sentence().press('Enter');
    await row().getByText(word('custom-scripts.own'), { exact: true }).waitFor();
    await goTo(page, 'nav.payments');
    await page.locator('.grid-body [role="row"]').first().click();
    await page.getByText(/Your link is good for \d+ minutes yet\./).waitFor();
  });

  test('"Restore default" restores our script, and undo the custom one', async () => {
    const press = (key: MessageKey) => button(row(), key).press('Enter');
    await sentence().fill(own);
    await sentence().press('Enter');
    await row().getByText(word('custom-scripts.own'), { exact: true }).waitFor();
    await press('custom-scripts.reset');
    await row().getByText(word('custom-scripts.default'), { exact: true }).waitFor();
    await expect.poll(() => sentence().inputValue()).toBe('');
    await press('undo');
    await row().getByText(word('custom-scripts.own'), { exact: true }).waitFor();
    await expect.poll(() => sentence().inputValue()).toBe(own);
  });
});
