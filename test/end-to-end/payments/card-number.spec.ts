import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { MessageKey } from '../../../shared/messages/message.ts';
import {
  box,
  button,
  goTo,
  raiseLink,
  startNewPayment,
  word,
} from '../../../tools/browser-harness/console.ts';

/** A card number is refused in every field, and no byte of it is written to the disk. */

const digits = '4111111111111111';
const written = ['4111 1111 1111 1111', 'card 4111-1111-1111-1111 please', digits];

const settings = (key: MessageKey) => async (page: Page) => {
  await goTo(page, 'nav.settings');
  await page.getByRole('link', { name: word(key), exact: true }).click();
};

const screens: Record<string, (page: Page) => Promise<unknown>> = {
  'new payment': startNewPayment,
  payments: page => goTo(page, 'nav.payments'),
  'look-up': page => goTo(page, 'nav.look-up'),
  reconciliation: page => goTo(page, 'nav.reconciliation'),
  overview: page => goTo(page, 'nav.overview'),
  sandbox: page => goTo(page, 'nav.sandbox'),
  'a new profile': async page => {
    await goTo(page, 'nav.settings');
    await button(page, 'profile.add').click();
    await box(page, 'profile.name').waitFor();
  },
  'settings of the receiver': settings('settings.receiver'),
  'a new person': async page => {
    await settings('settings.people')(page);
    await button(page, 'agents.add').click();
    await box(page, 'agents.person').waitFor();
  },
  'general settings': settings('settings.general'),
  'settings of the data': settings('settings.data'),
  'a payment': page => raiseLink(page, { amount: '12', description: 'For everyone' }),
};

/** Every byte below a folder. */
const everyByte = (folder: string): Buffer =>
  Buffer.concat(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => readFileSync(join(entry.parentPath, entry.name))),
  );

onEachDriver('a card number', name => {
  const app = useConsole({ driver: name });
  const { page } = app;

  test.each(Object.keys(screens))('a card number is refused in every field of %s', async screen => {
    await screens[screen]?.(page);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    const boxes = page.locator(
      ':is(textarea, input:not([type=password], [type=checkbox], [type=radio], [disabled])):not([inert] *):visible',
    );
    await expect.poll(() => boxes.count()).toBeGreaterThan(0);
    for (const one of await boxes.all()) {
      const before = await one.inputValue();
      const label = await one.evaluate(element => element.getAttribute('name') ?? element.id);
      for (const text of written) {
        // Focuses it too.
        await one.fill('');
        await page.keyboard.insertText(text);
        expect.soft((await one.inputValue()).replace(/\D/g, ''), label).not.toContain(digits);
      }
      await one.fill(before);
    }
    // Closes a sheet if one is open.
    await page.keyboard.press('Escape');
  });

  test('a card number in a pasted callback causes a warning, and is masked before it is stored', async () => {
    await goTo(page, 'nav.callbacks');
    await box(page, 'callbacks.paste').fill(
      JSON.stringify({
        id: '6f1d2c3b-0000-4000-8000-000000000001',
        order_number: 'CARD-1',
        order_amount: '1.00',
        order_currency: 'EUR',
        order_description: 'Chair',
        type: 'sale',
        status: 'success',
        card: digits,
        hash: '0'.repeat(40),
      }),
    );
    await page.getByText(word('callbacks.card')).waitFor();
    await page.getByText('411111******1111').first().waitFor();
    await button(page, 'callbacks.store').click();
    await page.getByText('1 callback saved').first().waitFor();
    await button(page, 'callbacks.clear').click();
  });

  test('a card number leaves no byte on the disk or in the window', async () => {
    expect(await page.content()).not.toContain(digits);
    await app.app.close();
    expect(everyByte(app.userData).includes(digits)).toBe(false);
    expect(everyByte(app.userData).includes('For everyone')).toBe(true);
  });
});
