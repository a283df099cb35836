import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';

/** The members of `electron` that reach the system outside the window: nothing happens, everything is recorded. */

/** The members of Electron's that the fake may have. */
export type Members<T> = Partial<Record<keyof T, unknown>>;

/** The application's effects outside its window, for tests to read. */
export const recorded = {
  opened: [] as string[],
  copied: [] as string[],
  dialogs: [] as { kind: string; options: unknown; parent?: boolean }[],
  notifications: [] as Notification[],
  /** The badge on the dock. */
  badge: 0,
  trays: [] as Tray[],
  /** Schemes that the application registered for. */
  protocols: [] as string[],
  /** Number of requested relaunches. */
  relaunched: 0,
  /** How often a window was brought to the front. */
  focused: 0,
  /** The last application menu, and the number of windows at that time; undefined = Electron's default menu. */
  menu: undefined as { template: unknown; windows: number } | undefined,
  /** The template of the last context menu. */
  contextMenu: undefined as unknown,
  loginItems: [] as unknown[],
  /** Windows that a page wanted to open, and whether the application allowed it. */
  popups: [] as { url: string; allowed: boolean }[],
  /** Answers for the next dialogs. */
  answers: [] as unknown[],
};

export class Notification extends EventEmitter {
  readonly options: Electron.NotificationConstructorOptions;
  isRemoved = false;
  constructor(options: Electron.NotificationConstructorOptions) {
    super();
    this.options = options;
  }
  static isSupported(): boolean {
    return true;
  }
  show(): void {
    recorded.notifications.push(this);
  }
  close(): void {
    this.isRemoved = true;
    this.emit('close', {});
  }
}

/** An image as its pixels, never displayed. */
class NativeImage {
  readonly representations: Electron.AddRepresentationOptions[] = [];
  addRepresentation(options: Electron.AddRepresentationOptions): void {
    this.representations.push(options);
  }
  isEmpty(): boolean {
    return this.representations.length === 0;
  }
  setTemplateImage(): void {}
}
export const nativeImage = { createEmpty: () => new NativeImage() } satisfies Members<
  typeof Electron.nativeImage
>;

/** Never displayed: its content is recorded. */
export class Tray extends EventEmitter {
  image: NativeImage;
  toolTip = '';
  menu: Electron.MenuItemConstructorOptions[] = [];
  #destroyed = false;
  constructor(image: NativeImage) {
    super();
    this.image = image;
    recorded.trays.push(this);
  }
  setImage(image: NativeImage): void {
    this.image = image;
  }
  setToolTip(text: string): void {
    this.toolTip = text;
  }
  setTitle(): void {}
  setContextMenu(menu: unknown): void {
    this.menu = menu as Electron.MenuItemConstructorOptions[];
  }
  destroy(): void {
    this.#destroyed = true;
  }
  isDestroyed(): boolean {
    return this.#destroyed;
  }
}

export const shell = {
  openExternal: (url: string) => {
    recorded.opened.push(url);
    return Promise.resolve();
  },
  showItemInFolder: (file: string) => {
    recorded.opened.push(file);
  },
} satisfies Members<Electron.Shell>;

export const clipboard = {
  writeText: (text: string) => {
    recorded.copied.push(text);
  },
  readText: () => recorded.copied.at(-1) ?? '',
} satisfies Members<Electron.Clipboard>;

/** The updater of macOS; only an installed program uses it. */
export const autoUpdater = new EventEmitter();
