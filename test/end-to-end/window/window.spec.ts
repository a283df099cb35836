import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { onEachDriver } from '../../../tools/browser-harness/use-console.ts';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  box,
  button,
  ipcRequest,
  goTo,
  pay,
  raiseLink,
  word,
  inPage,
} from '../../../tools/browser-harness/console.ts';
import { show } from '../../../tools/screens/reach.ts';
import { launch, type Application } from '../../../tools/browser-harness/harness.ts';

/** The window and the operating system: its position, a second start, a deep link. */

onEachDriver('the window', name => {
  let app: Application;
  let page: Page;
  const userData = newFolder('window');
  const open = async (args: readonly string[] = []): Promise<void> => {
    app = await launch({ driver: name, browser: 'shared', userData, args });
    page = await app.firstWindow();
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  /** A second start while the first runs: it passes its arguments on and ends. */
  const startAgain = async (...args: string[]): Promise<void> => {
    const second = await launch({ driver: name, userData, args }).catch(() => null);
    const child = second?.process();
    if (child && child.exitCode === null) await new Promise(resolve => child.once('exit', resolve));
  };
  const heading = (text: string) => page.getByRole('heading', { level: 1, name: text, exact: true });

  beforeAll(() => open());
  afterAll(async () => {
    await app?.close();
  });

  test.skipIf(process.platform === 'win32')(
    'the console protects its files from every other user',
    async () => {
      const files = readdirSync(userData, { recursive: true, encoding: 'utf8' });
      expect(files).toEqual(expect.arrayContaining(['payments.db', 'payments.db-wal', 'payments.db.lock']));
      const open = files.filter(file => {
        const found = lstatSync(join(userData, file), { throwIfNoEntry: false });
        return found && !found.isSymbolicLink() && (found.mode & 0o077) !== 0;
      });
      expect(open).toEqual([]);
    },
  );

  test('the window is maximised again, and still has its earlier position', async () => {
    const place = { x: 120, y: 90, width: 1200, height: 700 };
    await app.evaluate(({ BrowserWindow }, to) => {
      const window = BrowserWindow.getAllWindows()[0];
      window?.setBounds(to);
      window?.maximize();
    }, place);
    await app.close();
    await open();
    const seen = await app.evaluate(({ BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows()[0];
      return [window?.isMaximized(), window?.getNormalBounds()];
    }, null);
    expect(seen).toEqual([true, place]);
  });

  test('a second start with an address opens the payment’s page in the first window, in front, and does nothing else', async () => {
    const focused = () =>
      app.evaluate(
        electron => (electron as unknown as { recorded?: { focused: number } }).recorded?.focused ?? 0,
        null,
      );
    await box(page, 'new.amount').waitFor();
    const { orderNumber } = await raiseLink(page, { amount: '12', description: 'Tickets' });
    await goTo(page, 'nav.callbacks');
    const evidence = async () => (await inPage(page).read(orderNumber)).events.length;
    await expect.poll(evidence).toBe(3);
    const before = await focused();
    await startAgain(`counterfoil://payment/sandbox/${orderNumber}`);
    await heading(orderNumber).waitFor();
    if (name === 'stand-in') await expect.poll(focused).toBe(before + 1);
    expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length, null)).toBe(1);
    expect(await evidence()).toBe(3);
  });

  test('an unknown order is shown with a button to look it up', async () => {
    await show(page, '#/payment/sandbox/unknown%2Forder');
    await heading('unknown/order').waitFor();
    await page.getByRole('alert').getByText(word('error.payment.missing')).waitFor();
    await button(page, 'look-up.now').waitFor();
    await show(page, '#/payment/elsewhere/CF-1');
    await page.getByText('“elsewhere”').waitFor();
  });

  // The real runtime shows these where a test cannot reach.
  if (name === 'stand-in')
    test('the tray opens a new payment, and a notification opens the payment that was paid', async () => {
      type Recorded = {
        recorded: {
          badge: number;
          trays: { menu: { label?: string; click?: () => void }[] }[];
          notifications: { emit(name: string): void }[];
        };
      };
      await goTo(page, 'nav.callbacks');
      await app.evaluate(electron => {
        const { recorded } = electron as unknown as Recorded;
        recorded.trays[0]?.menu.find(({ label }) => label === 'New payment')?.click?.();
      }, null);
      const { link, orderNumber } = await raiseLink(page, { amount: '31', description: 'Tickets' });
      await goTo(page, 'nav.callbacks');
      await pay(link);
      const notificationCount = () =>
        app.evaluate(electron => (electron as unknown as Recorded).recorded.notifications.length, null);
      await expect.poll(notificationCount).toBe(1);
      await app.evaluate(
        electron => (electron as unknown as Recorded).recorded.notifications[0]?.emit('click'),
        null,
      );
      await heading(orderNumber).waitFor();
    });

  // A test cannot click the tray icon on the real runtime.
  if (name === 'stand-in')
    test('after the window is closed the console continues if that is chosen: callbacks are received, and the tray opens it again', async () => {
      const { link, orderNumber } = await raiseLink(page, { amount: '32', description: 'Tickets' });
      await ipcRequest(page, 'settings.change', { stayOpen: true });
      await page.close();
      // The tray opens a window only if there is none.
      await expect
        .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length, null))
        .toBe(0);
      await pay(link);
      await app.evaluate(electron => {
        type Trays = { recorded: { trays: { menu: { label?: string; click?: () => void }[] }[] } };
        const { recorded } = electron as unknown as Trays;
        recorded.trays[0]?.menu[0]?.click?.();
      }, null);
      page = await app.firstWindow();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await goTo(page, 'nav.payments');
      const row = page.getByRole('grid').getByRole('row').filter({ hasText: orderNumber });
      await row.getByText(word('state.paid-confirmed')).waitFor();
      await ipcRequest(page, 'settings.change', { stayOpen: false });
    });

  test('a locked console opens the page once it is unlocked', async () => {
    const { agentId, settings } = await inPage(page).state();
    const { agent } = settings;
    await ipcRequest(page, 'agents.save', { id: agentId, name: agent, pin: '4711' });
    await goTo(page, 'nav.callbacks');
    await page.keyboard.press('Control+Shift+L');
    const lockScreen = page.getByRole('main', { name: word('lock-screen.name') });
    const pin = lockScreen.getByLabel(`PIN of ${agent}`).last();
    await pin.waitFor();
    await startAgain('counterfoil://payment/sandbox/while-locked');
    expect(page.url()).not.toContain('while-locked');
    await pin.fill('4711');
    await page.keyboard.press('Enter');
    await heading('while-locked').waitFor();
  });

  test('a console started with an address opens it, after the PIN', async () => {
    await app.close();
    app = await launch({
      driver: name,
      browser: 'shared',
      userData,
      args: ['counterfoil://payment/sandbox/at-start'],
    });
    page = await app.firstWindow();
    const lockScreen = page.getByRole('main', { name: word('lock-screen.name') });
    await lockScreen.waitFor();
    await lockScreen.locator('input').fill('4711');
    await page.keyboard.press('Enter');
    await heading('at-start').waitFor();
  });
});
