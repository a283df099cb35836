import { BrowserWindow, session, type Session, type WebContents } from 'electron';
import { windowOrigin, windowUrl } from './scheme.ts';

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

/**
 * Opens the console's window, locked down.
 * `preload`: absolute path of the preload bundle. `onFault` is told when the page cannot be shown.
 */
export const openWindow = ({
  preload,
  onFault,
}: {
  preload: string;
  onFault: (what: 'load' | 'preload' | 'gone') => void;
}): BrowserWindow => {
  lockPermissions(session.defaultSession);
  const window = new BrowserWindow({
    title,
    width: 1366,
    height: 768,
    minWidth: 800,
    minHeight: 560,
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
  window.once('ready-to-show', () => window.show());
  window.loadURL(windowUrl).catch(() => onFault('load'));
  return window;
};
