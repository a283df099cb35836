import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import {
  box,
  button,
  ipcRequest,
  fillNewPayment,
  goTo,
  pay,
  raiseLink,
  waitForState,
  word,
  inPage,
} from '../../../tools/browser-harness/console.ts';

/** The main job with the real bundles: window, main process, HTTP, SQLite and keychain; tour.spec.ts also has a payer's browser. */

onEachDriver('the main job', name => {
  const app = useConsole({ driver: name, hasKeychain: true });
  const { page } = app;

  test('a payment becomes paid and confirmed on the screen without a click', async () => {
    const { link } = await raiseLink(page, { amount: '10', description: 'Tickets' });
    await pay(link);
    await waitForState(page, 'paid-confirmed');
  });

  test('a declined payment is shown as declined, and its link can still be used', async () => {
    const { link } = await raiseLink(page, { amount: '11', description: 'Tickets' });
    await pay(link, 'decline');
    await waitForState(page, 'declined');
    await expect.poll(() => page.getByTestId('payment-link').innerText()).toContain(link);
  });

  test('a cancelled payment is not shown as declined', async () => {
    const { link, orderNumber } = await raiseLink(page, { amount: '12', description: 'Tickets' });
    await pay(link, 'cancel');
    expect((await inPage(page).read(orderNumber)).payment.state).toMatch(/waiting|started/);
  });

  test('Ctrl+Enter pressed twice makes one payment request', async () => {
    await fillNewPayment(page, { amount: '13', description: 'Once' });
    const orderNumber = await box(page, 'new.order').inputValue();
    await page.evaluate(() => {
      const active = document.activeElement;
      const press = () =>
        active?.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }),
        );
      press();
      press();
    });
    await page.getByTestId('payment-link').waitFor();
    const { events } = await inPage(page).read(orderNumber);
    expect(events.filter(event => event.kind === 'session.requested')).toHaveLength(1);
  });

  test('an invalid amount is refused at its field, and nothing typed is lost', async () => {
    await fillNewPayment(page, { amount: '12,5,7', description: 'A long story' });
    await page.keyboard.press('Control+Enter');
    await page.locator('[name="amount"][aria-invalid="true"]').waitFor();
    await expect.poll(() => box(page, 'new.amount').inputValue()).toBe('12,5,7');
    await expect.poll(() => box(page, 'new.description').inputValue()).toBe('A long story');
  });

  test('a gateway that drops the connection gives "Result unknown", never a failure', async () => {
    await ipcRequest(page, 'sandbox.faults', { faults: ['drop'] });
    await fillNewPayment(page, { amount: '15', description: 'Dropped' });
    await page.keyboard.press('Control+Enter');
    await waitForState(page, 'outcome-unknown');
    await ipcRequest(page, 'sandbox.faults', { faults: [] });
  });

  test('after a refused request the corrected amount is in the head, the list of open links, the QR sheet and the email', async () => {
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
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  test('a profile is added, and its password is in the keychain and is never shown', async () => {
    await goTo(page, 'nav.settings');
    await button(page, 'profile.add').click();
    await box(page, 'profile.name').fill('Shop');
    await box(page, 'profile.base-url').fill('https://pay.example');
    await box(page, 'profile.success-url').fill('https://shop.test/paid?order={order}');
    await box(page, 'profile.cancel-url').fill('https://shop.test/cancelled');
    await box(page, 'profile.merchant-key').fill('shop-key');
    await page.getByLabel(word('profile.password')).first().fill('unmistakable-5ecret');
    await button(page, 'profile.save').click();
    await page.locator('form .check-verdict').waitFor();
    const state = await inPage(page).state();
    expect(JSON.stringify(state)).not.toContain('unmistakable');
    expect(state.profiles.find(profile => profile.name === 'Shop')?.password).toBe('stored');
  });

  test('after kill -9 and a restart every payment is still there', async () => {
    const { orderNumber } = await raiseLink(page, { amount: '16', description: 'Survivor' });
    await app.app.kill();
    await app.restart();
    await goTo(page, 'nav.payments');
    await page.getByText(orderNumber).first().waitFor();
    const { profiles } = await inPage(page).state();
    expect(profiles.map(profile => profile.password)).toEqual(['stored', 'stored']);
    expect((await inPage(page).value('log.verify', {})).problems).toEqual([]);
  });
});
