import type { ChildProcess } from 'node:child_process';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import type { ApplicationCalls, HarnessCalls } from '../fake-electron/harness-host.ts';
import { startChromium, windowSize, type Chromium, type WindowOptions } from '../fake-electron/host.ts';
import { openPage, openPrintedPage, type PrintedPage, type StandInPage } from '../fake-electron/page.ts';
import { connectRelay } from '../fake-electron/relay.ts';

/**
 * One Chromium for many applications, one after another: a start costs as much as many tests. Each application gets
 * the same window, empty, over a separate connection, with which its scripts and emulation end. A second application
 * at the same time gets another Chromium.
 */
type Borrowed = Awaited<ReturnType<typeof borrowBrowser>>;

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

const borrowBrowser = async (options: WindowOptions) => {
  const key = JSON.stringify(options);
  const own = idle.get(key)?.pop() ?? (await startChromium(false, options, oneProcess));
  const browser = await chromium.connectOverCDP(own.address);
  const [context] = browser.contexts();
  const [page] = context?.pages() ?? [];
  if (!context || !page) throw new Error('Chromium has no window');
  await page.setViewportSize(windowSize);
  // A closed window that is opened again.
  context.on('page', next => void next.setViewportSize(windowSize).catch(() => undefined));
  return {
    context,
    /** Empties the window for the next application. */
    giveBack: (): Promise<void> => giveBack(key, own, browser, page),
  };
};

/** Opens the windows of a started application in a borrowed browser. */
export const serveWindows = (
  application: ChildProcess,
): { firstWindow: () => Promise<Page>; close(): Promise<void> } => {
  const opened = Promise.withResolvers<BrowserContext>();
  // Read when the test asks for the window; an earlier failure must not become an unhandled rejection.
  opened.promise.catch(() => undefined);
  let borrowed: Promise<Borrowed> | null = null;
  const pages = new Map<number, StandInPage>();
  const printed = new Map<number, PrintedPage>();
  const borrow = (options: WindowOptions): Promise<Borrowed> => {
    borrowed ??= borrowBrowser(options);
    borrowed.then(({ context }) => opened.resolve(context), opened.reject);
    return borrowed;
  };
  const handlers: HarnessCalls = {
    openPage: async (id, options, preload) => {
      const { context } = await borrow(options);
      const page = await openPage(context, {
        preload,
        serve: (url, method) => call('serve', id, url, method),
        answer: (channel, values, isTop) => call('answer', id, channel, values, isTop),
        mayNavigate: (kind, url) => call('mayNavigate', id, kind, url),
        mayOpen: url => call('mayOpen', id, url),
        moved: url => void call('moved', id, url),
        closed: () => void call('closed', id),
      });
      pages.set(id, page);
    },
    goTo: async (id, url) => pages.get(id)?.goTo(url),
    reload: async id => pages.get(id)?.reload(),
    emit: (id, channel, values) => pages.get(id)?.emit(channel, values),
    clearHistory: id => pages.get(id)?.clearHistory(),
    close: async id => (pages.get(id) ?? printed.get(id))?.close(),
    openPrintedPage: async (id, options, url) => {
      const { context } = await borrow(options);
      const page = await openPrintedPage(context, (asked, method) => call('serve', id, asked, method), url);
      printed.set(id, page);
    },
    print: async (id, options) => (await printed.get(id)?.print(options))?.toString('base64') ?? '',
  };
  const call = connectRelay<ApplicationCalls>(
    {
      send: message => {
        // Fails once the application has ended, which its tests do on purpose.
        if (application.connected) application.send(message, () => undefined);
      },
      listen: listener => application.on('message', listener),
    },
    handlers,
  );
  application.once('exit', code =>
    opened.reject(new Error(`the application ended with ${code} before its window opened`)),
  );
  return {
    firstWindow: async () => {
      const context = await opened.promise;
      return context.pages()[0] ?? context.waitForEvent('page');
    },
    close: async () => {
      const used = borrowed;
      borrowed = null;
      await (await used?.catch(() => null))?.giveBack();
    },
  };
};
