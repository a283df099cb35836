import { app, BrowserWindow, nativeTheme, screen, type Session, type WebContents } from 'electron';
import type { WindowState } from '../settings/settings-store.ts';
import { connectZoomKeys } from './app-menu.ts';
import { windowUrl } from './app-protocol.ts';
import { connectContextMenu } from './context-menu.ts';
import type { LoadTexts } from './message-box-texts.ts';
import { backgroundOf, restoreWindow, smallest, type WindowTheme } from './window-state.ts';

/** Only the product's name: a title may be visible to others or in a screen share. */
const title = 'Counterfoil';

/** What Electron's security checklist asks of every window, written out although most of it is the default. */
export const safePreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  webviewTag: false,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
} as const;

const lockNavigation = (contents: WebContents): void => {
  const preventDefault = (event: { preventDefault: () => void }): void => event.preventDefault();
  contents.on('will-navigate', preventDefault);
  contents.on('will-redirect', preventDefault);
  contents.on('will-frame-navigate', preventDefault);
  contents.on('will-attach-webview', preventDefault);
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
};

/** No navigation, no redirect, no second window, no embedded page: in every window, also one never meant to open. */
export const lockAllNavigation = (): void => {
  app.on('web-contents-created', (_event, contents) => lockNavigation(contents));
};

/** Delay after the last move until the bounds are stored; a crash loses no more. */
const saveDelayMs = 1_000;

/** Reports the window's bounds after a move has ended, and when it closes. */
const trackWindowState = (window: BrowserWindow, onWindowState: (windowState: WindowState) => void): void => {
  let timer: NodeJS.Timeout | null = null;
  const emit = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (window.isMinimized() || window.isDestroyed()) return;
    onWindowState({ ...window.getNormalBounds(), maximised: window.isMaximized() });
  };
  const scheduleSave = (): void => {
    if (timer) clearTimeout(timer);
    timer = setTimeout(emit, saveDelayMs);
  };
  window.on('move', scheduleSave);
  window.on('resize', scheduleSave);
  window.on('maximize', scheduleSave);
  window.on('unmaximize', scheduleSave);
  window.on('close', emit);
};

const monitors = (): { x: number; y: number; width: number; height: number }[] => {
  const main = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id);
  return [main, ...others].map(({ workArea }) => workArea);
};

/**
 * Opens the console's locked-down window at its last bounds. `preload`: absolute path of the preload bundle.
 * `onWindowState` is called with its bounds after a move, `onFault` if the page cannot be shown, `onSearch` with words
 * that a person selected and wants to find.
 */
export const openWindow = ({
  preload,
  own,
  isPackaged,
  windowState,
  theme,
  loadTexts,
  onWindowState,
  onFault,
  onSearch,
}: {
  preload: string;
  /** The window's session; see window-session.ts. */
  own: Session;
  isPackaged: boolean;
  windowState: WindowState | null;
  theme: WindowTheme;
  loadTexts: LoadTexts;
  onWindowState: (windowState: WindowState) => void;
  onFault: (what: 'load' | 'preload') => void;
  onSearch: (words: string) => void;
}): BrowserWindow => {
  const bounds = restoreWindow(windowState, monitors());
  const window = new BrowserWindow({
    title,
    ...bounds,
    backgroundColor: backgroundOf(theme, nativeTheme.shouldUseDarkColors),
    minWidth: smallest.width,
    minHeight: smallest.height,
    show: false,
    autoHideMenuBar: true,
    webPreferences: {
      ...safePreferences,
      preload,
      session: own,
      devTools: !isPackaged,
      // Elsewhere Chromium would fetch its dictionaries from the web; macOS brings them.
      spellcheck: process.platform === 'darwin',
      navigateOnDragDrop: false,
    },
  });
  // A window created for a monitor with another scale than the main one's gets a wrong size; setting it afterwards is
  // correct.
  if (windowState) window.setBounds(bounds);
  window.webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  connectZoomKeys(window.webContents);
  connectContextMenu(window.webContents, loadTexts, onSearch);
  window.on('page-title-updated', event => event.preventDefault());
  window.webContents.on('did-fail-load', (...[, , , , isMainFrame]) => {
    if (isMainFrame) onFault('load');
  });
  window.webContents.on('preload-error', () => onFault('preload'));
  trackWindowState(window, onWindowState);
  window.once('ready-to-show', () => {
    if (windowState?.maximised) window.maximize();
    window.show();
  });
  window.loadURL(windowUrl).catch(() => onFault('load'));
  return window;
};

/**
 * Reloads the page at its first screen: the old page's memory, address and history are cleared. `did-fail-load`
 * reports a page that cannot be loaded.
 */
export const reloadPage = async (window: BrowserWindow): Promise<void> => {
  try {
    await window.loadURL(windowUrl);
    window.webContents.navigationHistory.clear();
  } catch {
    // Reported by the window's own listener.
  }
};
