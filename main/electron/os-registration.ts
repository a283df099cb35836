import { app } from 'electron';

/** What the operating system is told once: who opens `counterfoil:` addresses, who starts with the PC. */

/** The argument of a start at login: no window opens as long as the tray can open one. */
export const hiddenSwitch = '--hidden';
/** Names the console to Windows as the one that answers a pressed notification; the same in every version. */
const toastActivator = '{7B0E6C5E-5B4C-4F6E-9C31-2A1D0F7C9E44}';

/**
 * Asks for an address scheme where no program has it: another installation, or what an administrator chose, keeps it.
 * From a packed application alone: a checkout must not take the scheme from the one that is installed.
 */
export const registerScheme = (scheme: string): void => {
  if (process.platform === 'win32') app.setToastActivatorCLSID(toastActivator);
  if (!app.isPackaged || app.getApplicationNameForProtocol(`${scheme}://`) !== '') return;
  app.setAsDefaultProtocolClient(scheme);
};

/** Linux has no login items that Electron can set. */
export const canStartAtLogin = process.platform === 'win32' || process.platform === 'darwin';

/** Starts the console with the PC, without its window, or no longer does. */
export const setStartAtLogin = (openAtLogin: boolean): void => {
  if (canStartAtLogin && app.isPackaged) app.setLoginItemSettings({ openAtLogin, args: [hiddenSwitch] });
};

/** Whether this start was the one at login; Windows says so by `hiddenSwitch` instead. */
export const isStartedAtLogin = (): boolean =>
  process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
