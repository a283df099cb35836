import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ipcRequest } from '../../../tools/browser-harness/console.ts';
import { launch } from '../../../tools/browser-harness/harness.ts';
import { trayIconImages } from '../../../main/electron/tray-icon.ts';

/** What the operating system shows of the console: menu, dialogs, tray, notifications, monitors. */

/** Two monitors side by side, as the fake Electron shows them; the real runtime has those of its computer. */
const twoMonitors = [
  {
    id: 1,
    bounds: { x: 0, y: 0, width: 1920, height: 1080 },
    workArea: { x: 0, y: 0, width: 1920, height: 1040 },
  },
  {
    id: 2,
    bounds: { x: 1920, y: 0, width: 1600, height: 900 },
    workArea: { x: 1920, y: 0, width: 1600, height: 860 },
  },
];

onEachDriver('the desktop', name => {
  const isReal = name === 'electron';

  const app = useConsole({ driver: name, env: { STAND_IN_DISPLAYS: JSON.stringify(twoMonitors) } });
  const { page } = app;

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

  test('the desktop opens on the monitor on which it was closed', async context => {
    const areas = await app.app.evaluate(
      ({ screen }) => screen.getAllDisplays().map(({ workArea }) => workArea),
      null,
    );
    const [, second] = areas;
    if (second === undefined) return context.skip('this computer has one monitor');
    const place = { x: second.x + 40, y: second.y + 40, width: 1000, height: 640 };
    await app.app.evaluate(({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to), place);
    await app.app.close();
    const again = await launch({
      driver: name,
      browser: 'shared',
      userData: app.userData,
      env: { STAND_IN_DISPLAYS: JSON.stringify(twoMonitors) },
    });
    await (await again.firstWindow()).getByRole('heading', { level: 1 }).waitFor();
    const bounds = await again.evaluate(
      ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds(),
      null,
    );
    await again.close();
    expect(bounds).toEqual(place);
  });
});
