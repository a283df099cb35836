import { app } from 'electron';

/** One-time registrations with the operating system: the handler of `counterfoil:` addresses, the start at login. */

/** The argument of a start at login: no window opens if the tray can open one. */
export const hiddenSwitch = '--hidden';
/** Identifies the console to Windows as the handler of notification clicks; the same in every version. */
const toastActivator = '{7B0E6C5E-5B4C-4F6E-9C31-2A1D0F7C9E44}';

/**
 * Registers an address scheme unless another program has it: another installation, or an administrator's choice,
 * keeps it. Only in a packaged application: a checkout must not take the scheme from the installed one.
 */
export const registerScheme = (scheme: string): void => {
  if (process.platform === 'win32') app.setToastActivatorCLSID(toastActivator);
  if (!app.isPackaged || app.getApplicationNameForProtocol(`${scheme}://`) !== '') return;
  app.setAsDefaultProtocolClient(scheme);
};

/** Linux has no login items that Electron can set. */
export const canStartAtLogin = process.platform === 'win32' || process.platform === 'darwin';

/** Enables or disables the start at login, without its window. */
export const setStartAtLogin = (openAtLogin: boolean): void => {
  if (canStartAtLogin && app.isPackaged) app.setLoginItemSettings({ openAtLogin, args: [hiddenSwitch] });
};

/** Whether this start was the one at login; on Windows `hiddenSwitch` indicates it. */
export const isStartedAtLogin = (): boolean =>
  process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
