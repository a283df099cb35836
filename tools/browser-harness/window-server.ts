import type { ChildProcess } from 'node:child_process';
import type { BrowserContext, Page } from 'playwright-core';
import type { ApplicationCalls, HarnessCalls } from '../fake-electron/harness-host.ts';
import type { WindowOptions } from '../fake-electron/host.ts';
import { openPage, openPrintedPage, type PrintedPage, type StandInPage } from '../fake-electron/page.ts';
import { connectRelay } from '../fake-electron/relay.ts';
import { borrowBrowser, type Borrowed } from './shared-browser.ts';

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
