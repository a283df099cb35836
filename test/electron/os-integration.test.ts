import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserWindow, Session } from 'electron';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { appMenuTemplate, nextZoom } from '../../main/electron/app-menu.ts';
import { debuggingSwitch } from '../../main/electron/command-line.ts';
import { fileDialogs, filtersOf } from '../../main/electron/dialogs.ts';
import { createOsIntegration } from '../../main/electron/os-integration.ts';
import { backgroundOf, readWindowState } from '../../main/electron/window-state.ts';
import { openWindow } from '../../main/electron/window.ts';
import type { WindowState } from '../../main/settings/settings-store.ts';
import { readBitmap } from './read-bitmap.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import * as fakeElectron from '../../tools/fake-electron/electron.ts';

vi.mock('electron', () => import('../../tools/fake-electron/electron.ts'));

const { recorded } = fakeElectron;
const makeWindow = (): BrowserWindow => new fakeElectron.BrowserWindow({}) as unknown as BrowserWindow;

describe('the application menu of a packed console', () => {
  test.each(['win32', 'linux'] as const)(
    'the application menu of a packed console does not exist on %s',
    platform => {
      expect(appMenuTemplate(platform, true)).toBeNull();
    },
  );

  test('the application menu of a packed console has copy, paste and quit on macOS, and neither reload nor developer tools', () => {
    const roles = JSON.stringify(appMenuTemplate('darwin', true));
    for (const role of ['appMenu', 'editMenu', 'windowMenu']) expect(roles).toContain(role);
    for (const role of ['eload', 'viewMenu', 'DevTools']) expect(roles).not.toContain(role);
  });
});

test('zooming ends at 50 % and 300 %, and a reset is 100 %', () => {
  let factor = 1;
  for (let step = 0; step < 20; step += 1) factor = nextZoom(factor, 'in');
  expect(factor).toBe(3);
  for (let step = 0; step < 20; step += 1) factor = nextZoom(factor, 'out');
  expect(factor).toBe(0.5);
  expect(nextZoom(factor, 'reset')).toBe(1);
  expect(nextZoom(nextZoom(1, 'in'), 'out')).toBe(1);
});

test.each([
  ['--remote-debugging-port=9222', 'remote-debugging-port'],
  ['--remote-debugging-pipe', 'remote-debugging-pipe'],
  ['--inspect=9229', 'inspect'],
  ['--inspect-brk', 'inspect-brk'],
  ['--renderer-cmd-prefix=gdb', 'renderer-cmd-prefix'],
  ['--ssl-key-log-file=keys', 'ssl-key-log-file'],
  ['--proxy-server=evil.example', 'proxy-server'],
  ['--disable-gpu', null],
  // A person may start an AppImage so; see assets/linux/AppRun.
  ['--no-sandbox', null],
  ['counterfoil://payment/sandbox/CF-1', null],
])('a packed console started with %s does not start: %s', (argument, found) => {
  const given = argument.replace(/^--/, '').split('=')[0];
  expect(debuggingSwitch(name => argument.startsWith('--') && name === given)).toBe(found);
});

describe('a file dialog', () => {
  beforeEach(() => {
    recorded.dialogs.length = 0;
    recorded.answers.length = 0;
  });

  test('a file dialog belongs to the window and offers files of the suggested kind', async () => {
    const window = makeWindow();
    const { chooseSaveFile, chooseOpenFile } = fileDialogs(() => window);
    recorded.answers.push({ canceled: false, filePath: '/tmp/payments.csv' });
    expect(await chooseSaveFile('payments.csv')).toBe('/tmp/payments.csv');
    expect(await chooseOpenFile('certificate')).toBeNull();
    expect(recorded.dialogs).toMatchObject([
      { kind: 'save', parent: true, options: { filters: [{ name: 'CSV', extensions: ['csv'] }] } },
      { kind: 'open', parent: true, options: { filters: [{ name: 'PEM' }, { extensions: ['*'] }] } },
    ]);
  });

  test('a file dialog is the only one: while it is open, another is answered as cancelled', async () => {
    const { chooseSaveFile } = fileDialogs(() => null);
    recorded.answers.push(
      { canceled: false, filePath: '/tmp/a.csv' },
      { canceled: false, filePath: '/tmp/b.csv' },
    );
    const both = await Promise.all([chooseSaveFile('a.csv'), chooseSaveFile('b.csv')]);
    expect(both).toEqual(['/tmp/a.csv', null]);
    expect(recorded.dialogs).toHaveLength(1);
    expect(await chooseSaveFile('b.csv')).toBe('/tmp/b.csv');
  });

  test.each([
    ['dossier CF-1.pdf', [{ name: 'PDF', extensions: ['pdf'] }]],
    ['a name without one', []],
  ])('a file dialog offers files of the kind of its suggested name: %s', (name, filters) => {
    expect(filtersOf(name)).toEqual(filters);
  });
});

describe('the tray and the badge', () => {
  const { platform } = process;
  afterEach(() => Object.defineProperty(process, 'platform', { value: platform }));
  const words = {
    icon: true,
    count: 2,
    more: false,
    tooltip: '2',
    open: 'Open',
    newPayment: 'New',
    quit: 'Quit',
  };
  const acts = { open: () => undefined, newPayment: () => undefined, quit: () => undefined };

  test('the tray’s image is sharp at every scale that Windows offers', () => {
    const surroundings = createOsIntegration(() => null, acts);
    surroundings.showTray(words);
    const images = (recorded.trays.at(-1)?.image.representations ?? []).map(({ scaleFactor, dataURL }) => {
      const png = Buffer.from(dataURL?.replace('data:image/png;base64,', '') ?? '', 'base64');
      return [scaleFactor, readBitmap(png).width];
    });
    expect(images).toEqual([
      [1, 16],
      [1.25, 20],
      [1.5, 24],
      [1.75, 28],
      [2, 32],
    ]);
  });

  test('a window that is opened later shows the badge too (Windows)', () => {
    Object.defineProperty(process, 'platform', { value: 'win32' });
    const shown: unknown[] = [];
    let window: BrowserWindow | null = null;
    const surroundings = createOsIntegration(() => window, acts);
    surroundings.showTray(words);
    window = Object.assign(makeWindow(), {
      setOverlayIcon: (_picture: unknown, description: string) => shown.push(description),
    });
    surroundings.refreshBadge();
    expect(shown).toEqual(['2']);
  });
});

describe('a notification', () => {
  const acts = { open: () => undefined, newPayment: () => undefined, quit: () => undefined };
  beforeEach(() => {
    recorded.notifications.length = 0;
  });

  test('a notification that Windows moved to its notification centre opens its payment, and is removed at the end', () => {
    const integration = createOsIntegration(() => null, acts);
    const pressed: string[] = [];
    integration.showNotification({ title: 'Paid', body: 'CF-1' }, () => pressed.push('CF-1'));
    const [notification] = recorded.notifications;
    notification?.emit('close', { reason: 'timedOut' });
    notification?.emit('click');
    expect(pressed).toEqual(['CF-1']);
    expect(notification?.isRemoved).toBe(false);
    integration.close();
    expect(notification?.isRemoved).toBe(true);
  });

  test('a notification is removed when twenty newer ones are there', () => {
    const integration = createOsIntegration(() => null, acts);
    for (let at = 0; at < 22; at += 1)
      integration.showNotification({ title: 'Paid', body: `CF-${at}` }, () => undefined);
    expect(recorded.notifications.map(({ isRemoved }) => isRemoved).indexOf(false)).toBe(2);
  });
});

describe('a window', () => {
  test.each([
    ['system', true, '#0f1115'],
    ['system', false, '#f5f6f8'],
    ['light', true, '#f5f6f8'],
    ['dark', false, '#0f1115'],
    ['contrast', true, '#000000'],
    ['contrast', false, '#ffffff'],
  ] as const)('a window with the theme %s (system dark: %s) starts in %s', (theme, isSystemDark, colour) => {
    expect(backgroundOf(theme, isSystemDark)).toBe(colour);
  });

  test('a window gets its last bounds once more after its creation, which sizes it by the main monitor’s scale', () => {
    const { prototype } = fakeElectron.BrowserWindow;
    const load = vi.spyOn(prototype, 'loadURL').mockResolvedValue();
    const setBounds = vi.spyOn(prototype, 'setBounds');
    const open = (windowState: WindowState | null): void => {
      openWindow({
        preload: 'preload.cjs',
        own: fakeElectron.session.defaultSession as unknown as Session,
        isPackaged: true,
        windowState,
        theme: 'system',
        loadTexts:
          async () =>
          ({ key }) =>
            key,
        onWindowState: () => undefined,
        onFault: () => undefined,
        onSearch: () => undefined,
      });
    };
    const place = { x: 100, y: 50, width: 1200, height: 800 };
    open({ ...place, maximised: false });
    expect(setBounds.mock.calls).toEqual([[place]]);
    open(null);
    expect(setBounds).toHaveBeenCalledTimes(1);
    load.mockRestore();
    setBounds.mockRestore();
  });

  test('a window with a damaged settings file opens in the middle, in the system’s theme', () => {
    const folder = newFolder('window');
    const file = join(folder, 'settings.json');
    writeFileSync(file, '{"settings":{"theme":"dark","tray":true,"stayOpen":true}}');
    expect(readWindowState(file)).toEqual({ windowState: null, theme: 'dark', runsInTray: true });
    writeFileSync(file, '{"settings":');
    expect(readWindowState(file)).toEqual({ windowState: null, theme: 'system', runsInTray: false });
  });
});
