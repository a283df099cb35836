import type { Result } from '../../../shared/errors.ts';

/** What the operating system shows beside the window. */
export type Notification = { title: string; body: string };

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

/** What the application layer asks of the operating system. */
export type System = {
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
