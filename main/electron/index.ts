import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { app, dialog, type BrowserWindow } from 'electron';
import type { SettingsStore, WindowPlace } from '../settings/settings-store.ts';
import { connectBridge } from './bridge.ts';
import type { OpenDesk } from './open-desk.ts';
import { outside } from './outside.ts';
import { declareScheme, serveRenderer } from './scheme.ts';
import { keptPlace } from './window-place.ts';
import { openWindow } from './window.ts';

/** The entry: the window first, which needs little; the desk is loaded and opened while the window is made. */

const out = join(import.meta.dirname, '..');
const addressScheme = 'counterfoil';
/** Milliseconds the window's making is ahead of the desk's loading, which keeps this thread busy for longer. */
const headStart = 30;
/** Milliseconds a quit may take to flush and close. */
const quitLimit = 5_000;

let window: BrowserWindow | null = null;
/** The desk from the moment it begins to open until it closes; and once it is open. */
let opening: Promise<OpenDesk> | null = null;
let desk: OpenDesk | null = null;
let settings: SettingsStore | null = null;
/** Addresses that came before the desk was ready. */
const early: string[] = [];

/** A window that cannot be shown says so; never a blank page. */
const showFault = (what: 'load' | 'preload' | 'gone'): void => {
  if (opening === null) return;
  const says = {
    load: 'Its window could not be loaded. Reinstall Counterfoil if this happens again.',
    preload: 'A part of its window could not be loaded. Reinstall Counterfoil if this happens again.',
    gone: 'Its window stopped. Your payment log is safe; start Counterfoil again.',
  };
  dialog.showErrorBox('Counterfoil', says[what]);
};

const keepPlace = (place: WindowPlace): void => {
  try {
    settings?.change(stored => ({ ...stored, window: place }));
  } catch {
    // A folder that cannot be written is said where it matters; a window's place is not worth a word.
  }
};

const showWindow = (): void => {
  if (opening === null || !app.isReady()) return;
  if (window && !window.isDestroyed()) {
    if (window.isMinimized()) window.restore();
    window.focus();
    return;
  }
  window = openWindow({
    preload: join(out, 'preload', 'index.cjs'),
    place: settings ? settings.read().window : keptPlace(join(app.getPath('userData'), 'settings.json')),
    onPlace: keepPlace,
    onFault: showFault,
  });
};

/** Something on this PC asks for a payment's page, by its address: the page opens, and nothing else happens. */
const openAddress = (text: string): void => {
  if (desk) desk.places.openAddress(text);
  else early.push(text);
};
/** The operating system hands addresses over among the arguments of a start. */
const openAddresses = (args: readonly string[]): void => {
  for (const text of args) if (text.startsWith(`${addressScheme}:`)) openAddress(text);
};

const beside = outside(() => (window && !window.isDestroyed() ? window : null), {
  open: showWindow,
  newPayment: () => {
    desk?.places.open({ screen: 'new' });
    showWindow();
  },
  quit: () => app.quit(),
});

const openDesk = async (ready: Promise<void>): Promise<OpenDesk> => {
  const folder = app.getPath('userData');
  await Promise.race([ready, wait(headStart)]);
  const parts = await import('./open-desk.ts');
  settings = parts.readSettings(folder);
  return parts.openDesk(folder, settings, {
    ...beside,
    notify: (name, notice) => {
      if (window && !window.isDestroyed()) bridge.notify(window.webContents, name, notice);
    },
  });
};

const bridge = connectBridge({
  desk: async () => opening,
  isOurs: id => window !== null && !window.isDestroyed() && window.webContents.id === id,
});

/** Desk and window open side by side: what the window asks meanwhile is answered once the desk is open. */
const start = async (): Promise<void> => {
  const ready = app.whenReady();
  const shown = ready.then(() => {
    serveRenderer(join(out, 'renderer'));
    showWindow();
  });
  opening = openDesk(ready);
  const [opened] = await Promise.all([opening, shown]);
  if (opening === null) return;
  desk = opened;
  for (const text of early.splice(0)) openAddress(text);
};

if (!app.requestSingleInstanceLock()) {
  app.quit();
} else {
  declareScheme();
  app.enableSandbox();
  // Windows shows notifications under this name, the installer's `appId`.
  app.setAppUserModelId('io.counterfoil.console');
  // From a packed application alone: a checkout must not take the scheme from the one that is installed.
  if (app.isPackaged) app.setAsDefaultProtocolClient(addressScheme);
  openAddresses(process.argv);
  app.on('second-instance', (_event, args) => {
    openAddresses(args);
    showWindow();
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    openAddress(url);
    showWindow();
  });
  app.on('activate', showWindow);
  app.on('window-all-closed', () => {
    // Whoever closes the window has left the desk: a PIN stands before it when it is opened again.
    if (settings?.read().settings.stayOpen && beside.hasTray()) void desk?.handlers['agents.leave']({});
    else app.quit();
  });
  app.on('will-quit', event => {
    const closing = opening;
    if (!closing) return;
    event.preventDefault();
    opening = null;
    desk = null;
    beside.close();
    const limit = new Promise(done => setTimeout(done, quitLimit));
    const closed = closing.then(opened => opened.close());
    void Promise.race([closed, limit])
      .catch(() => undefined)
      .finally(() => app.quit());
  });
  start().catch((error: unknown) => {
    const what = error instanceof Error ? error.message : 'unknown fault';
    dialog.showErrorBox('Counterfoil cannot start', `${what}\n\nReference ${randomUUID().slice(0, 8)}`);
    app.exit(1);
  });
}
