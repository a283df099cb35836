import { app, dialog, type BrowserWindow, type MessageBoxOptions } from 'electron';
import type { AppLog } from '../app-log/app-log.ts';
import { reportFailure } from '../app-log/failure-report.ts';

/** Handles failures that nothing else handles: records them, shows a plain message, and recovers where possible. */

/** Limit of reloads of a repeatedly crashing page, and the period in which they count, milliseconds. */
const maxReloads = 3;
const reloadPeriodMs = 600_000;

const restart = (): void => {
  app.relaunch();
  app.quit();
};

/** Asks with a message box over the window, if there is one; resolves to the button's index. */
const ask = async (window: BrowserWindow | null, options: MessageBoxOptions): Promise<number> => {
  const { response } =
    window && !window.isDestroyed()
      ? await dialog.showMessageBox(window, options)
      : await dialog.showMessageBox(options);
  return response;
};

/**
 * Handles otherwise unhandled errors of the main process. After an exception the state is uncertain: a restart is
 * offered, and the process ends in both cases. After a rejected promise the state is intact: it is reported once, and
 * the application continues. `window`: the console's window, or null.
 */
export const handleProcessErrors = (appLog: AppLog, window: () => BrowserWindow | null): void => {
  let isEnding = false;
  let isReported = false;
  process.on('uncaughtException', thrown => {
    const reference = reportFailure('process', 'An exception was not handled.', thrown);
    appLog.flushSync();
    if (isEnding) return;
    isEnding = true;
    const message = 'Counterfoil met a fault and has to close.';
    const detail = `Every payment and callback that was acknowledged is on the disk. If this happens again, report the reference.\n\nReference ${reference}`;
    if (!app.isReady()) {
      dialog.showErrorBox(message, detail);
      app.exit(1);
      return;
    }
    void ask(window(), {
      type: 'error',
      title: 'Counterfoil',
      message,
      detail,
      buttons: ['Restart', 'Quit'],
      defaultId: 0,
      cancelId: 1,
      noLink: true,
    }).then(
      response => (response === 0 ? restart() : app.quit()),
      () => app.exit(1),
    );
  });
  process.on('unhandledRejection', thrown => {
    const reference = reportFailure('process', 'A promise was rejected and nothing handled it.', thrown);
    if (isEnding || isReported || !app.isReady()) return;
    isReported = true;
    ask(window(), {
      type: 'warning',
      title: 'Counterfoil',
      message: 'Something went wrong inside Counterfoil.',
      detail: `You can go on working. If something does not work as it should, restart Counterfoil and report the reference.\n\nReference ${reference}`,
      buttons: ['OK'],
      noLink: true,
    }).catch(() => undefined);
  });
  app.on('child-process-gone', (_event, { type, reason, exitCode, name, serviceName }) => {
    if (reason === 'clean-exit') return;
    const details = { type, reason, exitCode, name: name ?? serviceName ?? null };
    appLog.write('error', 'process', 'A helper process has ended.', details);
  });
};

/**
 * Watches a window's page: a crashed one is reloaded at the same address, a hanging one after a question.
 * `isClosing`: whether the application is closing; then nothing is reloaded.
 */
export const watchPage = (window: BrowserWindow, appLog: AppLog, isClosing: () => boolean): void => {
  const contents = window.webContents;
  let reloads: number[] = [];
  let isAsking = false;

  const reload = (): void => {
    if (!isClosing() && !window.isDestroyed()) contents.reload();
  };
  const askOnce = async (options: MessageBoxOptions, actions: readonly (() => void)[]): Promise<void> => {
    if (isAsking || isClosing()) return;
    isAsking = true;
    try {
      const response = await ask(window, { title: 'Counterfoil', noLink: true, ...options });
      actions[response]?.();
    } catch (thrown) {
      reportFailure('window', 'A question could not be asked.', thrown);
    } finally {
      isAsking = false;
    }
  };

  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || isClosing()) return;
    const now = performance.now();
    reloads = [...reloads.filter(at => now - at < reloadPeriodMs), now];
    appLog.write('error', 'window', 'The page of the window has crashed.', {
      reason,
      exitCode,
      crashes: reloads.length,
    });
    if (reloads.length <= maxReloads) return reload();
    void askOnce(
      {
        type: 'error',
        message: 'The window of Counterfoil stops again and again.',
        detail: 'No data is lost. Restart Counterfoil. If this happens again, contact your IT team.',
        buttons: ['Restart', 'Quit'],
        defaultId: 0,
        cancelId: 1,
      },
      [restart, () => app.quit()],
    );
  });
  window.on('unresponsive', () => {
    appLog.write('warn', 'window', 'The window does not respond.');
    void askOnce(
      {
        type: 'question',
        message: 'The Counterfoil window does not respond.',
        detail:
          'You can wait or load it again. What is typed and not sent yet is lost then; the payment log is not affected.',
        buttons: ['Wait', 'Reload'],
        defaultId: 0,
        cancelId: 0,
      },
      [
        () => undefined,
        // The crash triggers the reload: a hanging page does not react to anything milder.
        () => {
          if (!window.isDestroyed()) contents.forcefullyCrashRenderer();
        },
      ],
    );
  });
  window.on('responsive', () => appLog.write('info', 'window', 'The window responds again.'));
  contents.on('preload-error', (_event, _path, error) => {
    reportFailure('window', 'The preload script has failed.', error);
  });
  contents.on('did-fail-load', (_event, errorCode, errorDescription, _url, isMainFrame) => {
    if (!isMainFrame) return;
    appLog.write('error', 'window', 'The page could not be loaded.', { errorCode, errorDescription });
  });
};
