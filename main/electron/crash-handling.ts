import { app, dialog, type BrowserWindow, type MessageBoxOptions } from 'electron';
import type { AppLog } from '../app-log/app-log.ts';
import { reportFailure } from '../app-log/failure-report.ts';
import { msg, type Message } from '../../shared/messages/message.ts';
import type { LoadTexts } from './message-box-texts.ts';

/** Handles failures that nothing else handles: records them, shows a plain message, and recovers where possible. */

/** Limit of reloads of a repeatedly crashing page, and the period in which they count, milliseconds. */
const maxReloads = 3;
const reloadPeriodMs = 600_000;

const restart = (): void => {
  app.relaunch();
  app.quit();
};

type Question = {
  type: 'error' | 'warning' | 'question';
  message: Message;
  detail: Message;
  buttons: readonly Message[];
  /** The button that closing the box stands for. */
  cancelId: number;
};

/** Asks with a message box over the window, if there is one; resolves to the button's index. */
export const showMessageBox = async (
  window: BrowserWindow | null,
  loadTexts: LoadTexts,
  { type, message, detail, buttons, cancelId }: Question,
): Promise<number> => {
  const format = await loadTexts();
  const options: MessageBoxOptions = {
    type,
    title: 'Counterfoil',
    message: format(message),
    detail: format(detail),
    buttons: buttons.map(format),
    defaultId: 0,
    cancelId,
    noLink: true,
  };
  const { response } =
    window && !window.isDestroyed()
      ? await dialog.showMessageBox(window, options)
      : await dialog.showMessageBox(options);
  return response;
};

const restartOrQuit = [msg('fault.restart'), msg('tray.quit')];

/**
 * Handles otherwise unhandled errors of the main process. After an exception the state is uncertain: a restart is
 * offered, and the process ends in both cases. After a rejected promise the state is intact: it is reported once, and
 * the application continues. `window`: the console's window, or null.
 */
export const handleProcessErrors = (
  appLog: AppLog,
  window: () => BrowserWindow | null,
  loadTexts: LoadTexts,
): void => {
  let isEnding = false;
  let isReported = false;
  const end = async (message: Message, detail: Message): Promise<void> => {
    if (!app.isReady()) {
      const format = await loadTexts();
      dialog.showErrorBox(format(message), format(detail));
      app.exit(1);
      return;
    }
    const response = await showMessageBox(window(), loadTexts, {
      type: 'error',
      message,
      detail,
      buttons: restartOrQuit,
      cancelId: 1,
    });
    if (response === 0) restart();
    else app.quit();
  };
  process.on('uncaughtException', thrown => {
    const reference = reportFailure('process', 'An exception was not handled.', thrown);
    appLog.flushSync();
    if (isEnding) return;
    isEnding = true;
    end(msg('fault.closing'), msg('fault.closing.text', { reference })).catch(() => app.exit(1));
  });
  process.on('unhandledRejection', thrown => {
    const reference = reportFailure('process', 'A promise was rejected and nothing handled it.', thrown);
    if (isEnding || isReported || !app.isReady()) return;
    isReported = true;
    showMessageBox(window(), loadTexts, {
      type: 'warning',
      message: msg('fault.inside'),
      detail: msg('fault.inside.text', { reference }),
      buttons: [msg('fault.ok')],
      cancelId: 0,
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
export const watchPage = (
  window: BrowserWindow,
  appLog: AppLog,
  loadTexts: LoadTexts,
  isClosing: () => boolean,
): void => {
  const contents = window.webContents;
  let reloads: number[] = [];
  let isAsking = false;

  const reload = (): void => {
    if (!isClosing() && !window.isDestroyed()) contents.reload();
  };
  const askOnce = async (question: Question, actions: readonly (() => void)[]): Promise<void> => {
    if (isAsking || isClosing()) return;
    isAsking = true;
    try {
      const response = await showMessageBox(window, loadTexts, question);
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
        message: msg('fault.window-stops'),
        detail: msg('fault.window-stops.text'),
        buttons: restartOrQuit,
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
        message: msg('fault.window-hangs'),
        detail: msg('fault.window-hangs.text'),
        buttons: [msg('fault.wait'), msg('fault.reload')],
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
