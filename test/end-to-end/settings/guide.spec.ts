import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import type { MessageKey } from '../../../shared/messages/message.ts';
import { violationsOn } from '../../../tools/browser-harness/axe.ts';
import {
  box,
  command,
  goTo,
  pay,
  waitForState,
  word,
  button,
} from '../../../tools/browser-harness/console.ts';

/** The guided start of a new installation. */

onEachDriver('the guided start', name => {
  const guide = () => page.getByRole('region', { name: word('guide.name') });
  const press = (key: MessageKey) => button(guide(), key).click();
  const description = (key: MessageKey) => guide().getByText(word(key)).waitFor();
  const app = useConsole({ driver: name }, async () => {
    // The application opens no browser in a test.
    await app.app.evaluate(({ shell }) => {
      shell.openExternal = (url: string) => {
        (globalThis as unknown as { paid: string }).paid = url;
        return Promise.resolve();
      };
    }, null);
  });
  const { page } = app;

  test('the guided start is shown at the bottom of an unused console and does not move the focus', async () => {
    await description('guide.sandbox.text');
    await box(page, 'new.amount').and(page.locator(':focus')).waitFor();
  });

  test('the example of the guided start is filled in, created with Enter, and paid on its page', async () => {
    await press('guide.sandbox.do');
    await expect.poll(() => box(page, 'new.amount').inputValue()).toBe('12.50');
    await box(page, 'new.amount').press('Enter');
    await page.getByTestId('payment-link').waitFor();
    await description('guide.pay.text');
    await press('guide.pay.do');
    const opened = () =>
      app.app.evaluate(() => (globalThis as unknown as { paid?: string }).paid ?? '', null);
    await expect.poll(opened).toContain('http://127.0.0.1');
    await pay(await opened());
    await waitForState(page, 'paid-confirmed');
    await description('guide.profile.text');
    expect(await violationsOn(page, { within: '.guide' })).toEqual([]);
  });

  test('the guided start continues at the same step after a restart', async () => {
    await app.restart();
    await description('guide.profile.text');
  });

  test('a step of the guided start can be skipped, and the connection check is the last', async () => {
    await press('guide.skip');
    await description('guide.check.text');
    await press('guide.check.do');
    await button(page, 'profile.check').click();
    // Nothing is set up for real payments yet.
    await description('guide.end.sandbox');
    await expect.poll(() => guide().getByText(word('health.way.callbacks')).count()).toBe(0);
  });

  test('the guided start, once closed, opens again only from Help or the commands', async () => {
    await press('close');
    await guide().waitFor({ state: 'detached' });
    await goTo(page, 'nav.payments');
    await page.getByRole('button', { name: word('help.name'), exact: true }).click();
    await page.getByRole('menuitem', { name: word('guide.name') }).click();
    await description('guide.profile.text');
    await press('guide.close');
    await guide().waitFor({ state: 'detached' });
    await command(page, word('guide.name'), word('guide.name'));
    await guide().waitFor();
  });
});
