import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FuseV1Options } from '@electron/fuses';
import type { Session } from 'electron';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { serveRenderer, windowUrl } from '../../main/electron/app-protocol.ts';
import { connectBridge } from '../../main/electron/ipc.ts';
import { openExternal } from '../../main/electron/open-external.ts';
import { printToPdf } from '../../main/electron/print-to-pdf.ts';
import { lockAllNavigation, openWindow } from '../../main/electron/window.ts';
import { windowSession } from '../../main/electron/window-session.ts';
import { fuses } from '../../scripts/packaging/after-pack.ts';
import { root } from '../../tools/build/steps.ts';
import type { IpcApi } from '../../shared/contract/contract.ts';
import * as fakeElectron from '../../tools/fake-electron/electron.ts';
import { serveFrom } from '../../tools/fake-electron/session.ts';

/**
 * The twenty items of Electron's security checklist (electronjs.org, Security), each for both windows: the console's and
 * the hidden one that prints. docs/build/threat-model.md names what shows the same with the real bundles.
 */

const preloadSide = vi.hoisted(() => ({
  exposed: {} as Record<string, unknown>,
  listeners: new Map<string, (...values: unknown[]) => void>(),
  invoked: [] as string[],
}));

vi.mock('electron', async () => ({
  ...(await import('../../tools/fake-electron/electron.ts')),
  contextBridge: {
    exposeInMainWorld: (name: string, api: unknown) => {
      preloadSide.exposed[name] = api;
    },
  },
  ipcRenderer: {
    invoke: (channel: string) => {
      preloadSide.invoked.push(channel);
      return Promise.resolve(null);
    },
    on: (channel: string, listener: (...values: unknown[]) => void) => {
      preloadSide.listeners.set(channel, listener);
    },
    removeListener: () => undefined,
  },
}));

type FakeWindow = InstanceType<typeof fakeElectron.BrowserWindow>;

/** The windows that the product opened, with the address that each loaded. */
const opened: { window: FakeWindow; url: string }[] = [];

const sourcesOf = (...folders: string[]): { file: string; text: string }[] =>
  folders
    .flatMap(folder => globSync(`${folder}/**/*.{ts,tsx,html,css}`, { cwd: root }))
    .map(file => ({ file, text: readFileSync(join(root, file), 'utf8') }));
const filesWith = (pattern: RegExp, ...folders: string[]): string[] =>
  sourcesOf(...folders)
    .filter(({ text }) => pattern.test(text))
    .map(({ file }) => file.replaceAll('\\', '/'))
    .toSorted();

const open = async (): Promise<Session> => {
  const own = await windowSession();
  lockAllNavigation();
  openWindow({
    preload: '/out/preload/index.cjs',
    own,
    isPackaged: true,
    windowState: null,
    theme: 'system',
    loadTexts:
      async () =>
      ({ key }) =>
        key,
    onWindowState: () => undefined,
    onFault: () => undefined,
    onSearch: () => undefined,
  });
  // The fake has nothing to print; only the window and its preferences matter here.
  await printToPdf('<!doctype html>').catch(() => undefined);
  return own;
};

let own: Session;
beforeAll(async () => {
  vi.spyOn(fakeElectron.BrowserWindow.prototype, 'loadURL').mockImplementation(function (
    this: FakeWindow,
    url: string,
  ) {
    opened.push({ window: this, url });
    return Promise.resolve();
  });
  own = await open();
});

/** The same preference of both windows. */
const preference = (name: string): unknown[] =>
  opened.map(
    ({ window }) => (window.options.webPreferences as Record<string, unknown> | undefined)?.[name] ?? null,
  );
const both = (value: unknown): unknown[] => [value, value];

test('There are two windows, and no other code makes one', () => {
  expect(opened.map(({ url }) => url.replace(/[\da-f-]{36}/, 'ID'))).toEqual([windowUrl, 'app://print/ID']);
  expect(filesWith(/new (BrowserWindow|BrowserView|WebContentsView|BaseWindow)\b/, 'main')).toEqual([
    'main/electron/print-to-pdf.ts',
    'main/electron/window.ts',
  ]);
});

test('Neither window of a packed console has developer tools', () => {
  expect(preference('devTools')).toEqual(both(false));
});

test('1. Only load secure content: both windows load pages of the application itself', () => {
  expect(opened.every(({ url }) => url.startsWith('app://'))).toBe(true);
  const remote =
    /(?:src|href)=["'{`]+(?:https?:)?\/\/|@import\s+(?:url\()?["']?(?:https?:)?\/\/|url\(["']?https?:/;
  expect(filesWith(remote, 'renderer')).toEqual([]);
});

test('2. Do not enable Node.js integration: not in a page, a worker or a frame', () => {
  for (const name of ['nodeIntegration', 'nodeIntegrationInWorker', 'nodeIntegrationInSubFrames'])
    expect(preference(name)).toEqual(both(false));
});

test('3. Enable context isolation in all renderers', () => {
  expect(preference('contextIsolation')).toEqual(both(true));
});

test('4. Enable process sandboxing: of each window, and of every process by the start of the application', () => {
  expect(preference('sandbox')).toEqual(both(true));
  expect(filesWith(/app\.enableSandbox\(\)/, 'main')).toEqual(['main/electron/index.ts']);
  expect(filesWith(/--no-sandbox|commandLine\.append/, 'main', 'preload', 'renderer')).toEqual([]);
});

describe('5. Handle session permission requests', () => {
  const permissions =
    `clipboard-read display-capture fileSystem fullscreen geolocation hid idle-detection keyboardLock
    media mediaKeySystem midi midiSysex notifications openExternal pointerLock serial speaker-selection storage-access
    top-level-storage-access usb window-management unknown`.split(/\s+/);
  const answers = (window: FakeWindow, page: string, permission: string): unknown[] => {
    const { request, check } = window.webContents.session.permissions;
    const found: unknown[] = [];
    request?.({ getURL: () => page }, permission, (granted: boolean) => found.push(granted));
    found.push(check?.(null, permission, new URL(page).origin === 'null' ? page : new URL(page).origin));
    return found;
  };

  test.each(permissions)('the window’s session refuses %s', permission => {
    for (const { window } of opened) expect(answers(window, windowUrl, permission)).toEqual([false, false]);
  });

  test('the window’s session allows writing text to the clipboard, to our own page only', () => {
    const [console, printing] = opened.map(({ window }) => window);
    if (!console || !printing) throw new Error('no windows');
    const permission = 'clipboard-sanitized-write';
    expect(answers(console, 'https://example.com/', permission)).toEqual([false, false]);
    expect(answers(printing, windowUrl, permission)).toEqual([false, false]);
    expect(answers(console, windowUrl, permission)[0]).toBe(true);
  });
});

test('6. Do not disable webSecurity', () => {
  expect(preference('webSecurity')).toEqual(both(true));
});

test('7. Define a Content Security Policy: every answer to the window has one that allows no other source', async () => {
  serveRenderer(own, join(root, 'renderer'));
  const serve = serveFrom(own as unknown as Parameters<typeof serveFrom>[0]);
  for (const path of ['index.html', 'missing.js', '../package.json', '%2e%2e/package.json']) {
    const answer = await serve(`app://counterfoil/${path}`, 'GET');
    const policy = answer?.headers['content-security-policy']?.split('; ') ?? [];
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types default',
      ]),
    );
    expect(policy.join()).not.toMatch(/https?:|\*|unsafe-eval|script-src[^,]*unsafe/);
    expect(answer?.status).toBe(path === 'index.html' ? 200 : 404);
  }
});

test('8. Do not enable allowRunningInsecureContent', () => {
  expect(preference('allowRunningInsecureContent')).toEqual(both(false));
});

test('9. Do not enable experimental features', () => {
  expect(preference('experimentalFeatures')).toEqual(both(false));
});

test('10. Do not use enableBlinkFeatures', () => {
  expect(preference('enableBlinkFeatures')).toEqual(both(null));
  expect(filesWith(/enableBlinkFeatures|enable-blink-features/, 'main', 'preload')).toEqual([]);
});

test('11. Do not use allowpopups for webviews: there are no webviews', () => {
  expect(preference('webviewTag')).toEqual(both(false));
  expect(filesWith(/<webview|allowpopups/, 'main', 'preload', 'renderer')).toEqual([]);
});

/** Whether a window prevents what an event announces. */
const prevents = (window: FakeWindow, event: string): boolean => {
  const preventDefault = vi.fn<() => void>();
  window.webContents.emit(event, { preventDefault, url: 'https://example.com/' });
  return preventDefault.mock.calls.length > 0;
};

test('12. Verify webview options before creation: each is refused', () => {
  expect(opened.map(({ window }) => prevents(window, 'will-attach-webview'))).toEqual(both(true));
});

test.each(['will-navigate', 'will-redirect', 'will-frame-navigate'])(
  '13. Disable or limit navigation: %s is refused',
  event => {
    expect(opened.map(({ window }) => prevents(window, event))).toEqual(both(true));
  },
);

test('14. Disable or limit creation of new windows: each is refused', () => {
  for (const { window } of opened)
    for (const url of ['https://example.com/', windowUrl, 'about:blank'])
      expect(window.webContents.openHandler({ url })).toEqual({ action: 'deny' });
});

test('15. Do not use shell.openExternal with untrusted content: one function calls it, with an allow-list', async () => {
  expect(filesWith(/shell\s*\.\s*(openExternal|openPath)/, 'main')).toEqual([
    'main/electron/open-external.ts',
  ]);
  fakeElectron.recorded.opened.length = 0;
  for (const address of ['file:///etc/passwd', 'ms-msdt:/id', 'javascript:alert(1)', 'http://pay.example/'])
    expect(await openExternal(address)).toMatchObject({ ok: false, error: { code: 'link.refused' } });
  expect(fakeElectron.recorded.opened).toEqual([]);
});

test('16. Use a current version of Electron: exactly one is pinned, and the lockfile has the same', () => {
  const read = (file: string): { devDependencies: Record<string, string> } & Record<string, never> =>
    JSON.parse(readFileSync(join(root, file), 'utf8'));
  const pinned = read('package.json').devDependencies['electron'];
  expect(pinned).toMatch(/^\d+\.\d+\.\d+$/);
  const locked = read('package-lock.json') as unknown as {
    packages: Record<string, { version: string; integrity: string }>;
  };
  expect(locked.packages['node_modules/electron']).toMatchObject({
    version: pinned,
    integrity: expect.stringMatching(/^sha512-/),
  });
});

describe('17. Validate the sender of all IPC messages', () => {
  beforeEach(() => vi.stubGlobal('REQUEST_NAMES', ['app.read']));
  afterEach(() => {
    fakeElectron.ipcMain.removeHandler('request:app.read');
    vi.unstubAllGlobals();
  });

  const mainFrame = { url: windowUrl };
  const ours = { id: 7, mainFrame };
  test.each<[string, unknown, boolean]>([
    ['our window', { sender: ours, senderFrame: mainFrame }, true],
    ['another window', { sender: { ...ours, id: 8 }, senderFrame: mainFrame }, false],
    ['a frame in our window', { sender: ours, senderFrame: { url: windowUrl } }, false],
    ['a frame that is gone', { sender: ours, senderFrame: null }, false],
    ...['https://counterfoil/', 'app://other/index.html', 'file:///index.html', 'about:blank'].map(
      (url): [string, unknown, boolean] => {
        const frame = { url };
        return [url, { sender: { id: 7, mainFrame: frame }, senderFrame: frame }, false];
      },
    ),
  ])('the sender of a message is validated: %s', async (_name, event, accepted) => {
    const refused = vi.fn<() => void>();
    connectBridge({
      onRefused: refused,
      isOwnWindow: id => id === 7,
      application: async () => ({ answer: async () => ({ ok: true, value: 'state' }) }),
    });
    const handler = fakeElectron.ipcMain._invokeHandlers.get('request:app.read');
    expect(await handler?.(event, {})).toMatchObject(
      accepted ? { ok: true, value: 'state' } : { ok: false, error: { code: 'message.refused' } },
    );
    expect(refused).toHaveBeenCalledTimes(accepted ? 0 : 1);
  });

  test('requests of the contract are the only channel into the main process', () => {
    expect(filesWith(/ipcMain\s*\.|\.ipc\s*\.\s*(on|handle)|MessageChannelMain/, 'main')).toEqual([
      'main/electron/ipc.ts',
    ]);
  });
});

test('18. Avoid usage of the file:// protocol: each window has its own scheme', () => {
  expect(opened.map(({ url }) => URL.parse(url)?.protocol)).toEqual(both('app:'));
  expect(filesWith(/loadFile\(|registerFileProtocol/, 'main')).toEqual([]);
  expect(fuses[FuseV1Options.GrantFileProtocolExtraPrivileges]).toBe(false);
});

test('19. Check which fuses you can change: each fuse that exists has a decided value', () => {
  const existing = Object.values(FuseV1Options).filter(fuse => typeof fuse === 'number');
  expect(new Set(Object.keys(fuses).map(Number))).toEqual(new Set(existing));
  expect(fuses).toMatchObject({
    [FuseV1Options.RunAsNode]: false,
    [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: false,
    [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
    [FuseV1Options.OnlyLoadAppFromAsar]: true,
  });
});

describe('20. Do not expose Electron APIs to untrusted web content', () => {
  let api: IpcApi;
  beforeAll(async () => {
    vi.stubGlobal('REQUEST_NAMES', ['app.read']);
    vi.stubGlobal('EVENT_NAMES', ['payments.changed']);
    await import('../../preload/index.ts');
    ({ api } = preloadSide.exposed as { api: IpcApi });
  });
  afterEach(() => {
    preloadSide.invoked.length = 0;
  });

  test('the page gets two functions', () => {
    expect(Object.keys(preloadSide.exposed)).toEqual(['api']);
    expect(Object.entries(api).map(([name, kind]) => [name, typeof kind])).toEqual([
      ['request', 'function'],
      ['subscribe', 'function'],
    ]);
  });

  test('the two functions of the page know the names of the contract, and no other channel', async () => {
    await api.request('app.read', {});
    for (const name of ['__proto__', 'constructor', 'app.quit', 'ELECTRON_BROWSER_REQUIRE'])
      expect(await api.request(name as 'app.read', {})).toMatchObject({ ok: false });
    api.subscribe('unknown' as 'payments.changed', () => undefined);
    expect(preloadSide.invoked).toEqual(['request:app.read']);
    expect([...preloadSide.listeners.keys()]).toEqual([]);
  });

  test('a listener gets the values of an event, not Electron’s event with its sender', () => {
    const heard: unknown[][] = [];
    api.subscribe('payments.changed', (...values: unknown[]) => heard.push(values));
    preloadSide.listeners.get('event:payments.changed')?.({ sender: 'ipcRenderer' }, { payments: [] });
    expect(heard).toEqual([[{ payments: [] }]]);
  });
});
