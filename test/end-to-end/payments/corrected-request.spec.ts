import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import { box, button, fillNewPayment, ipcRequest, word } from '../../../tools/browser-harness/console.ts';

/** What is shown and sent to a customer is always what the accepted request contained. */

onEachDriver('after a refused request', name => {
  const { page } = useConsole({ driver: name });

  test('the corrected amount is in the head, the list of open links, the QR sheet and the email', async () => {
    await ipcRequest(page, 'sandbox.faults', { faults: ['http-400'] });
    await fillNewPayment(page, { amount: '25', description: 'Two chairs', orderNumber: 'C-1' });
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').first().waitFor();
    await ipcRequest(page, 'sandbox.faults', { faults: [] });
    await box(page, 'new.amount').fill('2525');
    await page.keyboard.press('Control+Enter');
    await button(page, 'link.qr').waitFor();

    const head = page.getByRole('region', { name: word('verdict.name') });
    for (const place of [head, page.locator('nav')]) {
      await place
        .getByText(/2,525\.00/)
        .first()
        .waitFor();
      await expect.poll(() => place.innerText()).not.toMatch(/\b25\.00/);
    }
    await button(page, 'link.qr').click();
    await page
      .getByRole('dialog')
      .getByText(/2,525\.00/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await button(page, 'link.email').click();
    await button(page, 'messages.open.email').waitFor();
    const message = page.getByRole('dialog').getByText(/2,525\.00/);
    await message.first().waitFor();
    const typed = page.getByRole('dialog').getByText(/\b25\.00/);
    await expect.poll(() => typed.count()).toBe(0);
  });
});
