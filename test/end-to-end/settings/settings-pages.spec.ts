import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { addShop } from '../../../tools/app-harness/running-app.ts';
import { box, button, goTo, ipcRequest, word, inPage } from '../../../tools/browser-harness/console.ts';
import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { willChoose } from '../../../tools/browser-harness/harness.ts';

/** The scheduled export, updates in an application that does not run from a package, and forms that are not saved. */

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
});
