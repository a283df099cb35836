import type { Host, WindowOptions } from './host.ts';
import type { PageOptions, PrintOptions, Serve } from './page.ts';
import { connectRelay } from './relay.ts';

/** The windows of an application whose harness has the browser: every call crosses to the harness and back. */

/** What the application asks of the harness; pages have numbers. */
export type HarnessCalls = {
  openPage(page: number, options: WindowOptions, preload: string): Promise<void>;
  goTo(page: number, url: string): Promise<void>;
  reload(page: number): Promise<void>;
  emit(page: number, channel: string, values: unknown[]): void;
  clearHistory(page: number): void;
  close(page: number): Promise<void>;
  openPrintedPage(page: number, options: WindowOptions, url: string): Promise<void>;
  /** Resolves to the file in Base64. */
  print(page: number, options: PrintOptions): Promise<string>;
};

/** What the harness asks of the application. */
export type ApplicationCalls = {
  [N in Exclude<keyof PageOptions, 'preload'>]: (
    page: number,
    ...args: Parameters<PageOptions[N]>
  ) => ReturnType<PageOptions[N]>;
};

export const openHarnessHost = (options: WindowOptions): Host => {
  const pages = new Map<number, PageOptions>();
  const printed = new Map<number, Serve>();
  let last = 0;
  const of = (page: number): PageOptions => {
    const found = pages.get(page);
    if (!found) throw new Error('the page is closed');
    return found;
  };
  const handlers: ApplicationCalls = {
    serve: (page, url, method) => (printed.get(page) ?? of(page).serve)(url, method),
    answer: (page, ...call) => of(page).answer(...call),
    mayNavigate: (page, ...navigation) => of(page).mayNavigate(...navigation),
    mayOpen: (page, url) => of(page).mayOpen(url),
    moved: (page, url) => of(page).moved(url),
    closed: page => {
      const { closed } = of(page);
      pages.delete(page);
      closed();
    },
  };
  const call = connectRelay<HarnessCalls>(
    {
      send: message => process.send?.(message),
      listen: listener => process.on('message', listener),
    },
    handlers,
  );
  // The harness has ended, and the window with it.
  process.once('disconnect', () => process.exit(1));
  return {
    openPage: async page => {
      last += 1;
      const id = last;
      pages.set(id, page);
      await call('openPage', id, options, page.preload);
      return {
        goTo: url => call('goTo', id, url),
        reload: () => call('reload', id),
        emit: (channel, values) => void call('emit', id, channel, values),
        clearHistory: () => void call('clearHistory', id),
        isClosed: () => !pages.has(id),
        close: () => call('close', id),
      };
    },
    openPrintedPage: async (serve, url) => {
      last += 1;
      const id = last;
      printed.set(id, serve);
      await call('openPrintedPage', id, options, url);
      return {
        print: async asked => Buffer.from(await call('print', id, asked), 'base64'),
        close: () => call('close', id),
      };
    },
    close: () => Promise.resolve(),
  };
};
