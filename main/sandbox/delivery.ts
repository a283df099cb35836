import { setMaxListeners } from 'node:events';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import type { SandboxFault } from '../../shared/contract/contract.ts';
import type { Callback } from './sandbox-payments.ts';
import type { SandboxDelivery } from './sandbox.ts';

export type DeliveryOptions = {
  /** Read at every attempt, so that a corrected address applies to pending callbacks (§6.2.5). */
  callbackUrl: () => string | null;
  faults: () => readonly SandboxFault[];
  /** The body to send; `tampered` requests an invalid signature. */
  body: (callback: Callback, tampered: boolean) => string;
  /** Delays before each further attempt, milliseconds, at most three (§6.2.2). */
  retryIntervals: readonly number[];
  lateMs: number;
  timeoutMs: number;
  clock: () => number;
  onDelivery: (delivery: SandboxDelivery) => void;
};

const historyLength = 20;

export const openDeliveries = (options: DeliveryOptions) => {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  // No keep-alive: a receiver that restarts must not look like a failed delivery.
  const agents = { http: new HttpAgent({ maxSockets: 32 }), https: new HttpsAgent({ maxSockets: 32 }) };
  const queues = new WeakMap<object, { tail: Promise<void>; held: Callback[] }>();
  const has = (fault: SandboxFault): boolean => options.faults().includes(fault);

  /** False if the sandbox closed meanwhile. */
  const pause = (ms: number): Promise<boolean> =>
    wait(ms, true, { signal: closing.signal, ref: false }).catch(() => false);

  /** Resolves to the HTTP status, or null after a timeout. */
  const post = (url: URL, body: string): Promise<number | null> =>
    new Promise(resolve => {
      const secure = url.protocol === 'https:';
      const request = (secure ? httpsRequest : httpRequest)(url, {
        method: 'POST',
        agent: secure ? agents.https : agents.http,
        signal: closing.signal,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'Counterfoil-Sandbox',
        },
      });
      request.once('socket', () => {
        const timer = setTimeout(() => request.destroy(), options.timeoutMs).unref();
        request.once('close', () => clearTimeout(timer));
      });
      request.once('response', answer => {
        answer.resume().on('error', () => undefined);
        resolve(answer.statusCode ?? null);
      });
      request.once('error', () => resolve(null));
      request.once('close', () => resolve(null));
      request.end(body);
    });

  /** One attempt; `left` = how many may follow. Resolves to whether it was confirmed: only by 200 (§6.2.1). */
  const attempt = async (callback: Callback, number: number, left: number): Promise<boolean> => {
    const url = options.callbackUrl();
    if (url === null || closing.signal.aborted) return false;
    const httpStatus = await post(new URL(url), options.body(callback, has('callback-wrong-signature')));
    if (closing.signal.aborted) return false;
    callback.deliveries.push({ at: options.clock(), httpStatus });
    if (callback.deliveries.length > historyLength) callback.deliveries.shift();
    const { orderNumber, type, status } = callback;
    const outcome = httpStatus === 200 ? 'confirmed' : left > 0 ? 'will-retry' : 'given-up';
    options.onDelivery({ orderNumber, type, status, attempt: number, httpStatus, outcome });
    return httpStatus === 200;
  };

  const intervals = options.retryIntervals.slice(0, 3);
  const retry = async (callback: Callback): Promise<void> => {
    for (const [index, interval] of intervals.entries()) {
      if (!(await pause(interval))) return;
      if (await attempt(callback, index + 2, intervals.length - index - 1)) return;
    }
  };

  const deliver = async (callback: Callback): Promise<void> => {
    if (has('callback-none') || options.callbackUrl() === null) return;
    if (has('callback-late') && !(await pause(options.lateMs))) return;
    if (!(await attempt(callback, 1, intervals.length))) void retry(callback);
    else if (has('callback-twice')) await attempt(callback, 1, 0);
  };

  const deliverAfter = async (earlier: Promise<void>, callback: Callback): Promise<void> => {
    await earlier;
    await deliver(callback);
  };

  return {
    /**
     * Sends a callback by the protocol of §6.2. Callbacks of the same `payment` have their first attempts in order;
     * retries are independent.
     */
    send: (payment: object, callback: Callback): void => {
      const queue = queues.get(payment) ?? { tail: Promise.resolve(), held: [] };
      queues.set(payment, queue);
      if (has('callback-out-of-order') && (callback.type === 'redirect' || callback.type === '3ds')) {
        queue.held.push(callback);
        return;
      }
      // Callbacks held back for being early follow their sale, the last one first.
      const due = callback.type === 'sale' ? [callback, ...queue.held.splice(0).reverse()] : [callback];
      for (const next of due) queue.tail = deliverAfter(queue.tail, next);
    },
    /** One attempt each, in order (§6.2.3); resolves to the number sent. */
    resend: async (callbacks: readonly Callback[]): Promise<number> => {
      if (options.callbackUrl() === null) return 0;
      for (const callback of callbacks) await attempt(callback, 1, 0);
      return callbacks.length;
    },
    close: (): void => {
      closing.abort();
      agents.http.destroy();
      agents.https.destroy();
    },
  };
};
