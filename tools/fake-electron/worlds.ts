/**
 * The scripts that replace Electron's isolated world: one in the page's own world, one around the preload. They
 * communicate over a channel with a name that no page script can know; values cross as JSON copies, functions as
 * numbers.
 *
 * Each function here is sent to the page as its source text.
 */

type Packed = { value?: unknown; fn?: number };
type Message = {
  kind: 'expose' | 'call' | 'returned' | 'settled' | 'invoke';
  id?: number;
  name?: string;
  path?: string[];
  fn?: number;
  args?: Packed[];
  result?: Packed;
  promise?: boolean;
  error?: string;
};

/** Runs in the page's world before any of its scripts: creates the objects that contextBridge exposes. */
const pageWorld = (channel: string): void => {
  const own = new Map<number, (...args: unknown[]) => unknown>();
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let last = 0;
  let returned: Message | null = null;

  const send = (message: Message): void => {
    document.dispatchEvent(new CustomEvent(`${channel}-in`, { detail: JSON.stringify(message) }));
  };
  const pack = (value: unknown): Packed => {
    if (typeof value !== 'function') return { value };
    last += 1;
    own.set(last, value as (...args: unknown[]) => unknown);
    return { fn: last };
  };
  const unpack = (packed: Packed | undefined): unknown =>
    packed?.fn === undefined
      ? packed?.value
      : Object.freeze((...args: unknown[]) => call({ fn: packed.fn ?? 0 }, args));
  const call = (target: Pick<Message, 'name' | 'path' | 'fn'>, args: unknown[]): unknown => {
    last += 1;
    const id = last;
    returned = null;
    send({ kind: 'call', id, ...target, args: args.map(pack) });
    const answer = returned as Message | null;
    if (answer?.error !== undefined) throw new Error(answer.error);
    if (!answer?.promise) return unpack(answer?.result);
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  };

  document.addEventListener(`${channel}-out`, event => {
    const message = JSON.parse((event as CustomEvent<string>).detail) as Message;
    if (message.kind === 'expose') {
      const api: Record<string, unknown> = {};
      for (const path of message.path ?? [])
        api[path] = Object.freeze((...args: unknown[]) =>
          call({ name: message.name ?? '', path: [path] }, args),
        );
      Object.defineProperty(window, message.name ?? '', { value: Object.freeze(api), enumerable: true });
    } else if (message.kind === 'returned') returned = message;
    else if (message.kind === 'settled') {
      const { resolve, reject } = waiting.get(message.id ?? 0) ?? {};
      waiting.delete(message.id ?? 0);
      if (message.error === undefined) resolve?.(unpack(message.result));
      else reject?.(new Error(message.error));
    } else if (message.kind === 'invoke') own.get(message.fn ?? 0)?.(...(message.args ?? []).map(unpack));
  });
};

/** Runs in the isolated world of the top frame: gives the preload its `electron`. */
const preloadWorld = (channel: string, binding: string): ((name: string) => unknown) => {
  const apis = new Map<string, Record<string, (...args: unknown[]) => unknown>>();
  const own = new Map<number, (...args: unknown[]) => unknown>();
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  const listeners = new Map<string, Set<(...args: unknown[]) => void>>();
  const scope = globalThis as unknown as Record<string, unknown>;
  let last = 0;

  const send = (message: Message): void => {
    document.dispatchEvent(new CustomEvent(`${channel}-out`, { detail: JSON.stringify(message) }));
  };
  const pack = (value: unknown): Packed => {
    if (typeof value !== 'function') return { value };
    last += 1;
    own.set(last, value as (...args: unknown[]) => unknown);
    return { fn: last };
  };
  const unpack = (packed: Packed): unknown =>
    packed.fn === undefined
      ? packed.value
      : (...args: unknown[]) => send({ kind: 'invoke', fn: packed.fn ?? 0, args: args.map(pack) });
  const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));

  document.addEventListener(`${channel}-in`, event => {
    const {
      id = 0,
      name = '',
      path = [],
      fn,
      args = [],
    } = JSON.parse((event as CustomEvent<string>).detail) as Message;
    const target = fn === undefined ? apis.get(name)?.[path[0] ?? ''] : own.get(fn);
    try {
      const result = target?.(...args.map(unpack));
      if (!(result instanceof Promise)) return send({ kind: 'returned', id, result: pack(result) });
      send({ kind: 'returned', id, promise: true });
      result.then(
        value => send({ kind: 'settled', id, result: pack(value) }),
        (error: unknown) => send({ kind: 'settled', id, error: words(error) }),
      );
    } catch (error) {
      send({ kind: 'returned', id, error: words(error) });
    }
  });

  // Called by the fake Electron, which is the only one to reach this world.
  scope['standInAnswer'] = (id: number, value: unknown, error: string | null) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error === null) resolve?.(value);
    else reject?.(new Error(error));
  };
  scope['standInEmit'] = (name: string, args: unknown[]) => {
    for (const listener of listeners.get(name) ?? []) listener({}, ...args);
  };

  const electron = {
    contextBridge: {
      exposeInMainWorld: (name: string, api: Record<string, (...args: unknown[]) => unknown>) => {
        apis.set(name, api);
        send({ kind: 'expose', name, path: Object.keys(api) });
      },
    },
    ipcRenderer: {
      invoke: (name: string, ...args: unknown[]) =>
        new Promise((resolve, reject) => {
          last += 1;
          waiting.set(last, { resolve, reject });
          (scope[binding] as (text: string) => void)(JSON.stringify({ id: last, name, args }));
        }),
      on: (name: string, listener: (...args: unknown[]) => void) => {
        const known = listeners.get(name) ?? new Set();
        listeners.set(name, known.add(listener));
      },
      removeListener: (name: string, listener: (...args: unknown[]) => void) =>
        listeners.get(name)?.delete(listener),
    },
  };
  return (name: string) => {
    if (name === 'electron') return electron;
    throw new Error(`module not found: ${name}`);
  };
};

/** The script for the page's own world. */
export const pageScript = (channel: string): string =>
  `(${pageWorld.toString()})(${JSON.stringify(channel)})`;

/** The script for the isolated world: Electron runs a preload only in the top frame. */
export const preloadScript = (channel: string, binding: string, preload: string): string => `
if (window === window.top) {
  const require = (${preloadWorld.toString()})(${JSON.stringify(channel)}, ${JSON.stringify(binding)});
  const module = { exports: {} };
  ((require, module, exports) => {
${preload}
  })(require, module, module.exports);
}`;
