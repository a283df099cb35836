import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { startChromium, windowSize, type Chromium, type WindowOptions } from '../fake-electron/host.ts';

/**
 * One Chromium for many applications, one after another: a start costs as much as many tests. Each application gets
 * the same window, empty, over a separate connection, with which its scripts and emulation end. A second application
 * at the same time gets another Chromium.
 */
export type Borrowed = {
  context: BrowserContext;
  /** Empties the window for the next application. */
  giveBack(): Promise<void>;
};

/** The pages of all applications in one process: each new process would load everything again. */
const oneProcess = ['--disable-site-isolation-trials', '--renderer-process-limit=1'];

/** Those that no application uses, by the options they were started with. */
const idle = new Map<string, Chromium[]>();

/** Nothing of the application stays: no document, storage, cookie, cached file or history. */
const empty = async (context: BrowserContext, page: Page): Promise<void> => {
  const { origin } = new URL(page.url());
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.goto('about:blank');
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.send('Network.clearBrowserCookies');
  await session.send('Network.clearBrowserCache');
  await session.send('Page.resetNavigationHistory');
};

const giveBack = async (key: string, own: Chromium, browser: Browser, page: Page): Promise<void> => {
  try {
    await empty(page.context(), page);
    await browser.close();
    idle.set(key, [...(idle.get(key) ?? []), own]);
  } catch {
    // Its window was closed, or Chromium ended.
    await own.close();
  }
};

export const borrowBrowser = async (options: WindowOptions): Promise<Borrowed> => {
  const key = JSON.stringify(options);
  const own = idle.get(key)?.pop() ?? (await startChromium(false, options, oneProcess));
  const browser = await chromium.connectOverCDP(own.address);
  const [context] = browser.contexts();
  const [page] = context?.pages() ?? [];
  if (!context || !page) throw new Error('Chromium has no window');
  await page.setViewportSize(windowSize);
  // A closed window that is opened again.
  context.on('page', next => void next.setViewportSize(windowSize).catch(() => undefined));
  return { context, giveBack: () => giveBack(key, own, browser, page) };
};
