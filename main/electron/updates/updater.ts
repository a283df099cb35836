import { app, autoUpdater, net } from 'electron';
import type { UpdateObstacle } from '../../../shared/updates/update-state.ts';
import { channelFileName } from '../../updates/channel-file-name.ts';
import type { Installer } from '../../updates/installer.ts';

/** Installs new versions with electron-updater, which is loaded at the first check. */

/** Public keys of the build, separated by blanks; see docs/build/releasing.md. */
declare const UPDATE_KEYS: string;

const keys = UPDATE_KEYS.split(' ').filter(key => key !== '');

/** Why this installation cannot update itself. */
export const updateObstacle = (): UpdateObstacle | null => {
  if (!app.isPackaged) return 'not-installed';
  if (keys.length === 0) return 'no-key';
  // Only the AppImage replaces itself: packages of Debian belong to its package manager.
  return process.platform === 'linux' && process.env['APPIMAGE'] === undefined ? 'package' : null;
};

const createUpdater = async () => {
  const { AppImageUpdater, MacUpdater, NsisUpdater } = await import('electron-updater');
  if (process.platform === 'win32') return new NsisUpdater();
  return process.platform === 'darwin' ? new MacUpdater() : new AppImageUpdater();
};

/** `close`: closes the application; resolves when everything accepted is on disk. */
export const loadInstaller = async (close: () => Promise<void>): Promise<Installer> => {
  const [updater, { createInstaller }] = await Promise.all([
    createUpdater(),
    import('../../updates/create-installer.ts'),
  ]);
  return createInstaller(
    updater,
    {
      fileName: channelFileName(process.platform, process.arch),
      keys,
      get: (url, signal) =>
        net.fetch(url, { redirect: 'manual', credentials: 'omit', cache: 'no-store', signal }),
    },
    { close, squirrel: process.platform === 'darwin' ? autoUpdater : null },
  );
};
