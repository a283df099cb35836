import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { app, dialog, type BrowserWindow, type Session } from 'electron';
import type { SettingsStore, WindowState } from '../settings/settings-store.ts';
import { msg, type Message } from '../../shared/messages/message.ts';
import { openAppLog } from '../app-log/app-log.ts';
import { reportFailure, setFailureSink } from '../app-log/failure-report.ts';
import { setAppMenu } from './app-menu.ts';
import { connectBridge } from './ipc.ts';
import { debuggingSwitch, localDataFolder, restartArguments } from './command-line.ts';
import { handleProcessErrors, watchPage } from './crash-handling.ts';
import { confirmDialog, fileDialogs } from './dialogs.ts';
import type { StartedApp } from './start-app.ts';
import { createMessageBoxTexts } from './message-box-texts.ts';
import { createOsIntegration } from './os-integration.ts';
import { hiddenSwitch, isStartedAtLogin, registerScheme } from './os-registration.ts';
import { declareScheme, serveRenderer } from './app-protocol.ts';
import { readWindowState } from './window-state.ts';
import { windowSession } from './window-session.ts';
import { lockAllNavigation, openWindow, reloadPage } from './window.ts';

/** Entry point: creates the window first, which is quick; the application layer is loaded meanwhile. */

// This user's files contain customer details and tokens: other users of this PC must not read them.
process.umask(0o077);

const localFolder = localDataFolder(process.platform, process.env, name => app.commandLine.hasSwitch(name));
if (localFolder !== null) app.setPath('userData', localFolder);

const outputFolder = join(import.meta.dirname, '..');
const addressScheme = 'counterfoil';
/**
 * Delay before the application layer is loaded, milliseconds: loading blocks this thread, and the window is created
 * first.
 */
const headStartMs = 30;
/** Time limit of flushing and closing on quit, milliseconds. */
const quitLimitMs = 5_000;

let window: BrowserWindow | null = null;
/** The window's session, once the application is ready. */
let own: Session | null = null;
const appLog = openAppLog(join(app.getPath('userData'), 'logs', 'app.log'), { version: app.getVersion() });
setFailureSink(appLog.fail);
/** The application from the start of its opening until it closes; and once it is open. */
let opening: Promise<StartedApp> | null = null;
let runningApp: StartedApp | null = null;
let settings: SettingsStore | null = null;
const loadTexts = createMessageBoxTexts(() => settings?.read().settings.language ?? 'system');
handleProcessErrors(appLog, () => window, loadTexts);
/** Deep links received before the application was open. */
const early: string[] = [];

const showError = async (title: Message | null, content: Message): Promise<void> => {
  const format = await loadTexts();
  dialog.showErrorBox(title === null ? 'Counterfoil' : format(title), format(content));
};

/** A window that fails to load shows an error instead of a blank page. */
const showFault = (what: 'load' | 'preload'): void => {
  if (opening === null) return;
  void showError(
    null,
    what === 'load' ? msg('fault.window-not-loaded') : msg('fault.window-part-not-loaded'),
  );
};

const saveWindowState = (windowState: WindowState): void => {
  try {
    settings?.change(stored => ({ ...stored, window: windowState }));
  } catch {
    // Ignored: write errors are reported elsewhere, and the window position is not critical.
  }
};

const settingsFile = (): string => join(app.getPath('userData'), 'settings.json');
const currentWindow = (): BrowserWindow | null => (window && !window.isDestroyed() ? window : null);

const showWindow = (): void => {
  if (opening === null || own === null) return;
  if (window && !window.isDestroyed()) {
    if (window.isMinimized()) window.restore();
    window.focus();
    return;
  }
  const stored = readWindowState(settingsFile());
  window = openWindow({
    preload: join(outputFolder, 'preload', 'index.cjs'),
    own,
    isPackaged: app.isPackaged,
    windowState: settings ? settings.read().window : stored.windowState,
    theme: stored.theme,
    loadTexts,
    onWindowState: saveWindowState,
    onFault: showFault,
    onSearch: words => runningApp?.deepLinks.open({ screen: 'payments', words }),
  });
  // Windows ends the session (shut-down, log-off) without `will-quit`: the payment log is closed now.
  window.on('session-end', () => {
    runningApp?.holdUpdate();
    void closeApp();
    app.quit();
  });
  osIntegration.refreshBadge();
  watchPage(window, appLog, loadTexts, () => opening === null);
};

/** Another program opened the deep link of a payment: the page opens, and nothing else happens. */
const openAddress = (text: string): void => {
  if (runningApp) runningApp.deepLinks.openAddress(text);
  else early.push(text);
};
/** The operating system passes deep links among the arguments of a start. */
const isLink = (argument: string): boolean => argument.startsWith(`${addressScheme}:`);
const openAddresses = (args: readonly string[]): void => {
  for (const text of args) if (isLink(text)) openAddress(text);
};

const osIntegration = createOsIntegration(currentWindow, {
  open: showWindow,
  newPayment: () => {
    runningApp?.deepLinks.open({ screen: 'new' });
    showWindow();
  },
  quit: () => app.quit(),
});

const startApp = async (ready: Promise<void>): Promise<StartedApp> => {
  const folder = app.getPath('userData');
  await Promise.race([ready, wait(headStartMs)]);
  const parts = await import('./start-app.ts');
  settings = parts.readSettings(folder);
  return parts.startApp(folder, settings, appLog, {
    ...osIntegration,
    ...fileDialogs(currentWindow),
    confirm: confirmDialog(currentWindow, loadTexts),
    close: async () => {
      isUpdating = true;
      await closeApp();
    },
    restart: () => {
      startAgain([]);
      app.quit();
    },
    reloadWindow: () => {
      const opened = currentWindow();
      if (opened) void reloadPage(opened);
    },
    notify: (name, payload) => {
      if (window && !window.isDestroyed()) bridge.notify(window.webContents, name, payload);
    },
  });
};

const bridge = connectBridge({
  onRefused: name =>
    appLog.write('warn', 'window', 'A message that did not come from the console was refused.', { name }),
  application: async () => opening,
  isOwnWindow: id => window !== null && !window.isDestroyed() && window.webContents.id === id,
});

/** Application and window open in parallel: requests of the window are answered once the application is open. */
const start = async (): Promise<void> => {
  const ready = app.whenReady();
  const shown = ready.then(async () => {
    own = await windowSession();
    serveRenderer(own, join(outputFolder, 'renderer'));
    if (!isHiddenStart()) showWindow();
  });
  opening = startApp(ready);
  const [opened] = await Promise.all([opening, shown]);
  if (opening === null) return;
  runningApp = opened;
  for (const text of early.splice(0)) openAddress(text);
};

/** Started at login, and set to run in the tray: the window opens on request. */
const isHiddenStart = (): boolean => {
  const atLogin = process.argv.includes(hiddenSwitch) || isStartedAtLogin();
  return atLogin && readWindowState(settingsFile()).runsInTray;
};

/** Closes the application, once; resolves when everything accepted is on disk, or after `quitLimitMs`. */
let closing: Promise<void> | null = null;
const closeApp = (): Promise<void> | null => {
  const opened = opening;
  if (opened === null) return closing;
  opening = null;
  closingApp = runningApp;
  runningApp = null;
  osIntegration.close();
  const limit = new Promise<void>(done => setTimeout(done, quitLimitMs));
  closing = Promise.race([opened.then(one => one.close()), limit])
    .catch((thrown: unknown) => {
      reportFailure('process', 'The console could not be closed in full.', thrown);
    })
    .then(() => {
      appLog.write('info', 'process', 'Counterfoil ends.');
      return appLog.flush();
    })
    .then(() => closingApp?.stageUpdate());
  return closing;
};

let closingApp: StartedApp | null = null;
/** An update closes the console, and starts it again itself. */
let isUpdating = false;
let isStartingAgain = false;
/**
 * Another start while this console closes: that process has already ended, because this one holds the lock, so the
 * console starts again as soon as it has closed.
 */
const startAgain = (args: readonly string[]): void => {
  if (isUpdating || isStartingAgain) return;
  isStartingAgain = true;
  // The installer would replace the program that is being started.
  closingApp?.holdUpdate();
  app.relaunch({ args: restartArguments(process.argv, args, isLink, hiddenSwitch) });
};

/** `--status` prints the health of this installation and ends, whether or not another console runs. */
const printStatus = async (): Promise<void> => {
  const { runStatus } = await import('../status/run-status.ts');
  const { policyPath } = await import('./policy-path.ts');
  const { text, exitCode } = await runStatus(app.getPath('userData'), {
    policyFile: policyPath(),
    version: app.getVersion(),
  });
  await new Promise(done => process.stdout.write(text, done));
  app.exit(exitCode);
};

/** `--first-pin` prints a new PIN for a person of a policy, and the text for the policy. */
const printFirstPin = async (): Promise<void> => {
  const { newFirstPin } = await import('../credentials/pin.ts');
  const { pin, text } = await newFirstPin();
  await new Promise(done =>
    process.stdout.write(`${JSON.stringify({ pin, firstPin: text }, null, 2)}\n`, done),
  );
  app.exit(0);
};

const debugged = app.isPackaged ? debuggingSwitch(name => app.commandLine.hasSwitch(name)) : null;

if (debugged !== null)
  void showError(msg('fault.not-started'), msg('fault.not-started.debugging', { name: debugged })).finally(
    () => app.exit(1),
  );
else if (app.commandLine.hasSwitch('status') || app.commandLine.hasSwitch('first-pin'))
  (app.commandLine.hasSwitch('status') ? printStatus() : printFirstPin()).catch((thrown: unknown) => {
    reportFailure('process', 'The status or a first PIN could not be printed.', thrown);
    appLog.flushSync();
    app.exit(2);
  });
else if (!app.requestSingleInstanceLock()) app.quit();
else {
  declareScheme();
  app.enableSandbox();
  lockAllNavigation();
  // Windows shows notifications under this name, the installer's `appId`.
  app.setAppUserModelId('io.counterfoil.console');
  registerScheme(addressScheme);
  setAppMenu(app.isPackaged);
  openAddresses(process.argv);
  app.on('second-instance', (_event, args) => {
    if (closing !== null) return startAgain(args);
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
    // Closing the window signs the agent out: a PIN is required when it is opened again.
    if (settings?.read().settings.stayOpen && osIntegration.hasTray())
      void runningApp?.handlers['agents.signOut']({ resume: null, reason: 'person' });
    else app.quit();
  });
  let isClosed = false;
  app.on('will-quit', event => {
    const ends = closeApp();
    if (ends === null || isClosed) return;
    event.preventDefault();
    void ends.finally(() => {
      isClosed = true;
      app.quit();
    });
  });
  start().catch((error: unknown) => {
    const problem = error instanceof Error ? error.message : String(error);
    const reference = reportFailure('process', 'Counterfoil could not start.', error);
    appLog.flushSync();
    const { file } = appLog;
    void showError(
      msg('fault.not-started'),
      msg('fault.not-started.text', { problem, reference, file }),
    ).finally(() => app.exit(1));
  });
}
