import { randomUUID } from 'node:crypto';
import type { BrowserContext, CDPSession, Page, Request as PlaywrightRequest, Route } from 'playwright-core';
import { pageScript, preloadScript } from './worlds.ts';

/** One window's page: the application answers its own scheme, and its preload has an isolated world. */
export type StandInPage = Awaited<ReturnType<typeof openPage>>;

/** The response for an address of the application's own scheme; the body in Base64. */
export type Served = { status: number; headers: Record<string, string>; body: string };

/** Null: the session has no handler for the scheme. */
export type Serve = (url: string, method: string) => Promise<Served | null>;

export type PageOptions = {
  serve: Serve;
  preload: string;
  answer: (channel: string, values: unknown[], isTop: boolean) => Promise<unknown>;
  mayNavigate: (kind: 'will-navigate' | 'will-frame-navigate', url: string) => Promise<boolean>;
  mayOpen: (url: string) => Promise<boolean>;
  moved: (url: string) => void;
  closed: () => void;
};

const suffix = '.stand-in.invalid';

/** `app://counterfoil/x` is `https://counterfoil.app.stand-in.invalid/x` in Chromium, and back. */
const toWeb = (url: string): string =>
  url.replace(/^([a-z]+):\/\/([^/]+)/, (_, scheme, host) => `https://${host}.${scheme}${suffix}`);
const fromWeb = (url: string): string =>
  url.replace(/^https:\/\/(.+)\.([a-z]+)\.stand-in\.invalid/, (_, host, scheme) => `${scheme}://${host}`);

/** Whether a navigation is the top page's; null for a window that is only being opened. */
const isTopNavigation = (request: PlaywrightRequest): boolean | null => {
  try {
    return request.frame().parentFrame() === null;
  } catch {
    return null;
  }
};

/** Fulfils a request of the application's own scheme; false for other requests, and without a handler. */
const fulfil = async (route: Route, serve: Serve): Promise<boolean> => {
  const request = route.request();
  if (!new URL(request.url()).host.endsWith(suffix)) return false;
  const served = await serve(fromWeb(request.url()), request.method());
  if (!served) return false;
  const { status, headers, body } = served;
  await route.fulfill({ status, headers, body: Buffer.from(body, 'base64') });
  return true;
};

const handle = async (route: Route, options: PageOptions): Promise<void> => {
  if (await fulfil(route, options.serve)) return;
  const request = route.request();
  if (!request.isNavigationRequest()) return route.abort('blockedbyclient');
  const url = fromWeb(request.url());
  const top = isTopNavigation(request);
  const may = await (top === null
    ? options.mayOpen(url)
    : options.mayNavigate(top ? 'will-navigate' : 'will-frame-navigate', url));
  return may ? route.continue() : route.abort('aborted');
};

/** Answers the preload's calls and reaches its world from outside. */
const connectWorlds = async (
  cdp: CDPSession,
  options: PageOptions,
): Promise<(expression: string) => void> => {
  const world = `preload ${randomUUID()}`;
  const channel = `stand-in ${randomUUID()}`;
  const binding = 'standInCall';
  let context: number | null = null;
  const { frameTree } = await cdp.send('Page.getFrameTree');
  const top = frameTree.frame.id;
  const frames = new Map<number, string>();

  cdp.on('Runtime.executionContextCreated', ({ context: { id, name, auxData } }) => {
    if (name !== world) return;
    const frame = (auxData as { frameId?: string } | undefined)?.frameId ?? '';
    frames.set(id, frame);
    if (frame === top) context = id;
  });
  cdp.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
    frames.delete(executionContextId);
    if (context === executionContextId) context = null;
  });
  const tell = (contextId: number, expression: string): void => {
    // A closed page needs no answer.
    cdp.send('Runtime.evaluate', { contextId, expression }).catch(() => undefined);
  };
  cdp.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
    if (name !== binding) return;
    const { id, name: called, args } = JSON.parse(payload) as { id: number; name: string; args: unknown[] };
    const isTop = frames.get(executionContextId) === top;
    const reply = (value: unknown, error: string | null): void =>
      tell(
        executionContextId,
        `standInAnswer(${id}, ${JSON.stringify(value) ?? 'undefined'}, ${JSON.stringify(error)})`,
      );
    options.answer(called, args, isTop).then(
      value => reply(value, null),
      (error: unknown) => reply(undefined, `Error invoking remote method '${called}': ${String(error)}`),
    );
  });
  await cdp.send('Runtime.enable');
  await cdp.send('Page.enable');
  await cdp.send('Runtime.addBinding', { name: binding, executionContextName: world });
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: pageScript(channel) });
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
    source: preloadScript(channel, binding, options.preload),
    worldName: world,
  });
  return expression => {
    if (context !== null) tell(context, expression);
  };
};

/** A hidden window's page: it is only printed, and its session serves it. */
export type PrintedPage = Awaited<ReturnType<typeof openPrintedPage>>;

export type PrintOptions = {
  preferCSSPageSize?: boolean;
  printBackground?: boolean;
  generateTaggedPDF?: boolean;
};

export const openPrintedPage = async (context: BrowserContext, serve: Serve, url: string) => {
  const page = await context.newPage();
  await page.route('**/*', async route => {
    if (!(await fulfil(route, serve))) await route.abort('blockedbyclient');
  });
  await page.goto(toWeb(url));
  const cdp = await context.newCDPSession(page);
  return {
    print: async (options: PrintOptions): Promise<Buffer> =>
      Buffer.from((await cdp.send('Page.printToPDF', options)).data, 'base64'),
    close: (): Promise<void> => page.close(),
  };
};

/** Opens one window's page in the host. */
export const openPage = async (context: BrowserContext, options: PageOptions) => {
  const page: Page = context.pages()[0] ?? (await context.newPage());
  const cdp = await context.newCDPSession(page);
  const evaluate = await connectWorlds(cdp, options);
  await context.route('**/*', route => handle(route, options));
  page.on('framenavigated', frame => {
    if (frame === page.mainFrame()) options.moved(fromWeb(frame.url()));
  });
  page.on('popup', popup => {
    void options.mayOpen(popup.url()).then(may => (may ? undefined : popup.close()));
  });
  page.on('close', options.closed);
  return {
    goTo: async (url: string): Promise<void> => {
      await page.goto(toWeb(url), { waitUntil: 'domcontentloaded' });
    },
    reload: async (): Promise<void> => {
      await page.reload({ waitUntil: 'domcontentloaded' });
    },
    emit: (channel: string, values: unknown[]): void =>
      evaluate(`standInEmit(${JSON.stringify(channel)}, ${JSON.stringify(values)})`),
    /** Clears the history before this page. */
    clearHistory: (): void => {
      cdp.send('Page.resetNavigationHistory').catch(() => undefined);
    },
    isClosed: (): boolean => page.isClosed(),
    close: (): Promise<void> => page.close(),
  };
};
