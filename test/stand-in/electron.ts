import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Electron from 'electron';
import { openHost, type Host } from './host.ts';
import { openPage, type StandInPage } from './page.ts';

/**
 * What stands in for the module `electron` in the main process: just the members
 * the product uses, each of them one that Electron has (checked by `satisfies`).
 * What it cannot show is listed in docs/stand-in.md.
 */

type Members<T> = Partial<Record<keyof T, unknown>>;

const args = process.argv.slice(2);
const switchOf = (name: string): string | null =>
  args.find(arg => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? null;
const appFolder = process.env['STAND_IN_APP'] ?? process.cwd();
const manifest = JSON.parse(readFileSync(join(appFolder, 'package.json'), 'utf8')) as {
  name: string;
  productName?: string;
  version: string;
};
const name = manifest.productName ?? manifest.name;
const userData =
  switchOf('user-data-dir') ?? join(process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), name);
const visible =
  !args.includes('--headless') && Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);

/** What the application did to the world outside its window, for tests to read. */
export const recorded = {
  opened: [] as string[],
  copied: [] as string[],
  dialogs: [] as { kind: string; options: unknown }[],
  notifications: [] as Notification[],
  /** The badge on the dock. */
  badge: 0,
  trays: [] as Tray[],
  /** Schemes the application asked to be given. */
  protocols: [] as string[],
  /** How often a window was brought to the front. */
  focused: 0,
  /** Answers for the next dialogs. */
  answers: [] as unknown[],
};

let host: Host | null = null;
const handlers = new Map<string, (request: Request) => Response | Promise<Response>>();
const windows = new Set<BrowserWindow>();

const preventable = (): { preventDefault: () => void; readonly defaultPrevented: boolean } => {
  let prevented = false;
  return {
    preventDefault: () => {
      prevented = true;
    },
    get defaultPrevented() {
      return prevented;
    },
  };
};

class App extends EventEmitter {
  readonly isPackaged = !existsSync(join(appFolder, 'main'));
  readonly name = name;
  #ready: Promise<void> | null = null;
  #quitting = false;

  whenReady(): Promise<void> {
    this.#ready ??= openHost({ visible, width: 1366, height: 768 }).then(opened => {
      host = opened;
      process.send?.({ kind: 'host', address: opened.address });
      this.emit('ready');
    });
    return this.#ready;
  }
  isReady(): boolean {
    return host !== null;
  }
  quit(): void {
    const before = preventable();
    if (!this.#quitting) this.emit('before-quit', before);
    if (before.defaultPrevented) return;
    this.#quitting = true;
    for (const window of windows) window.emit('close', preventable());
    const last = preventable();
    this.emit('will-quit', last);
    if (!last.defaultPrevented) this.exit(0);
  }
  exit(code = 0): void {
    this.emit('quit', {}, code);
    const closed = host?.close() ?? Promise.resolve();
    void closed.finally(() => process.exit(code));
  }
  enableSandbox(): void {}
  setAppUserModelId(): void {}
  getPath(what: string): string {
    if (what === 'userData') return userData;
    if (what === 'temp') return tmpdir();
    return join(homedir(), what);
  }
  getVersion(): string {
    return manifest.version;
  }
  getName(): string {
    return name;
  }
  getLocale(): string {
    return 'en-US';
  }
  getPreferredSystemLanguages(): string[] {
    return ['en-US'];
  }
  setAsDefaultProtocolClient(protocol: string): boolean {
    recorded.protocols.push(protocol);
    return true;
  }
  setBadgeCount(count: number): boolean {
    recorded.badge = count;
    return true;
  }
  /** One lock per user data folder, as Electron keeps it; a second instance wakes the first. */
  requestSingleInstanceLock(): boolean {
    const lock = join(userData, 'stand-in.lock');
    const secondArgs = join(userData, 'stand-in.args');
    mkdirSync(userData, { recursive: true });
    const holder = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0;
    try {
      if (holder > 0 && holder !== process.pid) {
        writeFileSync(secondArgs, JSON.stringify({ args: process.argv, folder: process.cwd() }));
        process.kill(holder, 'SIGUSR2');
        return false;
      }
    } catch {
      // Whoever held it is gone.
    }
    writeFileSync(lock, String(process.pid));
    process.on('SIGUSR2', () => {
      const second = JSON.parse(readFileSync(secondArgs, 'utf8')) as { args: string[]; folder: string };
      rmSync(secondArgs);
      this.emit('second-instance', preventable(), second.args, second.folder, null);
    });
    return true;
  }
}

export const app = new App() satisfies Members<Electron.App>;

const invokeHandlers = new Map<string, (event: unknown, ...values: unknown[]) => unknown>();
export const ipcMain = Object.assign(new EventEmitter(), {
  handle: (channel: string, handler: (event: unknown, ...values: unknown[]) => unknown) => {
    if (invokeHandlers.has(channel))
      throw new Error(`Attempted to register a second handler for '${channel}'`);
    invokeHandlers.set(channel, handler);
  },
  removeHandler: (channel: string) => invokeHandlers.delete(channel),
  // Electron keeps its handlers under this name too.
  _invokeHandlers: invokeHandlers,
}) satisfies Members<Electron.IpcMain>;

export const protocol = {
  registerSchemesAsPrivileged: () => undefined,
  handle: (scheme: string, handler: (request: Request) => Response | Promise<Response>) => {
    handlers.set(scheme, handler);
  },
} satisfies Members<Electron.Protocol>;

type Permits = (contents: unknown, permission: string, originOrAnswer: unknown) => unknown;
const permissions: { request: Permits | null; check: Permits | null } = { request: null, check: null };
const defaultSession = {
  setPermissionRequestHandler: (handler: Permits | null) => {
    permissions.request = handler;
  },
  setPermissionCheckHandler: (handler: Permits | null) => {
    permissions.check = handler;
  },
  resolveProxy: () => Promise.resolve('DIRECT'),
} satisfies Members<Electron.Session>;
export const session = { defaultSession } satisfies Members<typeof Electron.session>;

/** One monitor. */
const area: Electron.Rectangle = { x: 0, y: 0, width: 1920, height: 1040 };
const display = { id: 1, bounds: { ...area, height: 1080 }, workArea: area, scaleFactor: 1 };
export const screen = Object.assign(new EventEmitter(), {
  getPrimaryDisplay: () => display,
  getAllDisplays: () => [display],
}) satisfies Members<Electron.Screen>;

class WebContents extends EventEmitter {
  static #last = 0;
  readonly id = (WebContents.#last += 1);
  readonly session = defaultSession;
  /** Electron's own page URL, whatever Chromium calls it. */
  readonly mainFrame = { url: '' };
  page: StandInPage | null = null;
  openHandler: (details: { url: string }) => { action: string } = () => ({ action: 'allow' });

  send(channel: string, ...values: unknown[]): void {
    this.page?.emit(channel, values);
  }
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler;
  }
  isDestroyed(): boolean {
    return this.page?.isClosed() ?? false;
  }
  getURL(): string {
    return this.mainFrame.url;
  }
  /** A navigation the page asks for; true when the application lets it happen. */
  mayNavigate(kind: 'will-navigate' | 'will-frame-navigate', url: string): boolean {
    const event = { ...preventable(), url };
    let prevented = false;
    event.preventDefault = () => {
      prevented = true;
    };
    this.emit(kind, event, url);
    return !prevented;
  }
  async answer(channel: string, values: unknown[], isTop: boolean): Promise<unknown> {
    const handler = invokeHandlers.get(channel);
    if (!handler) throw new Error(`No handler registered for '${channel}'`);
    const senderFrame = isTop ? this.mainFrame : null;
    return handler({ sender: this, senderFrame, processId: this.id, frameId: this.id }, ...values);
  }
}

export class BrowserWindow extends EventEmitter {
  readonly webContents = new WebContents() satisfies Members<Electron.WebContents>;
  readonly options: Electron.BrowserWindowConstructorOptions;
  /** Its place is kept in numbers; Chromium's own window, where one is shown, does not follow. */
  #bounds: Electron.Rectangle;
  #maximised = false;

  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.#bounds = { x, y, width, height };
    windows.add(this);
  }
  static getAllWindows(): BrowserWindow[] {
    return [...windows];
  }
  async loadURL(url: string): Promise<void> {
    if (!host) throw new Error('the application is not ready');
    const { webPreferences } = this.options;
    const contents = this.webContents;
    contents.page = await openPage(host.context, {
      handlers,
      preload: webPreferences?.preload ? readFileSync(webPreferences.preload, 'utf8') : '',
      answer: (channel, values, isTop) => contents.answer(channel, values, isTop),
      mayNavigate: (kind, to) => contents.mayNavigate(kind, to),
      mayOpen: to => contents.openHandler({ url: to }).action === 'allow',
      moved: to => {
        contents.mainFrame.url = to;
      },
      closed: () => {
        windows.delete(this);
        this.emit('closed');
        if (windows.size === 0) app.emit('window-all-closed');
      },
    });
    await contents.page.goTo(url);
    this.emit('ready-to-show');
  }
  show(): void {}
  focus(): void {
    recorded.focused += 1;
  }
  restore(): void {}
  close(): void {
    const event = preventable();
    this.emit('close', event);
    if (!event.defaultPrevented) void this.webContents.page?.close();
  }
  getBounds(): Electron.Rectangle {
    return this.#maximised ? { ...area } : { ...this.#bounds };
  }
  getNormalBounds(): Electron.Rectangle {
    return { ...this.#bounds };
  }
  setBounds(bounds: Partial<Electron.Rectangle>): void {
    this.#bounds = { ...this.#bounds, ...bounds };
    this.emit('move');
    this.emit('resize');
  }
  maximize(): void {
    this.#maximised = true;
    this.emit('maximize');
  }
  unmaximize(): void {
    this.#maximised = false;
    this.emit('unmaximize');
  }
  isMaximized(): boolean {
    return this.#maximised;
  }
  isMinimized(): boolean {
    return false;
  }
  isDestroyed(): boolean {
    return !windows.has(this);
  }
  getTitle(): string {
    return this.options.title ?? name;
  }
}

export const shell = {
  openExternal: (url: string) => {
    recorded.opened.push(url);
    return Promise.resolve();
  },
} satisfies Members<Electron.Shell>;

export const clipboard = {
  writeText: (text: string) => {
    recorded.copied.push(text);
  },
  readText: () => recorded.copied.at(-1) ?? '',
} satisfies Members<Electron.Clipboard>;

const ask = (kind: string, otherwise: unknown) => (options: unknown) => {
  recorded.dialogs.push({ kind, options });
  return Promise.resolve(recorded.answers.shift() ?? otherwise);
};
export const dialog = {
  showErrorBox: (title: string, content: string) => {
    recorded.dialogs.push({ kind: 'error', options: { title, content } });
    process.stderr.write(`${title}: ${content}\n`);
  },
  showMessageBox: ask('message', { response: 0, checkboxChecked: false }),
  showSaveDialog: ask('save', { canceled: true, filePath: '' }),
  showOpenDialog: ask('open', { canceled: true, filePaths: [] }),
} satisfies Members<Electron.Dialog>;

export class Notification extends EventEmitter {
  readonly options: Electron.NotificationConstructorOptions;
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
    this.emit('close');
  }
}

/** A picture is its pixels, kept and shown nowhere. */
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

/** Shown nowhere: what it would show is recorded. */
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

export const Menu = {
  setApplicationMenu: () => undefined,
  buildFromTemplate: (template: unknown) => template,
} satisfies Members<typeof Electron.Menu>;

export const powerMonitor = new EventEmitter() satisfies Members<Electron.PowerMonitor>;
export const nativeTheme = Object.assign(new EventEmitter(), {
  shouldUseDarkColors: false,
  themeSource: 'system',
}) satisfies Members<Electron.NativeTheme>;

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => app.quit());
