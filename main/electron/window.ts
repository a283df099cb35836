import { BrowserWindow, screen, session, type Session, type WebContents } from 'electron';
import type { WindowPlace } from '../settings/settings-store.ts';
import { windowOrigin, windowUrl } from './scheme.ts';
import { placeWindow, smallest } from './window-place.ts';

/** The product's name alone: a title may be read over a shoulder or in a screen share. */
const title = 'Counterfoil';

const isOwnPage = (address: string): boolean => {
  const url = URL.parse(address);
  return url?.protocol === windowOrigin.protocol && url.host === windowOrigin.host;
};

/** Nothing is permitted but writing plain text to the clipboard, after a click, from our own page. */
const lockPermissions = (own: Session): void => {
  const permits = (permission: string, origin: string): boolean =>
    permission === 'clipboard-sanitized-write' && isOwnPage(origin);
  own.setPermissionRequestHandler((contents, permission, answer) =>
    answer(permits(permission, contents.getURL())),
  );
  own.setPermissionCheckHandler((_contents, permission, origin) => permits(permission, `${origin}/`));
};

/** The page stays where it is: no navigation, no redirect, no second window, no embedded page. */
const lockNavigation = (contents: WebContents): void => {
  const refuse = (event: { preventDefault: () => void }): void => event.preventDefault();
  contents.on('will-navigate', refuse);
  contents.on('will-redirect', refuse);
  contents.on('will-frame-navigate', refuse);
  contents.on('will-attach-webview', refuse);
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
};

/** Milliseconds after the last move until the place is kept; a crash loses no more. */
const settled = 1_000;

/** Tells where the window is whenever it has come to rest, and when it closes. */
const followPlace = (window: BrowserWindow, onPlace: (place: WindowPlace) => void): void => {
  let timer: NodeJS.Timeout | null = null;
  const tell = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (window.isMinimized() || window.isDestroyed()) return;
    onPlace({ ...window.getNormalBounds(), maximised: window.isMaximized() });
  };
  const soon = (): void => {
    if (timer) clearTimeout(timer);
    timer = setTimeout(tell, settled);
  };
  window.on('move', soon);
  window.on('resize', soon);
  window.on('maximize', soon);
  window.on('unmaximize', soon);
  window.on('close', tell);
};

const monitors = (): { x: number; y: number; width: number; height: number }[] => {
  const main = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id);
  return [main, ...others].map(({ workArea }) => workArea);
};

/**
 * Opens the console's window, locked down, where it was last.
 * `preload`: absolute path of the preload bundle. `onPlace` is told where the window comes to rest,
 * `onFault` when the page cannot be shown.
 */
export const openWindow = ({
  preload,
  place,
  onPlace,
  onFault,
}: {
  preload: string;
  place: WindowPlace | null;
  onPlace: (place: WindowPlace) => void;
  onFault: (what: 'load' | 'preload' | 'gone') => void;
}): BrowserWindow => {
  lockPermissions(session.defaultSession);
  const window = new BrowserWindow({
    title,
    ...placeWindow(place, monitors()),
    minWidth: smallest.width,
    minHeight: smallest.height,
    show: false,
    autoHideMenuBar: true,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      spellcheck: false,
      navigateOnDragDrop: false,
    },
  });
  lockNavigation(window.webContents);
  window.on('page-title-updated', event => event.preventDefault());
  window.webContents.on('did-fail-load', () => onFault('load'));
  window.webContents.on('preload-error', () => onFault('preload'));
  window.webContents.on('render-process-gone', () => onFault('gone'));
  followPlace(window, onPlace);
  window.once('ready-to-show', () => {
    if (place?.maximised) window.maximize();
    window.show();
  });
  window.loadURL(windowUrl).catch(() => onFault('load'));
  return window;
};
