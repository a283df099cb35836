import { userInfo } from 'node:os';
import { join } from 'node:path';
import { app, clipboard, powerMonitor, session, shell } from 'electron';
import type { RequestName } from '../../shared/contract/contract.ts';
import type { Result } from '../../shared/errors.ts';
import type { AppLog } from '../app-log/app-log.ts';
import { startReceiver } from '../callbacks/start-receiver.ts';
import type { CredentialStore } from '../credentials/credential-store.ts';
import { openCredentialStore } from '../credentials/keychain.ts';
import { createApp, type RunningApp } from '../app/create-app.ts';
import type { AppDependencies } from '../app/common/app-context.ts';
import { createGateway } from '../gateway/create-gateway.ts';
import { withPolicy } from '../policy/managed-settings.ts';
import { policyPath } from './policy-path.ts';
import { readPolicy } from '../policy/read-policy.ts';
import { followedLog } from '../app/team/followed-log.ts';
import { openPaymentLog } from '../payment-log/list/open-payment-log.ts';
import { startSandbox } from '../sandbox/start-sandbox.ts';
import { openSettings, type SettingsStore } from '../settings/settings-store.ts';
import { sharedLogClient } from '../team/shared-log-client.ts';
import { dispatchRequest } from './ipc-dispatcher.ts';
import { loadInstaller, updateObstacle } from './updates/updater.ts';
import { openExternal } from './open-external.ts';
import { printToPdf } from './print-to-pdf.ts';
import { canStartAtLogin, setStartAtLogin } from './os-registration.ts';
import { systemClock } from '../clock.ts';

/** The application without its window: loaded while the window is being created, which does not need it. */

/** A running application, with the function that answers the window's requests. */
export type StartedApp = RunningApp & { answer(name: RequestName, input: unknown): Promise<Result<unknown>> };

const agentName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return 'agent';
  }
};

/** The computer was locked, or goes to sleep. */
const onSystemLock = (listener: () => void): (() => void) => {
  void app.whenReady().then(() => {
    powerMonitor.on('lock-screen', listener);
    powerMonitor.on('suspend', listener);
  });
  return () => {
    powerMonitor.off('lock-screen', listener);
    powerMonitor.off('suspend', listener);
  };
};

/** The time that a keychain needs at most when it does not wait for a person. */
const maxKeychainMs = 500;

/**
 * A keychain that waits for its prompt holds a thread, and the process would wait for that thread without end. Called
 * last: everything accepted is on disk.
 */
const endWaitingKeychain = (credentials: CredentialStore): void => {
  if (!credentials.isBusy()) return;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, maxKeychainMs);
  process.kill(process.pid, 'SIGKILL');
};

/**
 * The settings of this installation, in `folder`, with what this computer's policy fixes. Throws if the folder cannot
 * be written.
 */
export const readSettings = (folder: string): SettingsStore => {
  const store = openSettings(join(folder, 'settings.json'), agentName());
  return withPolicy(store, readPolicy(policyPath(), join(folder, 'policy.last.json')));
};

/**
 * Opens the application with its data in `folder`. It needs no window and does not wait for one; only parts that
 * require a ready application wait for that.
 */
export const startApp = async (
  folder: string,
  settings: SettingsStore,
  appLog: AppLog,
  options: Pick<AppDependencies, 'notify'> &
    Pick<
      AppDependencies['system'],
      | 'showNotification'
      | 'showTray'
      | 'reloadWindow'
      | 'restart'
      | 'chooseSaveFile'
      | 'chooseOpenFile'
      | 'chooseFolder'
      | 'confirm'
    > & { close: () => Promise<void> },
): Promise<StartedApp> => {
  const logFile = join(folder, 'payments.db');
  const { installation } = settings.read();
  const onSlow = (question: string, milliseconds: number): void =>
    appLog.write('warn', 'payment-log', 'A query of the payment log was slow.', {
      query: question,
      ms: Math.round(milliseconds),
    });
  const credentials = openCredentialStore({ service: `Counterfoil ${installation}` });
  app.on('quit', () => endWaitingKeychain(credentials));
  // Forwarded logs of many PCs: what ran when, on what.
  appLog.write('info', 'process', 'Counterfoil starts.', {
    runtime: process.versions['electron'] ?? `node ${process.versions.node}`,
    system: `${process.platform} ${process.arch}`,
    policy: settings.policy.state,
  });
  const runningApp = await createApp({
    version: app.getVersion(),
    host: process.versions['electron']
      ? `electron ${process.versions['electron']}`
      : `node ${process.versions.node}`,
    systemLocale: app.whenReady().then(() => app.getPreferredSystemLanguages()[0] ?? app.getLocale()),
    settings,
    openLog: onStateError =>
      openPaymentLog({
        file: logFile,
        writer: settings.read().chain ?? installation,
        onStateError,
        onSlow,
        followed: followedLog(settings),
      }),
    logFile,
    credentials,
    gateway: createGateway({
      clock: systemClock,
      resolveProxy: url => app.whenReady().then(() => session.defaultSession.resolveProxy(url)),
    }),
    sharedLogs: sharedLogClient,
    startReceiver,
    startSandbox,
    appLog,
    system: {
      copyText: text => {
        void clipboard.writeText(text);
      },
      chooseSaveFile: options.chooseSaveFile,
      chooseOpenFile: options.chooseOpenFile,
      chooseFolder: options.chooseFolder,
      confirm: options.confirm,
      openExternal,
      isSandboxed: !app.commandLine.hasSwitch('no-sandbox'),
      canStartAtLogin,
      setStartAtLogin,
      printToPdf,
      showInFolder: file => shell.showItemInFolder(file),
      idleSeconds: () => (app.isReady() ? powerMonitor.getSystemIdleTime() : 0),
      onSystemLock,
      showNotification: (words, onPress) =>
        void app.whenReady().then(() => options.showNotification(words, onPress)),
      showTray: options.showTray,
      reloadWindow: options.reloadWindow,
      restart: options.restart,
    },
    updates: { obstacle: updateObstacle(), load: () => loadInstaller(options.close) },
    notify: options.notify,
    clock: systemClock,
  });
  return { ...runningApp, answer: (name, input) => dispatchRequest(name, runningApp, input) };
};
