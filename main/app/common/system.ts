import type { Result } from '../../../shared/errors.ts';
import type { Message } from '../../../shared/messages/message.ts';

/** What the operating system shows outside the window. */
export type Notification = { title: string; body: string };

/** The content of the tray and the dock. */
export type Tray = {
  icon: boolean;
  /** Payments that need review; 0 = no badge. `more`: the count is a lower bound. */
  count: number;
  more: boolean;
  tooltip: string;
  open: string;
  newPayment: string;
  quit: string;
};

export type FileKind = 'any' | 'certificate' | 'log' | 'settings';

/** The services of the operating system for the application layer. */
export type System = {
  copyText(text: string): void;
  /** Asks where to save; null if the user cancelled. */
  chooseSaveFile(suggestedName: string): Promise<string | null>;
  /** Asks which file to open, with a preferred kind; null if the user cancelled. */
  chooseOpenFile(kind?: FileKind): Promise<string | null>;
  /** Asks the person in a dialog that no page can answer. `yes`: the text of the button. */
  confirm(message: Message, detail: Message, yes: Message): Promise<boolean>;
  /** Asks for a folder; null if the user cancelled. */
  chooseFolder(): Promise<string | null>;
  /** The only external opener: https, mailto, sms, and the sandbox's own page. */
  openExternal(url: string): Promise<Result<undefined>>;
  /** Shows a notification; `onPress` is called on a click. */
  showNotification(notification: Notification, onPress: () => void): void;
  showTray(tray: Tray): void;
  /** Whether the window's processes have Chromium's sandbox. */
  isSandboxed: boolean;
  /** Whether this system can start the console at login. */
  canStartAtLogin: boolean;
  setStartAtLogin(isEnabled: boolean): void;
  /** Seconds since the last input at this computer. */
  idleSeconds(): number;
  /** `listener` is called when the computer is locked or goes to sleep. Returns the function that unsubscribes. */
  onSystemLock(listener: () => void): () => void;
  /** Reloads the window's page, if there is one: nothing of its content remains. */
  reloadWindow(): void;
  /** Closes the console and starts it again. */
  restart(): void;
  /** Prints a complete page without scripts into a PDF and returns its bytes. Rejects if it cannot be printed. */
  printToPdf(html: string): Promise<Uint8Array>;
  /** Shows a file in the system's file manager. */
  showInFolder(file: string): void;
};
