import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openKeyring } from '../keyring/keyring-session.ts';
import { box, button, fillNewPayment, goTo, raiseLink, waitForState, word, inPage } from './console.ts';
import { launch, type LaunchOptions } from './harness.ts';
import { openPayer } from './payer.ts';

/**
 * Plays the main workflow, and describes it line by line. Saves an image of every step in the folder `pictures`, which
 * it empties first. Throws at the first step that fails, after an image of it.
 */
export const playTour = async ({
  pictures,
  print,
  browser = 'own',
}: {
  pictures: string;
  print: (line: string) => void;
  browser?: NonNullable<LaunchOptions['browser']>;
}): Promise<void> => {
  rmSync(pictures, { recursive: true, force: true });
  mkdirSync(pictures, { recursive: true });
  let step = 0;
  const line = (text: string): void => print(`  ${text}`);
  const chapter = (text: string): void => print(`\n${text}`);
  const picture = async (page: Page, name: string): Promise<void> => {
    step += 1;
    const file = `${String(step).padStart(2, '0')}-${name}.png`;
    await page.screenshot({ path: join(pictures, file) });
    line(`[${file}]`);
  };
  const userData = mkdtempSync(join(tmpdir(), 'counterfoil-tour-'));
  const keyring = await openKeyring();
  const payer = await openPayer();
  const open = () => launch({ userData, env: keyring.env, browser });
  let app = await open();
  try {
    chapter('Counterfoil opens with its sandbox ready: no account, no configuration.');
    let page = await app.firstWindow();
    await box(page, 'new.amount').waitFor();
    await picture(page, 'first-screen');

    chapter('1. A customer is on the phone: a payment link.');
    await fillNewPayment(page, {
      amount: '123.40',
      description: 'Two nights, room 12',
      name: 'Anna Nowak',
      email: 'anna@example.com',
    });
    await picture(page, 'form');
    const orderNumber = await box(page, 'new.order').inputValue();
    await page.keyboard.press('Control+Enter');
    const link = (await page.getByTestId('payment-link').innerText()).trim();
    line(
      `Order ${orderNumber}: written down, sent, answered. The link is ready to copy, spell or show as a QR code.`,
    );
    await button(page, 'link.copy').click();
    await button(page, 'link.qr').click();
    await picture(page, 'link');
    await page.keyboard.press('Escape');

    chapter("2. The customer opens the link: the sandbox gateway's payment page.");
    const payment = await payer.open(link);
    await payment.screenshot({ path: join(pictures, 'payment-page.png') });
    line('It offers pay, decline, 3-D Secure and cancel. No card number is asked for. [payment-page.png]');

    chapter('3. The gateway calls back, and the window turns without a click.');
    await payer.pay(link);
    await waitForState(page, 'paid-confirmed');
    line('redirect, 3ds and sale arrived, were verified and written down; a look-up confirmed them: paid.');
    await picture(page, 'paid');
    const declined = await raiseLink(page, { amount: '15', description: 'Late check-out' });
    await payer.decline(declined.link);
    await waitForState(page, 'declined');
    line("Another customer's card was declined: the reason is shown, and the link still works.");
    await picture(page, 'declined');

    chapter('4. "Did it go through?": the gateway is asked.');
    await goTo(page, 'nav.look-up');
    await page.locator('[name="look-up"]').fill(orderNumber);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: word('look-up.answer') }).waitFor();
    line('By order number (an assumption, and labelled so): settled.');
    await picture(page, 'look-up-by-order');
    const file = await inPage(page).read(orderNumber);
    await page.locator('[name="look-up"]').fill(file.payment.paymentIds[0] ?? '');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: word('look-up.answer') }).waitFor();
    line('By payment id: the same, and both answers are kept as evidence.');
    await picture(page, 'look-up-by-id');

    chapter('5. A callback pasted from a log.');
    await goTo(page, 'nav.callbacks');
    const sale = file.events.find(
      event =>
        event.kind === 'callback.received' &&
        event.body.fields.some(([name, value]) => name === 'type' && value === 'sale'),
    );
    if (sale?.kind !== 'callback.received') throw new Error('the sale callback is not in the evidence');
    const lines = sale.body.fields
      .filter(([name]) => name !== 'hash')
      .map(([name, value]) => `${name}=${name === 'order_amount' ? '999.00' : value}`);
    await box(page, 'callbacks.paste').fill([...lines, `hash=${'0'.repeat(40)}`].join('\n'));
    await page.getByRole('region', { name: word('callbacks.meaning') }).waitFor();
    line(
      'Parsed: the signature is invalid, and every field is explained. It is stored, and changes no state.',
    );
    await picture(page, 'callback');
    await button(page, 'callbacks.store').click();

    chapter('6. The console is closed and opened again.');
    await app.close();
    app = await open();
    page = await app.firstWindow();
    await goTo(page, 'nav.payments');
    await page.getByText(orderNumber).first().waitFor();
    line('Everything is still there.');
    await picture(page, 'payments');

    line('A second profile, for a test account, with its own address, key and password:');
    await goTo(page, 'nav.settings');
    await button(page, 'profile.add').click();
    await box(page, 'profile.name').fill('Shop, test account');
    await box(page, 'profile.base-url').fill('https://pay.example');
    await box(page, 'profile.success-url').fill('https://shop.test/paid?order={order}');
    await box(page, 'profile.cancel-url').fill('https://shop.test/cancelled');
    await box(page, 'profile.merchant-key').fill('shop-test-key');
    await page.getByLabel(word('profile.password')).first().fill('a password that never comes back');
    await picture(page, 'profile');
    await button(page, 'profile.save').click();
    await page.getByText('Shop, test account').first().waitFor();
    const { profiles } = await inPage(page).state();
    const stored = profiles.find(profile => profile.name === 'Shop, test account')?.password;
    line(
      `The password is ${stored === 'stored' ? 'in the keychain' : `not in a keychain (${stored ?? 'unknown'})`}; the window cannot read it back.`,
    );
    await picture(page, 'profiles');
    const report = await inPage(page).value('log.verify', {});
    if (report.problems.length > 0) throw new Error('the log does not verify');
    line(`The log verifies: ${report.events} events, ${report.payments} payments.`);
  } catch (error) {
    const page = await app.firstWindow().catch(() => null);
    if (page) await picture(page, 'stopped-here').catch(() => undefined);
    throw error;
  } finally {
    await app.close().catch(() => undefined);
    await payer.close();
    await keyring.close();
    rmSync(userData, { recursive: true, force: true });
  }
};
