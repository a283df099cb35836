import type * as Electron from 'electron';
import type { Serve } from './page.ts';

type Members<T> = Partial<Record<keyof T, unknown>>;
type Handler = (request: Request) => Response | Promise<Response>;
type Permits = (contents: unknown, permission: string, originOrAnswer: unknown) => unknown;
type Proxy = { mode?: string; proxyRules?: string; proxyBypassRules?: string };

/** One session: its schemes, its permissions, its proxy. Chromium itself has one profile; see host.ts. */
const makeSession = () => {
  const handlers = new Map<string, Handler>();
  const made = {
    handlers,
    permissions: { request: null as Permits | null, check: null as Permits | null },
    proxy: null as Proxy | null,
    protocol: {
      handle: (scheme: string, handler: Handler) => {
        handlers.set(scheme, handler);
      },
    },
    setPermissionRequestHandler: (handler: Permits | null) => {
      made.permissions.request = handler;
    },
    setPermissionCheckHandler: (handler: Permits | null) => {
      made.permissions.check = handler;
    },
    setProxy: (proxy: Proxy): Promise<void> => {
      made.proxy = proxy;
      return Promise.resolve();
    },
    resolveProxy: () => Promise.resolve('DIRECT'),
  };
  return made;
};
export type StandInSession = ReturnType<typeof makeSession>;

export const defaultSession = makeSession() satisfies Members<Electron.Session>;

/** Answers by the handlers of a session. */
export const serveFrom =
  ({ handlers }: StandInSession): Serve =>
  async (url, method) => {
    const handler = handlers.get(url.split(':', 1)[0] ?? '');
    if (!handler) return null;
    const response = await handler(new Request(url, { method }));
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()).toString('base64'),
    };
  };

const partitions = new Map<string, StandInSession>();
/** The same session for the same name, like Electron's; sessions are isolated. */
const fromPartition = (name: string): StandInSession => {
  const own = partitions.get(name) ?? makeSession();
  partitions.set(name, own);
  return own;
};

export const session = { defaultSession, fromPartition } satisfies Members<typeof Electron.session>;
