import { onEachDriver } from '../../../tools/browser-harness/use-console.ts';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { box, ipcRequest, raiseLink } from '../../../tools/browser-harness/console.ts';
import { trayIconImages } from '../../../main/electron/tray-icon.ts';
import { launch, type Application } from '../../../tools/browser-harness/harness.ts';
import { startApp, type StartedApp } from '../../../tools/browser-harness/open-app.ts';

/**
 * The bridge between the window and main, with the real bundles; what the runtime itself guarantees: origin, sandbox,
 * copies of values, one instance, keychain, fuses; and what the operating system shows of the console: menu, dialogs,
 * tray, notifications, monitors.
 */

type InvokeHandlers = Map<string, (event: unknown, input: unknown) => Promise<unknown>>;

type Api = { request(name: string, input: unknown): Promise<{ ok: boolean; error?: { code: string } }> };

onEachDriver('the runtime', name => {
  const isReal = name === 'electron';
  let app: StartedApp;
  let page: Page;
  let again: Application | null = null;

  beforeAll(async () => {
    app = await startApp({ driver: name });
    ({ page } = app);
  });
  afterAll(async () => {
    await again?.close();
    await app?.close();
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

  test('the desktop has our menu in place of Electron’s: a developer’s part in a checkout alone', async () => {
    const { labels, isPackaged } = await app.app.evaluate(
      ({ app, Menu }) => ({
        labels: Menu.getApplicationMenu()?.items.map(({ label }) => label) ?? [],
        isPackaged: app.isPackaged,
      }),
      null,
    );
    const own = process.platform === 'darwin' ? 3 : 0;
    expect(labels).toHaveLength(own + (isPackaged ? 0 : 1));
    expect(labels.includes('Developer')).toBe(!isPackaged);
  });

  test('the desktop opens developer tools in a checkout alone', async () => {
    const seen = await app.app.evaluate(({ app, BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows()[0] as unknown as {
        options?: { webPreferences: { devTools?: boolean } };
        webContents: { getLastWebPreferences?: () => { devTools?: boolean } };
      };
      const preferences = window.options?.webPreferences ?? window.webContents.getLastWebPreferences?.();
      return { isPackaged: app.isPackaged, devTools: preferences?.devTools ?? true };
    }, null);
    expect(seen.devTools).toBe(!seen.isPackaged);
  });

  test('the desktop opens its dialogs above the window that asked', async () => {
    await app.app.evaluate(({ BrowserWindow, dialog }) => {
      const seen: boolean[] = [];
      Object.assign(globalThis, { seenParents: seen });
      const cancel = (parent: unknown) => {
        seen.push(parent === BrowserWindow.getAllWindows()[0]);
        return Promise.resolve({ canceled: true, filePath: '', filePaths: [] });
      };
      Object.assign(dialog, { showSaveDialog: cancel, showOpenDialog: cancel });
    }, null);
    await ipcRequest(page, 'log.backUp', {});
    await ipcRequest(page, 'settings.previewImport', {});
    const parents = await app.app.evaluate(
      () => (globalThis as unknown as { seenParents: boolean[] }).seenParents,
      null,
    );
    expect(parents).toEqual([true, true]);
  });

  if (isReal)
    test('the desktop can show the tray’s icon in every scale', async () => {
      const images = [...trayIconImages('colour', 'normal'), ...trayIconImages('template', 'attention')];
      // The module's path is that of a bundle.
      const files = images.map(({ file, side }) => ({
        file: join(import.meta.dirname, '..', '..', '..', 'assets', 'tray', file.split(/[\\/]/).at(-1) ?? ''),
        side,
      }));
      expect(files.every(({ file }) => existsSync(file))).toBe(true);
      const sides = await app.app.evaluate(
        ({ nativeImage, Tray }, paths) =>
          paths.map(path => {
            const image = nativeImage.createFromPath(path);
            // Throws where the desktop refuses it.
            new Tray(image).destroy();
            return image.isEmpty() ? 0 : image.getSize().width;
          }),
        files.map(({ file }) => file),
      );
      expect(sides).toEqual(files.map(({ side }) => side));
    });

  if (isReal)
    test('the desktop shows a notification, where the desktop has any', async () => {
      const outcome = await app.app.evaluate(
        ({ Notification }) =>
          new Promise<string>(resolve => {
            if (!Notification.isSupported()) return resolve('not supported');
            const notification = new Notification({ title: 'Counterfoil', body: 'A test' });
            notification.once('show', () => {
              notification.close();
              resolve('shown');
            });
            notification.once('failed', (_event, error) => resolve(error));
            notification.show();
            return undefined;
          }),
        null,
      );
      expect(['shown', 'not supported']).toContain(outcome);
    });

  if (isReal)
    test('the desktop opens on the monitor on which it was closed', async context => {
      const areas = await app.app.evaluate(
        ({ screen }) => screen.getAllDisplays().map(({ workArea }) => workArea),
        null,
      );
      const [, second] = areas;
      if (second === undefined) return context.skip('this computer has one monitor');
      const place = { x: second.x + 40, y: second.y + 40, width: 1000, height: 640 };
      await app.app.evaluate(
        ({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to),
        place,
      );
      await app.restart();
      ({ page } = app);
      expect(
        await app.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds(), null),
      ).toEqual(place);
    });

  test('the runtime shows the page at its own origin, which is secure and stores nothing', async () => {
    const seen = await page.evaluate(() => ({
      origin: location.origin,
      isSecure: isSecureContext,
      cookies: document.cookie,
    }));
    expect(seen).toMatchObject({ isSecure: true, cookies: '' });
    if (isReal) expect(seen.origin).toBe('app://counterfoil');
  });

  if (isReal)
    test('the runtime serves files of the page alone by its scheme', async () => {
      const answers = await app.app.evaluate(
        async ({ BrowserWindow }, paths) => {
          const own = BrowserWindow.getAllWindows()[0]?.webContents.session;
          return Promise.all(paths.map(async path => (await own?.fetch(path))?.status));
        },
        [
          'app://counterfoil/index.html',
          'app://counterfoil/../main/index.js',
          'app://counterfoil/%2e%2e/main/index.js',
          'app://elsewhere/index.html',
        ],
      );
      expect(answers).toEqual([200, 404, 404, 404]);
    });

  if (isReal)
    test('the runtime runs the page in the operating system’s sandbox, except as root', async () => {
      const sandboxed = await app.app.evaluate(
        ({ app }) => app.getAppMetrics().find(({ type }) => type === 'Tab')?.sandboxed ?? null,
        null,
      );
      // Only Windows and macOS report it.
      if (process.getuid?.() !== 0) expect(sandboxed).not.toBe(false);
    });

  test('the runtime copies values between page and main: a change of an answer reaches no later one', async () => {
    const versions = await page.evaluate(async () => {
      const { api } = globalThis as unknown as { api: Api };
      const first = (await api.request('app.read', {})) as unknown as { value: { version: string } };
      first.value.version = 'changed';
      const second = (await api.request('app.read', {})) as unknown as { value: { version: string } };
      return { first: first.value.version, second: second.value.version };
    });
    expect(versions.first).toBe('changed');
    expect(versions.second).not.toBe('changed');
  });

  test('the runtime passes undefined inside an object, which the contract allows', async () => {
    const answer = await page.evaluate(() =>
      (globalThis as unknown as { api: Api }).api.request('payments.read', {
        profileId: 'sandbox',
        orderNumber: 'none',
        more: undefined,
      }),
    );
    expect(answer.error?.code).toBe('payment.missing');
  });

  if (isReal)
    test('the runtime keeps a date a date, which the contract refuses', async () => {
      const answer = await page.evaluate(() =>
        (globalThis as unknown as { api: Api }).api.request('payments.read', {
          profileId: new Date(),
          orderNumber: 'none',
        }),
      );
      expect(answer.error?.code).toBe('input.invalid');
    });

  if (isReal)
    test('the runtime refuses what cannot be copied, such as a function', async () => {
      const outcome = await page.evaluate(async () => {
        const { api } = globalThis as unknown as { api: Api };
        try {
          return (await api.request('payments.read', { profileId: () => 'sandbox', orderNumber: 'x' })).ok;
        } catch {
          return 'refused';
        }
      });
      expect(outcome).not.toBe(true);
    });

  test('the runtime is the only instance on this data folder', async () => {
    expect(await app.app.evaluate(({ app }) => app.hasSingleInstanceLock(), null)).toBe(true);
  });

  test('the runtime keeps passwords in the keychain over a restart, and the payment log', async () => {
    const before = await raiseLink(page, { amount: '12', description: 'Tickets' });
    await app.app.close();
    again = await launch({ driver: name, browser: 'shared', userData: app.userData });
    page = await again.firstWindow();
    await box(page, 'new.amount').waitFor();
    // The request is signed with the password.
    const after = await raiseLink(page, { amount: '13', description: 'Tickets' });
    expect(after.orderNumber).not.toBe(before.orderNumber);
    const { orderNumber } = before;
    expect(await ipcRequest(page, 'payments.read', { profileId: 'sandbox', orderNumber })).toMatchObject({
      ok: true,
    });
  });

  test('the runtime closes the payment log when the session of the computer ends', async () => {
    const child = again?.process();
    const ended = new Promise(resolve => child?.once('exit', resolve));
    // The answer may be lost with the process.
    await again
      ?.evaluate(({ BrowserWindow }) => {
        BrowserWindow.getAllWindows()[0]?.emit('session-end', {});
      }, null)
      .catch(() => undefined);
    await ended;
    again = null;
    expect(existsSync(join(app.userData, 'payments.db'))).toBe(true);
    expect(existsSync(join(app.userData, 'payments.db-wal'))).toBe(false);
  });
});

/** The path of an installed program; its fuses forbid what is tried here. */
const program = process.env['COUNTERFOIL_PROGRAM'];

describe.skipIf(program === undefined)('an installed program', () => {
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    spawnSync(program ?? '', args, { env: { ...process.env, ...env }, encoding: 'utf8', timeout: 30_000 });

  test('an installed program is no Node interpreter', () => {
    const { stdout } = run(['-e', 'console.log("ran")', '--status'], { ELECTRON_RUN_AS_NODE: '1' });
    expect(stdout).not.toContain('ran');
  });

  test('an installed program reads no options from the environment', () => {
    const { stdout } = run(['--status'], { NODE_OPTIONS: '--print-bytecode --version' });
    expect(() => JSON.parse(stdout) as unknown).not.toThrow();
  });

  test('an installed program opens no debugger', () => {
    expect(run(['--status', '--inspect=127.0.0.1:0']).stderr).not.toContain('Debugger listening');
  });
});
