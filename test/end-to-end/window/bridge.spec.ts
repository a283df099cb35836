import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import { ipcRequest } from '../../../tools/browser-harness/console.ts';

/** The window's preferences, and the bridge between it and main, with the real bundles. */

type InvokeHandlers = Map<string, (event: unknown, input: unknown) => Promise<unknown>>;

onEachDriver('the window’s bridge', name => {
  const app = useConsole({ driver: name });
  const { page } = app;

  test('the window is created with every safe preference set explicitly', async () => {
    const preferences = await app.app.evaluate(({ BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows()[0] as unknown as {
        options?: { webPreferences: Record<string, unknown> };
        webContents: { getLastWebPreferences?: () => Record<string, unknown> };
      };
      return window.options?.webPreferences ?? window.webContents.getLastWebPreferences?.() ?? {};
    }, null);
    expect(preferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
    });
  });

  test('the window shows a page without Node, and with one frozen bridge', async () => {
    const seen = await page.evaluate(() => {
      const own = globalThis as unknown as Record<string, unknown>;
      const app = own['api'] as Record<string, unknown>;
      try {
        app['request'] = () => 'replaced';
      } catch {
        // Strict mode throws; sloppy mode ignores it.
      }
      return {
        node: ['require', 'process', 'Buffer', 'module', 'global'].filter(word => word in own),
        bridge: Object.keys(app).sort(),
        frozen: Object.isFrozen(app),
        isReplaced: String(app['request']).includes('replaced'),
      };
    });
    expect(seen).toEqual({ node: [], bridge: ['request', 'subscribe'], frozen: true, isReplaced: false });
  });

  if (name === 'stand-in')
    test('the default menu is replaced before any window is created', async () => {
      const menu = await app.app.evaluate(
        electron => (electron as unknown as { recorded: { menu?: { windows: number } } }).recorded.menu,
        null,
      );
      expect(menu).toMatchObject({ windows: 0 });
    });

  test('the window’s bridge has only the names of the contract', async () => {
    expect(await ipcRequest(page, 'no.such.call' as 'app.read', {})).toMatchObject({
      ok: false,
      error: { code: 'message.refused' },
    });
    expect(await ipcRequest(page, '__proto__' as 'app.read', {})).toMatchObject({ ok: false });
  });

  test.each([
    ['nothing', undefined],
    ['a text', 'profileId'],
    ['wrong fields', { profileId: 7, orderNumber: null }],
    ['an over-long text', { profileId: 'sandbox', orderNumber: 'x'.repeat(300) }],
  ])(
    'the window gets an error for a message with %s, and the error contains the reason',
    async (_, input) => {
      expect(await ipcRequest(page, 'payments.read', input as never)).toMatchObject({
        ok: false,
        error: { code: 'input.invalid' },
      });
    },
  );

  test('messages are accepted only from the window’s own page: from no frame, no other page, no other window', async () => {
    const answers = await app.app.evaluate(async ({ BrowserWindow, ipcMain }) => {
      const handler = (ipcMain as unknown as { _invokeHandlers: InvokeHandlers })._invokeHandlers.get(
        'request:app.read',
      );
      const sender = BrowserWindow.getAllWindows()[0]?.webContents;
      const foreign = [
        { sender, senderFrame: null },
        { sender, senderFrame: { url: 'app://counterfoil/index.html' } },
        { sender: { id: 999_999, mainFrame: sender?.mainFrame }, senderFrame: sender?.mainFrame },
      ];
      const results: unknown[] = [];
      for (const event of foreign) results.push(await handler?.(event, {}));
      return results;
    }, null);
    for (const answer of answers)
      expect(answer).toMatchObject({ ok: false, error: { code: 'message.refused' } });
  });

  test('the window never shows a link, an order or a name in its title bar', async () => {
    const title = await app.app.evaluate(
      ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle(),
      null,
    );
    expect(title).toBe('Counterfoil');
  });
});
