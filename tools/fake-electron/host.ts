import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { browserPath, profilesOf } from './browser-path.ts';
import {
  openPage,
  openPrintedPage,
  type PageOptions,
  type PrintedPage,
  type Serve,
  type StandInPage,
} from './page.ts';

/** Where an application's windows are. */
export type Host = Awaited<ReturnType<typeof openHost>>;

/** A started Chromium. */
export type Chromium = Awaited<ReturnType<typeof startChromium>>;

/** The application's options for its window that Chromium reads only from its command line. */
export type WindowOptions = {
  webRtcPolicy: string;
  proxy: { proxyRules?: string; proxyBypassRules?: string } | null;
};

/** The size of a window without a display. */
export const windowSize = { width: 1366, height: 768 };

const quiet = [
  '--test-type',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--no-default-browser-check',
  // The window has no network: requests that pass the policy find no host.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--remote-debugging-port=0',
];

/** Ends Chromium when this process ends for any reason: the watcher's input closes with it. */
const endWithUs = (profile: string): void => {
  // The bracket keeps the watcher's own command line from matching.
  const ours = `"[-]-user-data-dir=${profile}"`;
  const watcher = spawn(
    'sh',
    [
      '-c',
      `cat >/dev/null; pkill -9 -f -- ${ours}; while pgrep -f -- ${ours} >/dev/null; do sleep 0.05; done; rm -rf "${profile}"`,
    ],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    },
  );
  watcher.unref();
};

const portOf = async (profile: string): Promise<string> => {
  const file = join(profile, 'DevToolsActivePort');
  for (let tries = 0; tries < 750; tries += 1) {
    const port = existsSync(file) ? readFileSync(file, 'utf8').split('\n')[0] : '';
    if (port) return port;
    await wait(20);
  }
  throw new Error('Chromium did not say where it listens');
};

/** Starts Chromium; `visible` opens a window on the display. */
export const startChromium = async (
  visible: boolean,
  { webRtcPolicy, proxy }: WindowOptions,
  switches: readonly string[] = [],
) => {
  // Large: an application whose harness has its window needs none.
  const { chromium } = await import('playwright-core');
  const browser = browserPath();
  const { folder, isInHome } = profilesOf(browser);
  mkdirSync(folder, { recursive: true });
  const profile = mkdtempSync(join(folder, 'counterfoil-chromium-'));
  endWithUs(profile);
  const { width, height } = windowSize;
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browser,
    headless: !visible,
    viewport: visible ? null : { width, height },
    args: [
      ...quiet,
      ...switches,
      ...(webRtcPolicy === 'default' ? [] : [`--webrtc-ip-handling-policy=${webRtcPolicy}`]),
      ...(proxy?.proxyRules ? [`--proxy-server=${proxy.proxyRules}`] : []),
      ...(proxy?.proxyBypassRules ? [`--proxy-bypass-list=${proxy.proxyBypassRules}`] : []),
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      // A window without an address bar, like Electron's: the content of the bar consists of pages that would be
      // loaded too.
      '--app=data:text/html,',
      ...(visible ? [`--window-size=${width},${height}`] : []),
    ],
    env: isInHome ? process.env : { ...process.env, HOME: profile },
  });
  return {
    context,
    /** The address for a second client: `http://127.0.0.1:PORT`. */
    address: `http://127.0.0.1:${await portOf(profile)}`,
    close: async (): Promise<void> => {
      await context.close().catch(() => undefined);
      try {
        execFileSync('pkill', ['-9', '-f', '--', `--user-data-dir=${profile}`], { stdio: 'ignore' });
      } catch {
        // It has already ended.
      }
      rmSync(profile, { recursive: true, force: true });
    },
  };
};

/** Opens the application's windows in a separate Chromium, which ends with it. */
export const openHost = async (
  visible: boolean,
  options: WindowOptions,
  opened: (address: string) => void,
) => {
  const chromium = await startChromium(visible, options);
  const { context } = chromium;
  opened(chromium.address);
  return {
    openPage: (page: PageOptions): Promise<StandInPage> => openPage(context, page),
    openPrintedPage: (serve: Serve, url: string): Promise<PrintedPage> =>
      openPrintedPage(context, serve, url),
    close: (): Promise<void> => chromium.close(),
  };
};
