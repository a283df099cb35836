import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { MessageKey } from '../../../shared/messages/message.ts';
import { formulas, sign } from '../../../main/signatures/signature.ts';
import { hrefOf, type Route } from '../../../renderer/routes.ts';
import { addShop } from '../../../tools/app-harness/running-app.ts';
import { violationsOn } from '../../../tools/browser-harness/axe.ts';
import {
  appears,
  box,
  button,
  ipcRequest,
  goTo,
  word,
  inPage,
} from '../../../tools/browser-harness/console.ts';

/** The receiver from an integrator's view: warnings, a test callback, the quarantine. */

/** A forged callback for the shop, signed with a wrong password. */
const forged = (orderNumber: string): string =>
  new URLSearchParams({
    id: randomUUID(),
    order_number: orderNumber,
    order_amount: '10.00',
    order_currency: 'EUR',
    order_description: 'Blue chair',
    type: 'sale',
    status: 'success',
    hash: createHash('sha1').update(orderNumber).digest('hex'),
  }).toString();

onEachDriver('the receiver', name => {
  let profileId: string;
  const warning = () => page.getByRole('alertdialog', { name: word('receiver.open.title') });
  const toggle = () => page.getByRole('switch', { name: word('receiver.switch') });
  const settings = () => page.getByRole('form', { name: word('settings.receiver') });
  const health = () => page.getByRole('region', { name: word('receiver.name') });
  const receiver = async () => (await inPage(page).state()).receiver;
  const expectNoFaults = async (within: string): Promise<void> => {
    expect(await violationsOn(page, { rules: 'all', within })).toEqual([]);
  };

  const { page } = useConsole({ driver: name, size: { width: 1366, height: 768 } }, async () => {
    profileId = await addShop(inPage(page));
    await goTo(page, 'nav.settings');
    await page.getByRole('link', { name: word('settings.receiver'), exact: true }).click();
    await page.getByText(word('receiver.for-people')).waitFor();
    // What a person without IT needs is above; the rest is folded.
    await box(page, 'receiver.host').waitFor({ state: 'hidden' });
    await page.getByText(word('error.for-it')).click();
  });

  test('the receiver accepts other computers only after a confirmation, and stays closed without it', async () => {
    await box(page, 'receiver.host').fill('0.0.0.0');
    await toggle().press('Space');
    await warning().getByText(word('receiver.open.firewall')).waitFor();
    await warning().getByText(word('receiver.open.plain')).waitFor();
    await expectNoFaults('.modal');
    await page.keyboard.press('Escape');
    await warning().waitFor({ state: 'detached' });
    expect((await receiver()).listening).toBe(false);
    await toggle().press('Space');
    await button(warning(), 'receiver.open.no').press('Enter');
    await warning().waitFor({ state: 'detached' });
    expect((await receiver()).listening).toBe(false);
    await toggle().press('Space');
    await button(warning(), 'receiver.open.yes').press('Enter');
    await health().getByText(word('receiver.on'), { exact: true }).waitFor();
    await settings().getByText(word('receiver.exposed')).waitFor();
  });

  test('the receiver keeps what is typed while a change is applied', async () => {
    const stored = async () => (await inPage(page).state()).settings.receiver.quarantine;
    const limit = box(page, 'receiver.limit');
    await limit.fill('200');
    // At once: a person types on before the answer.
    await limit.evaluate(element => {
      if (!(element instanceof HTMLInputElement)) return;
      element.form?.requestSubmit();
      element.select();
      document.execCommand('insertText', false, '300');
    });
    await expect.poll(stored).toBe(200);
    await limit.press('Enter');
    await expect.poll(stored).toBe(300);
  });

  test('the receiver returns to this PC only without a question, and its port stays', async () => {
    const before = (await receiver()).addresses.find(one => one.profileId === profileId)?.url ?? '';
    await box(page, 'receiver.host').fill('127.0.0.1');
    await box(page, 'receiver.limit').fill('100');
    await box(page, 'receiver.limit').press('Enter');
    await settings().getByText(word('receiver.exposed')).waitFor({ state: 'detached' });
    const { port } = new URL(before);
    await expect.poll(() => box(page, 'receiver.port').inputValue()).toBe(port);
    expect((await receiver()).addresses).toContainEqual({
      profileId,
      url: before.replace('0.0.0.0', '127.0.0.1'),
    });
  });

  test('the receiver sends itself a test callback on one click, and shows the result', async () => {
    await goTo(page, 'nav.callbacks');
    const tab = (key: MessageKey) => page.getByRole('tab', { name: word(key) });
    await tab('callbacks.tab.inspect').press('End');
    await button(page, 'receiver.test').press('Enter');
    await page.getByRole('status').getByText('was verified and saved, and was confirmed').waitFor();
    await tab('callbacks.tab.receiver').press('ArrowLeft');
    await page
      .getByRole('grid', { name: word('inbox.name') })
      .getByText(word('reported.claim.paid'))
      .first()
      .waitFor();
  });

  test('the receiver reports that its quarantine is full, and has room again after a reset', async () => {
    await page.getByRole('tab', { name: word('callbacks.tab.receiver') }).click();
    const { url = '' } = (await receiver()).addresses.find(one => one.profileId === profileId) ?? {};
    const statuses: number[] = [];
    for (let count = 0; count < 101; count += 1) {
      const body = new URLSearchParams(forged(`Q-${count}`));
      statuses.push((await fetch(url, { method: 'POST', body })).status);
    }
    expect(statuses.filter(status => status === 503)).toHaveLength(1);
    await health().getByText(word('quarantine.full')).waitFor();
    await expectNoFaults('#place');
    await button(page, 'quarantine.room').press('Enter');
    await health().getByText(word('quarantine.full')).waitFor({ state: 'detached' });
    await health().getByText('Counter last reset by').waitFor();
    expect((await receiver()).quarantine).toMatchObject({ callbacks: 0, full: false });
  });

  test('a received order number is shown without characters that turn it around, on every screen with it', async () => {
    // A person would read CF-1000.
    const orderNumber = 'CF-\u202e0001';
    const signed = {
      id: randomUUID(),
      order_number: orderNumber,
      order_amount: '10.00',
      order_currency: 'EUR',
      order_description: 'Blue \u202echair',
    };
    const hash = sign(formulas.callback, signed, 'correct horse', { digest: 'md5', uppercasing: 'ascii' });
    const text = new URLSearchParams({ ...signed, type: 'sale', status: 'success', hash }).toString();
    await ipcRequest(page, 'settings.change', { activeProfileId: profileId });
    await ipcRequest(page, 'callbacks.store', { text, via: 'paste', profileId });
    const routes: Route[] = [
      { screen: 'payments', view: 'all', words: '' },
      { screen: 'payment', profileId, orderNumber },
      { screen: 'callbacks', tab: 'inbox' },
    ];
    for (const route of routes) {
      await page.evaluate(href => location.assign(href), hrefOf(route));
      await appears(page, 'main', 'CF-');
      const turned = await page.evaluate(() => {
        const named = ['title', 'aria-label'].flatMap(name =>
          [...document.querySelectorAll(`[${name}]`)].map(element => element.getAttribute(name) ?? ''),
        );
        return [document.body.innerText, document.title, ...named].flatMap(
          shown => shown.match(/.*[\u202a-\u202e].*/g) ?? [],
        );
      });
      expect(turned, route.screen).toEqual([]);
    }
  });
});
