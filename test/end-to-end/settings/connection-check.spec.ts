import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { afterAll, expect, test } from 'vitest';
import { startSandbox } from '../../../main/sandbox/start-sandbox.ts';
import type { Sandbox } from '../../../main/sandbox/sandbox.ts';
import type { ProfileDraft } from '../../../shared/settings/profile.ts';
import { shopProfile } from '../../../tools/app-harness/running-app.ts';
import { violationsOn } from '../../../tools/browser-harness/axe.ts';
import { box, button, goTo, ipcRequest, word, inPage } from '../../../tools/browser-harness/console.ts';

/** The connection check of an own profile, from a wrong password to "Ready to use". */

onEachDriver('the connection check', name => {
  let gateway: Sandbox;
  const card = () => page.getByRole('article', { name: 'Shop', exact: true });
  const panel = () => page.getByRole('region', { name: word('profile.check') });
  const press = (label: string) => card().getByRole('button', { name: label, exact: true }).click();

  let id: string | null = null;
  const save = async (digest: ProfileDraft['digest'], password: string | null): Promise<void> => {
    const profile = { ...shopProfile, baseUrl: gateway.baseUrl, digest };
    ({ id } = await inPage(page).value('profiles.save', { id, profile, password, thisRunOnly: true }));
  };

  const savedUrl = async () =>
    (await inPage(page).state()).profiles.find(profile => profile.id === id)?.cancelUrl;

  const { page } = useConsole({ driver: name, size: { width: 1366, height: 768 } }, async () => {
    gateway = await startSandbox({
      port: 0,
      merchantKey: 'shop-key',
      merchantPassword: 'right password',
      callbackUrl: null,
      digest: 'sha256',
    });
    await save('sha256', 'wrong password');
    await goTo(page, 'nav.settings');
  });
  afterAll(() => gateway?.close());

  test('a profile says that this computer asks its provider, which has not worked yet', async () => {
    await card().getByText(word('health.way.asks')).waitFor();
    await card().getByText(word('health.way.not-yet')).waitFor();
    await ipcRequest(page, 'settings.change', { lookUpAutomatically: false });
    await card().getByText(word('health.way.none')).waitFor();
    await ipcRequest(page, 'settings.change', { lookUpAutomatically: true });
    await card().getByText(word('health.way.asks')).waitFor();
  });

  test('the connection check of a wrong password leads to the fields of key and password', async () => {
    await press(word('profile.check'));
    await panel().getByText(word('check.stopped')).waitFor();
    await panel().getByText(word('connection.wrong.both')).waitFor();
    expect(await violationsOn(page, { within: '.check' })).toEqual([]);
    await button(panel(), 'profile.password').click();
    const password = page.getByRole('textbox', { name: word('profile.password') });
    await password.and(page.locator(':focus')).waitFor();
    // The keychain of a test cannot store it.
    await save('sha256', 'right password');
    await button(page, 'cancel').click();
    await card().waitFor();
  });

  test('the connection check of the right password is ready, and its link is not in the list', async () => {
    await press(word('profile.check'));
    await panel().getByText(word('check.ready')).waitFor();
    // The steps are folded below the verdict.
    await panel().locator('summary').click();
    await panel().getByText(word('connection.link.accepted')).waitFor();
    // The failure of the wrong password is over.
    await card().getByText(word('health.bad'), { exact: true }).waitFor({ state: 'detached' });
    const listed = await ipcRequest(page, 'payments.list', { filter: {}, limit: 10 });
    expect(listed).toMatchObject({ ok: true, value: { rows: [] } });
  });

  test('a profile is saved and checked with one press, and the verdict has the focus', async () => {
    await press(word('profile.edit'));
    await box(page, 'profile.cancel-url').fill('https://shop.test/gone');
    await button(page, 'profile.save').click();
    await panel().locator('h3:focus').waitFor();
    await panel().getByText(word('check.ready')).waitFor();
    // The verdict is in view, right above the button that was pressed.
    const verdict = await panel().locator('.check-verdict').boundingBox();
    const pressed = await button(page, 'profile.save').boundingBox();
    expect(pressed && verdict && pressed.y - verdict.y - verdict.height).toBeLessThan(160);
    expect(await savedUrl()).toBe('https://shop.test/gone');
  });

  test('the connection check offers the hash setting that works, and runs again with it', async () => {
    await save('md5', null);
    await button(panel(), 'check.again').click();
    await panel().getByText(word('connection.wrong.setting')).waitFor();
    await button(panel(), 'digest.sha256').click();
    await panel().getByText(word('check.ready')).waitFor();
  });

  test('a profile that is saved again and again shows only the problems of the last attempt, and one check', async () => {
    const summaries = page.locator('.problem-summary');
    for (const host of ['one', 'two', 'three']) {
      await box(page, 'profile.base-url').fill(`https://${host}.example`);
      await page.keyboard.press('Enter');
      await summaries.and(page.locator(':focus')).last().waitFor();
    }
    await expect.poll(() => summaries.count()).toBe(1);
    await expect.poll(() => panel().count()).toBe(1);
    await box(page, 'profile.base-url').fill(gateway.baseUrl);
  });

  test('who leaves the form of a profile while it is saved stays where they went', async () => {
    await box(page, 'profile.cancel-url').fill('https://shop.test/left');
    await page.evaluate(name => {
      const save = [...document.querySelectorAll('button')].find(one => one.textContent === name);
      const away = document.querySelector<HTMLElement>('nav [href="#/new"]');
      for (const one of [save, away]) one?.click();
    }, word('save'));
    await expect.poll(savedUrl).toBe('https://shop.test/left');
    await box(page, 'new.amount').waitFor();
    expect(new URL(page.url()).hash).toBe('#/new');
    await goTo(page, 'nav.settings');
    await press(word('profile.check'));
    await panel().getByText(word('check.ready')).waitFor();
  });

  test('a profile whose check is ready is used with one press, and becomes the active one', async () => {
    await button(panel(), 'check.use').click();
    await box(page, 'new.amount').waitFor();
    await goTo(page, 'nav.settings');
    await card().getByText(word('profile.active'), { exact: true }).waitFor();
  });
});
