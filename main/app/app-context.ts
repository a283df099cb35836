import type { IpcEvent, IpcEventName } from '../../shared/contract/index.ts';
import type { Result } from '../../shared/errors.ts';
import type { AppLog } from '../app-log/app-log.ts';
import type { StartReceiver } from '../callbacks/receiver.ts';
import type { CredentialStore } from '../credentials/credential-store.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { PaymentLog } from '../payment-log/payment-log.ts';
import type { StartSandbox } from '../sandbox/sandbox.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { OpenLog } from './payment-log/payment-log-manager.ts';
import type { Notification } from './desktop/notifications.ts';

/** What stands in the tray and on the dock. */
export type Tray = {
  icon: boolean;
  /** Payments that need review; 0 = no badge. `more`: at least this many. */
  count: number;
  more: boolean;
  tooltip: string;
  open: string;
  newPayment: string;
  quit: string;
};

export type FileKind = 'any' | 'certificate' | 'log';

/** What the desk is made of; nothing here knows Electron. */
export type AppDependencies = {
  version: string;
  host: string;
  /** BCP 47. */
  systemLocale: string;
  settings: SettingsStore;
  /** The log as it stands. One that could not be opened is a state of the console, said in the window, not a crash. */
  readonly log: Result<PaymentLog>;
  logFile: string;
  credentials: CredentialStore;
  gateway: Gateway;
  startReceiver: StartReceiver;
  startSandbox: StartSandbox;
  system: {
    copyText(text: string): void;
    /** Asks where to save; null when the person thought better of it. */
    chooseSaveFile(suggestedName: string): Promise<string | null>;
    /** Asks which file to open, offering files of a kind first; null when the person thought better of it. */
    chooseOpenFile(kind?: FileKind): Promise<string | null>;
    /** The one door out: https, mailto, sms, and the sandbox's own page. */
    openExternal(url: string): Promise<Result<undefined>>;
    /** Shows a notification; `onPress` when the person presses it. */
    showNotification(notification: Notification, onPress: () => void): void;
    showTray(tray: Tray): void;
    /** Whether this system can start the console at login; it then does so, or no longer does. */
    canStartAtLogin: boolean;
    setStartAtLogin(isEnabled: boolean): void;
    /** Loads the window's page anew, if there is one: nothing that it held is left. */
    reloadWindow(): void;
    /** Shows a file in the system's file manager. */
    showInFolder(file: string): void;
  };
  notify<N extends IpcEventName>(name: N, payload: IpcEvent<N>): void;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** What failed, for the person who looks after this PC. */
  appLog: AppLog;
};

/**
 * What the desk is given: the log is opened, and opened again, by the desk itself; the language of the system is
 * known only once the application is ready, and nothing else waits for that.
 */
export type AppOptions = Omit<AppDependencies, 'log' | 'systemLocale'> & {
  openLog: OpenLog;
  systemLocale: Promise<string>;
};
