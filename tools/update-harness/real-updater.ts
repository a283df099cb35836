import { EventEmitter } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { AppImageUpdater, MacUpdater, NsisUpdater, type AppUpdater } from 'electron-updater';
import type { Squirrel } from '../../main/updates/create-installer.ts';

/** electron-updater's own updaters, without Electron: what they would install can be seen. */

export const updaterKinds = ['win32', 'linux', 'darwin'] as const;
export type UpdaterKind = (typeof updaterKinds)[number];

/** The channel file and the package of a version, by the system. */
export const channelNames = { win32: 'latest.yml', linux: 'latest-linux.yml', darwin: 'latest-mac.yml' };
export const packageNameOf = (kind: UpdaterKind, version: string): string =>
  `counterfoil-${version}-${{ win32: 'win-x64.exe', linux: 'linux-x86_64.AppImage', darwin: 'mac-x64.zip' }[kind]}`;

/** What it takes cannot be taken back: Electron installs it when the program ends. */
class FakeSquirrel extends EventEmitter implements Squirrel {
  taken: string | null = null;
  #feed: { url: string; headers: Record<string, string> } | null = null;
  setFeedURL(feed: { url: string; headers: Record<string, string> }): void {
    this.#feed = feed;
  }
  checkForUpdates(): void {
    this.#take().catch((thrown: unknown) => this.emit('error', thrown));
  }
  async #take(): Promise<void> {
    const { url = '', headers = {} } = this.#feed ?? {};
    const offer = (await (await fetch(`${url}/`, { headers })).json()) as { url: string };
    this.taken = await (await fetch(offer.url)).text();
    this.emit('update-downloaded');
  }
  quitAndInstall(): void {}
}

export type RealUpdater = {
  updater: AppUpdater;
  squirrel: FakeSquirrel | null;
  /** The program ends: the package that is installed by that, if any. */
  quit(): string | null;
  quitHandlers: unknown[];
};

/** An updater of version 0.1.0 that keeps its files in `folder`. */
export const realUpdater = (kind: UpdaterKind, folder: string): RealUpdater => {
  const config = join(folder, 'app-update.yml');
  writeFileSync(config, 'provider: generic\nupdaterCacheDirName: counterfoil-updater\n');
  const quitHandlers: ((exitCode: number) => void)[] = [];
  const adapter = {
    version: '0.1.0',
    name: 'counterfoil',
    isPackaged: true,
    appUpdateConfigPath: config,
    userDataPath: folder,
    baseCachePath: folder,
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: (handler: (exitCode: number) => void) => quitHandlers.push(handler),
  };
  let installed: string | null = null;
  const end = (): void => quitHandlers.forEach(handler => handler(0));
  if (kind === 'win32') {
    class Updater extends NsisUpdater {
      override doInstall(): boolean {
        installed = readFileSync(this.installerPath ?? '', 'utf8');
        return true;
      }
    }
    const quit = (): string | null => {
      end();
      return installed;
    };
    return { updater: new Updater(null, adapter), squirrel: null, quit, quitHandlers };
  }
  if (kind === 'linux') {
    const image = join(folder, 'Counterfoil.AppImage');
    writeFileSync(image, 'version 0.1.0');
    process.env['APPIMAGE'] = image;
    const quit = (): string | null => {
      end();
      const content = readFileSync(image, 'utf8');
      return content === 'version 0.1.0' ? null : content;
    };
    return { updater: new AppImageUpdater(null, adapter), squirrel: null, quit, quitHandlers };
  }
  const squirrel = new FakeSquirrel();
  const { resolve, cache } = createRequire(import.meta.url);
  const path = resolve('electron');
  cache[path] = Object.assign(new (class extends Object {})(), {
    exports: { autoUpdater: squirrel },
  }) as never;
  return { updater: new MacUpdater(undefined, adapter), squirrel, quit: () => squirrel.taken, quitHandlers };
};
