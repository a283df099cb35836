import { readdirSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MessageKey } from '../../../shared/messages/message.ts';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { addShop } from '../../../tools/app-harness/running-app.ts';
import {
  box,
  button,
  goTo,
  ipcRequest,
  raiseLink,
  word,
  inPage,
} from '../../../tools/browser-harness/console.ts';
import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { willChoose } from '../../../tools/browser-harness/harness.ts';

/** The scheduled export, updates without a package, forms that are not saved, and the merchant's own phone scripts. */

onEachDriver('in the settings', name => {
  const folder = newFolder('scheduled');
  const app = useConsole({ driver: name });
  const { page } = app;

  test('the scheduled export is switched on by a folder and an interval, and shows the file of the last month', async () => {
    await willChoose(app.app, folder);
    await goTo(page, 'nav.settings');
    await page.getByRole('link', { name: word('settings.data'), exact: true }).click();
    const section = page.getByRole('region', { name: word('scheduled-export') });
    const interval = section.getByRole('button', { name: word('scheduled-export.every') });
    await expect.poll(() => interval.isDisabled()).toBe(true);
    await button(page, 'scheduled-export.choose').click();
    await section.getByText(folder, { exact: true }).waitFor();
    await interval.click();
    await page.getByRole('option', { name: word('scheduled-export.every.month') }).click();
    await section.getByText(/Sandbox-\d{4}-\d\d\.xlsx/).waitFor();
    await button(page, 'scheduled-export.run').click();
    await section.getByText(/Sandbox-\d{4}-\d\d \(2\)\.xlsx/).waitFor();
    expect(readdirSync(folder).filter(file => file.endsWith('.xlsx'))).toHaveLength(2);
  });

  test('updates say why this program cannot update itself, and ask no server', async () => {
    await page.getByRole('link', { name: word('settings.about') }).click();
    const form = page.getByRole('form', { name: word('update.title') });
    await form.getByText(word('update.obstacle.not-installed')).waitFor();
    await expect.poll(() => button(page, 'update.check').isDisabled()).toBe(true);
    expect(await ipcRequest(page, 'updates.restart', {})).toMatchObject({
      error: { code: 'update.busy' },
    });
  });

  test('updates take an https address only', async () => {
    const server = box(page, 'update.server');
    await server.fill('http://it.example.com/counterfoil/');
    await page.getByText(word('update.server.invalid')).waitFor();
    await expect.poll(() => button(page, 'apply').isDisabled()).toBe(true);
    await server.fill('https://it.example.com/counterfoil/');
    await button(page, 'apply').click();
    await button(page, 'apply').waitFor({ state: 'detached' });
    const { settings } = await inPage(page).state();
    expect(settings.updateServer).toBe('https://it.example.com/counterfoil/');
  });

  const section = (key: 'settings.profiles' | 'settings.refunds' | 'settings.people') =>
    page
      .getByRole('navigation', { name: word('nav.settings') })
      .getByRole('link', { name: word(key), exact: true })
      .click();

  test('a profile that this computer has no keychain for says so where it was saved, in view', async () => {
    await section('settings.profiles');
    await button(page, 'profile.add').click();
    await box(page, 'profile.name').fill('Shop');
    await box(page, 'profile.base-url').fill('https://pay.example');
    await box(page, 'profile.merchant-key').fill('shop-key');
    await box(page, 'profile.success-url').fill('https://shop.test/paid');
    await box(page, 'profile.cancel-url').fill('https://shop.test/cancelled');
    await page.getByLabel(word('profile.password')).first().fill('correct horse');
    await page.keyboard.press('Control+Enter');
    const error = page.getByRole('alert').getByText(word('error.keychain.unavailable'));
    await error.waitFor();
    await expect
      .poll(() =>
        error.evaluate(note => {
          const { left, top, bottom } = note.getBoundingClientRect();
          return note.contains(document.elementFromPoint(left + 4, (top + bottom) / 2));
        }),
      )
      .toBe(true);
    await button(page, 'cancel').click();
  });

  test('what is typed into a profile and its refunds and not saved stays, marked, and each page saves only its own', async () => {
    const id = await addShop(inPage(page));
    await ipcRequest(page, 'settings.change', { activeProfileId: id });
    const stored = async () => (await inPage(page).state()).profiles.find(profile => profile.id === id);
    const edit = () =>
      button(page.getByRole('article', { name: 'Shop', exact: true }), 'profile.edit').click();
    const unsaved = page.getByText(word('form.unsaved'));
    const limit = box(page, 'profile.operations.limits.secondPersonFrom');
    await section('settings.profiles');
    await edit();
    await box(page, 'profile.merchant-key').fill('other-key');
    await section('settings.refunds');
    await limit.fill('EUR 20');
    await unsaved.waitFor();
    await section('settings.people');
    await section('settings.refunds');
    await expect.poll(() => limit.inputValue()).toBe('EUR 20');
    await unsaved.waitFor();
    await button(page, 'save').click();
    await page.getByText(word('refunds.saved'), { exact: true }).waitFor();
    expect(await stored()).toMatchObject({
      merchantKey: 'shop-key',
      operations: { limits: { secondPersonFrom: 'EUR 20' } },
    });
    await section('settings.profiles');
    await edit();
    await expect.poll(() => box(page, 'profile.merchant-key').inputValue()).toBe('other-key');
    await unsaved.waitFor();
    await button(page, 'cancel').click();
    await edit();
    await expect.poll(() => box(page, 'profile.merchant-key').inputValue()).toBe('shop-key');
    await expect.poll(() => unsaved.count()).toBe(0);
  });

  describe('the merchant’s own phone scripts', () => {
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
    beforeAll(async () => {
      await ipcRequest(page, 'settings.change', { activeProfileId: 'sandbox' });
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
});
