import { once, type EventEmitter } from 'node:events';
import type { AppUpdater } from 'electron-updater';
import { fetchUpdate, type ChannelSource } from './fetch-update.ts';
import type { Installer } from './installer.ts';

/** Time for macOS to take and unpack a version, milliseconds. */
const squirrelLimitMs = 120_000;

/** Electron's updater of macOS, Squirrel. What it has taken it installs, and nothing takes it back. */
export type Squirrel = EventEmitter & { checkForUpdates(): void };

/** Joins electron-updater with the application. `close`: see Installer.restart. `squirrel`: on macOS. */
export const createInstaller = (
  updater: AppUpdater,
  source: ChannelSource,
  { close, squirrel = null }: { close: () => Promise<void>; squirrel?: Squirrel | null },
): Installer => {
  let isWanted = false;
  // On macOS electron-updater would give a version to Squirrel as soon as it is downloaded.
  if (squirrel !== null) updater.autoInstallOnAppQuit = false;
  const setOnQuit = (isOn: boolean): void => {
    if (squirrel === null) updater.autoInstallOnAppQuit = isOn;
  };
  return {
    check: (server, installed) =>
      // electron-updater listens to the program's end only if this is set when a download ends.
      fetchUpdate(updater, server, source, installed, () => setOnQuit(true)),
    installOnQuit: wanted => {
      isWanted = wanted;
      setOnQuit(wanted);
    },
    atQuit: async () => {
      if (squirrel === null || !isWanted) return;
      isWanted = false;
      const limit = AbortSignal.timeout(squirrelLimitMs);
      // `once` rejects at an `error` too: the next start says that nothing was installed.
      const taken = once(squirrel, 'update-downloaded', { signal: limit }).catch(() => undefined);
      squirrel.checkForUpdates();
      await taken;
    },
    restart: async () => {
      // The installer must not meet a payment log that is still being written.
      await close();
      updater.quitAndInstall(true, true);
    },
  };
};
