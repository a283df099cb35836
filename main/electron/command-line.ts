import { win32 } from 'node:path';

/**
 * Switches that let another program read or control the window or the main process. Fuses do not block those that
 * Chromium reads itself. `js-flags` can disable protections of V8; prefixes and paths of processes run another program;
 * the last ones send the console's traffic, or the keys of its connections, elsewhere.
 */
const refused = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-debugging-targets',
  'remote-allow-origins',
  'inspect',
  'inspect-brk',
  'inspect-brk-node',
  'inspect-port',
  'inspect-wait',
  'debug-port',
  'js-flags',
  'disable-web-security',
  'load-extension',
  'auto-open-devtools-for-tabs',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'gpu-launcher',
  'browser-subprocess-path',
  'ignore-certificate-errors',
  'ignore-certificate-errors-spki-list',
  'host-resolver-rules',
  'host-rules',
  'proxy-server',
  'proxy-pac-url',
  'ssl-key-log-file',
] as const;

/** The first debugging switch the application was started with, without its dashes, or null. */
export const debuggingSwitch = (hasSwitch: (name: string) => boolean): string | null =>
  refused.find(name => hasSwitch(name)) ?? null;

/**
 * The arguments of a console that starts again because of a second start: the options of the first one, and the deep
 * links of the second. `own` and `second` begin with the program.
 */
export const restartArguments = (
  own: readonly string[],
  second: readonly string[],
  isLink: (argument: string) => boolean,
  hiddenSwitch: string,
): string[] => [
  // It was started at sign-in perhaps, without a window; the second start is a person's.
  ...own.slice(1).filter(argument => !isLink(argument) && argument !== hiddenSwitch),
  ...second.slice(1).filter(isLink),
];

/**
 * The data folder on Windows, or null for Electron's own choice. Electron's is in the roaming part of the profile:
 * Windows would copy the payment log between computers, and two of them would continue it, each in its own way.
 */
export const localDataFolder = (
  system: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
  hasSwitch: (name: string) => boolean,
): string | null => {
  const local = environment['LOCALAPPDATA'];
  if (system !== 'win32' || !local || hasSwitch('user-data-dir')) return null;
  return win32.join(local, 'Counterfoil');
};
