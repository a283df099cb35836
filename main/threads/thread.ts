import { parentPort, Worker, type WorkerOptions } from 'node:worker_threads';
import { reportFailure } from '../app-log/failure-report.ts';

/** Calls between the main thread and a worker thread, in both directions; each is answered. */

type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;

/** Calls a function of the other thread. Rejects with what it threw, or with `ThreadEnded`. */
type Call<F extends Functions> = <N extends keyof F & string>(
  name: N,
  ...args: Parameters<F[N]>
) => Promise<Awaited<ReturnType<F[N]>>>;

type Message =
  | { id: number; name: string; args: readonly unknown[] }
  | { id: number; value: unknown }
  | { id: number; thrown: unknown };

type Port = {
  postMessage(message: Message): void;
  on(event: 'message', listener: (message: Message) => void): unknown;
};

/** The thread ended before it answered. `cause`: what it threw; undefined if it was closed. */
export class ThreadEnded extends Error {}

/** The reference of the record of a failed call; none if the thread was closed. `message`: a sentence of ours. */
export const failureDetails = (thrown: unknown, message: string): { details?: { reference: string } } => {
  const cause = thrown instanceof ThreadEnded ? thrown.cause : thrown;
  return cause === undefined ? {} : { details: { reference: reportFailure('request', message, cause) } };
};

/** Connects both sides of a port: `own` are the functions that the other side calls. */
const connect = <F extends Functions>(port: Port, ownWith: (call: Call<F>) => Functions) => {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (thrown: unknown) => void }>();
  let next = 0;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const post = (message: Message): void => port.postMessage(message);
  const call: Call<F> = (name, ...args) =>
    new Promise((resolve, reject) => {
      next += 1;
      waiting.set(next, { resolve, reject });
      post({ id: next, name, args });
    });
  const own = ownWith(call) as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
  const answer = async (id: number, name: string, args: readonly unknown[]): Promise<void> => {
    try {
      post({ id, value: await own[name]?.(...args) });
    } catch (thrown) {
      post({ id, thrown });
    }
  };
  port.on('message', message => {
    if ('name' in message) return void answer(message.id, message.name, message.args);
    const pending = waiting.get(message.id);
    waiting.delete(message.id);
    if ('thrown' in message) pending?.reject(message.thrown);
    else pending?.resolve(message.value as never);
  });
  return {
    call,
    end: (reason: ThreadEnded): void => {
      for (const { reject } of waiting.values()) reject(reason);
      waiting.clear();
    },
  };
};

/** A worker thread whose functions are `F`. */
export type Thread<F extends Functions> = {
  call: Call<F>;
  isEnded(): boolean;
  /** Ends the thread at once; what it was doing leaves nothing. */
  close(): Promise<void>;
};

/**
 * Starts the worker `name`, a file of the bundle, beside the module `beside` (`import.meta.url`); in tests its source.
 * `own`: what it may call here. `onEnd` is called if it ends without `close`, with what it threw.
 */
export const startThread = <F extends Functions>(
  name: string,
  beside: string,
  options: Pick<WorkerOptions, 'resourceLimits'>,
  { own = {}, onEnd }: { own?: Functions; onEnd?: (thrown: unknown) => void } = {},
): Thread<F> => {
  const file = beside.endsWith('.ts') ? name.replace(/js$/, 'ts') : name;
  const worker = new Worker(new URL(file, beside), { ...options, name, execArgv: [] });
  const { call, end } = connect<F>(worker, () => own);
  let isEnded = false;
  const ended = (thrown: unknown, isClosed = false): void => {
    if (isEnded) return;
    isEnded = true;
    end(new ThreadEnded('The thread has ended.', { cause: thrown }));
    if (!isClosed) onEnd?.(thrown);
  };
  worker.on('messageerror', ended);
  worker.on('error', ended);
  worker.on('exit', () => ended(undefined));
  return {
    call: (...given) => (isEnded ? Promise.reject(new ThreadEnded('The thread has ended.')) : call(...given)),
    isEnded: () => isEnded,
    close: async () => {
      ended(undefined, true);
      await worker.terminate();
    },
  };
};

/** In a worker: answers calls with the functions that `functions` makes; they may call those of the main thread. */
export const serveCalls = <Main extends Functions>(functions: (callMain: Call<Main>) => Functions): void => {
  if (parentPort) connect<Main>(parentPort, functions);
};
