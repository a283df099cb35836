import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Electron from 'electron';
import { recorded, type Members } from './desktop.ts';
import { openHarnessHost } from './harness-host.ts';
import { openHost, type Host, type WindowOptions } from './host.ts';
import type { PrintedPage, PrintOptions, StandInPage } from './page.ts';
import { defaultSession, serveFrom, type StandInSession } from './session.ts';

export { autoUpdater, clipboard, nativeImage, Notification, recorded, shell, Tray } from './desktop.ts';
export { session } from './session.ts';

/**
 * Replaces the module `electron` in the main process: only the members that the product uses, each of them a member
 * of Electron (checked by `satisfies`). docs/build/fake-electron.md lists its limits.
 */

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

let host: Promise<Host> | null = null;
/** A harness that has the browser itself says so (harness-host.ts). */
const startHost = (options: WindowOptions): Promise<Host> =>
  process.env['STAND_IN_WINDOW'] === 'harness'
    ? Promise.resolve(openHarnessHost(options))
    : openHost(visible, options, address => process.send?.({ kind: 'host', address }));
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
  #ready = false;
  #quitting = false;
  #isHolder = false;

  /** Ready at once: Chromium starts with the first page and the window's options. */
  async whenReady(): Promise<void> {
    await Promise.resolve();
    if (this.#ready) return;
    this.#ready = true;
    this.emit('ready');
  }
  isReady(): boolean {
    return this.#ready;
  }
  readonly commandLine = {
    hasSwitch: (name: string): boolean =>
      args.some(arg => arg === `--${name}` || arg.startsWith(`--${name}=`)),
  };
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
    const closed = host?.then(opened => opened.close()) ?? Promise.resolve();
    void closed.catch(() => undefined).finally(() => process.exit(code));
  }
  enableSandbox(): void {}
  relaunch(): void {
    recorded.relaunched += 1;
  }
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
  setToastActivatorCLSID(): void {}
  setAsDefaultProtocolClient(protocol: string): boolean {
    recorded.protocols.push(protocol);
    return true;
  }
  getApplicationNameForProtocol(url: string): string {
    return recorded.protocols.some(protocol => url.startsWith(`${protocol}:`)) ? name : '';
  }
  setLoginItemSettings(settings: unknown): void {
    recorded.loginItems.push(settings);
  }
  getLoginItemSettings(): { wasOpenedAtLogin: boolean } {
    return { wasOpenedAtLogin: false };
  }
  setBadgeCount(count: number): boolean {
    recorded.badge = count;
    return true;
  }
  hasSingleInstanceLock(): boolean {
    return this.#isHolder;
  }
  /** One lock per user data folder, like Electron's; a second instance notifies the first. */
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
      // The previous holder has ended.
    }
    writeFileSync(lock, String(process.pid));
    this.#isHolder = true;
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
  handle: defaultSession.protocol.handle,
} satisfies Members<Electron.Protocol>;

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
  readonly session: StandInSession;
  /** Start options for Chromium, which reads them only from its command line. */
  webRtcPolicy = 'default';
  #zoom = 1;
  /** Electron's own page URL, independent of Chromium's. */
  readonly mainFrame = { url: '' };
  page: StandInPage | null = null;
  /** The page of a window without scripts, which is only printed. */
  printed: PrintedPage | null = null;
  openHandler: (details: { url: string }) => { action: string } = () => ({ action: 'allow' });

  constructor(session: StandInSession) {
    super();
    this.session = session;
  }
  send(channel: string, ...values: unknown[]): void {
    this.page?.emit(channel, values);
  }
  setWebRTCIPHandlingPolicy(policy: string): void {
    this.webRtcPolicy = policy;
  }
  readonly navigationHistory = {
    clear: (): void => this.page?.clearHistory(),
  };
  getZoomFactor(): number {
    return this.#zoom;
  }
  replaceMisspelling(): void {}
  setZoomFactor(factor: number): void {
    this.#zoom = factor;
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
  printToPDF(options: PrintOptions): Promise<Buffer> {
    if (!this.printed) throw new Error('Nothing to print');
    return this.printed.print(options);
  }
  reload(): void {
    void this.page?.reload();
  }
  /** The page still exists; only Electron's events are emitted. */
  forcefullyCrashRenderer(): void {
    this.emit('render-process-gone', {}, { reason: 'killed', exitCode: 9 });
  }
  /** A navigation that the page requests; true if the application allows it. */
  mayNavigate(kind: 'will-navigate' | 'will-frame-navigate', url: string): boolean {
    const event = Object.assign(preventable(), { url });
    this.emit(kind, event, url);
    return !event.defaultPrevented;
  }
  async answer(channel: string, values: unknown[], isTop: boolean): Promise<unknown> {
    const handler = invokeHandlers.get(channel);
    if (!handler) throw new Error(`No handler registered for '${channel}'`);
    const senderFrame = isTop ? this.mainFrame : null;
    return handler({ sender: this, senderFrame, processId: this.id, frameId: this.id }, ...values);
  }
}

export class BrowserWindow extends EventEmitter {
  readonly webContents: WebContents;
  readonly options: Electron.BrowserWindowConstructorOptions;
  /** Its bounds are only stored; Chromium's own window, if shown, does not follow. */
  #bounds: Electron.Rectangle;
  #maximised = false;

  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    const own = options.webPreferences?.session as unknown as StandInSession | undefined;
    this.webContents = new WebContents(own ?? defaultSession) satisfies Members<Electron.WebContents>;
    app.emit('web-contents-created', {}, this.webContents);
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.#bounds = { x, y, width, height };
    windows.add(this);
  }
  static getAllWindows(): BrowserWindow[] {
    return [...windows];
  }
  async loadURL(url: string): Promise<void> {
    const { webPreferences } = this.options;
    const contents = this.webContents;
    // Loaded again: the same page, like Electron's.
    if (contents.page && !contents.page.isClosed()) return contents.page.goTo(url);
    host ??= startHost({ webRtcPolicy: contents.webRtcPolicy, proxy: contents.session.proxy });
    const serve = serveFrom(contents.session);
    if (webPreferences?.javascript === false) {
      contents.printed = await (await host).openPrintedPage(serve, url);
      return;
    }
    contents.page = await (
      await host
    ).openPage({
      serve,
      preload: webPreferences?.preload ? readFileSync(webPreferences.preload, 'utf8') : '',
      answer: (channel, values, isTop) => contents.answer(channel, values, isTop),
      mayNavigate: async (kind, to) => contents.mayNavigate(kind, to),
      mayOpen: async to => {
        const allowed = contents.openHandler({ url: to }).action === 'allow';
        recorded.popups.push({ url: to, allowed });
        return allowed;
      },
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
  destroy(): void {
    windows.delete(this);
    void this.webContents.printed?.close();
    void this.webContents.page?.close();
  }
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

/** Electron's first argument is the window that a dialog belongs to. */
const ask = (kind: string, otherwise: unknown) => (first: unknown, second?: unknown) => {
  const parent = first instanceof BrowserWindow;
  recorded.dialogs.push({ kind, options: parent ? second : first, parent });
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

export const Menu = {
  setApplicationMenu: (template: unknown) => {
    recorded.menu = { template, windows: windows.size };
  },
  getApplicationMenu: () => recorded.menu?.template && { items: recorded.menu.template },
  buildFromTemplate: (template: unknown) =>
    Object.assign(template as object, { popup: () => (recorded.contextMenu = template) }),
} satisfies Members<typeof Electron.Menu>;

/** Requests of the application itself: Node's client. */
export const net = {
  fetch: (url: string, options?: RequestInit) => fetch(url, options),
} satisfies Members<Electron.Net>;

export const powerMonitor = Object.assign(new EventEmitter(), {
  getSystemIdleTime: () => 0,
}) satisfies Members<Electron.PowerMonitor>;
export const nativeTheme = Object.assign(new EventEmitter(), {
  shouldUseDarkColors: false,
  themeSource: 'system',
}) satisfies Members<Electron.NativeTheme>;

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => app.quit());
