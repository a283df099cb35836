import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { RequestInput, RequestName, RequestOutput } from '../../../shared/contract/contract.ts';
import type { Result } from '../../../shared/errors.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { shopId as profileId } from '../../../tools/app-harness/prepared-shop.ts';
import { bundleLikeMain } from '../../../tools/build/bundle-like-main.ts';
import { root } from '../../../tools/build/steps.ts';
import type { FromRefunding, ToRefunding } from './refunding-child.ts';

/** A console in a separate process, on a folder of `prepareShop`; see refunding-child.ts. */
export type Refunding = {
  callbackUrl: string;
  request<N extends RequestName>(name: N, input: RequestInput<N>): Promise<Result<RequestOutput<N>>>;
  /** The payment once it satisfies the condition; throws after a limit. */
  until(orderNumber: string, holds: (payment: Payment) => boolean): Promise<Payment>;
  /** How long a recorded request waits before it is sent, milliseconds; null: for ever. */
  pause(pauseMs: number | null): void;
  /** Resolves when the next operation is recorded and not sent. */
  recorded(): Promise<void>;
  kill(): Promise<void>;
};

// Not in out/, which is packed.
const bundleFolder = join(root, 'node_modules', '.cache', 'counterfoil-refunds');

const bundleChild = async (): Promise<string> => {
  await bundleLikeMain(bundleFolder, [
    join(root, 'scripts', 'load', 'refunds', 'refunding-child.ts'),
    join(root, 'main', 'payment-log', 'sqlite', 'worker', 'worker.ts'),
    join(root, 'main', 'payment-log', 'replica', 'replica-worker.ts'),
    join(root, 'main', 'callbacks', 'file-worker.ts'),
  ]);
  return join(bundleFolder, 'refunding-child.js');
};

/** Bundled once per run. */
let bundle: Promise<string> | null = null;

const untilMs = 30_000;

export const startRefunding = async (folder: string): Promise<Refunding> => {
  const child = fork(await (bundle ??= bundleChild()), [folder], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const answers = new Map<number, (result: unknown) => void>();
  const ready = Promise.withResolvers<string>();
  let recorded: (() => void)[] = [];
  child.once('exit', code => ready.reject(new Error(`The console ended with ${String(code)}.`)));
  child.on('message', (message: FromRefunding) => {
    if ('ready' in message) ready.resolve(message.ready.callbackUrl);
    else if ('id' in message) {
      answers.get(message.id)?.(message.result);
      answers.delete(message.id);
    } else for (const resolve of recorded.splice(0)) resolve();
  });
  const say = (message: ToRefunding): void => {
    // The process may have been killed meanwhile.
    child.send(message, () => undefined);
  };
  let requests = 0;
  const request: Refunding['request'] = (name, input) =>
    new Promise(resolve => {
      requests += 1;
      answers.set(requests, result => resolve(result as Awaited<ReturnType<Refunding['request']>> as never));
      say({ id: requests, name, input });
    });
  return {
    callbackUrl: await ready.promise,
    request,
    until: async (orderNumber, holds) => {
      for (const until = performance.now() + untilMs; ; await wait(20)) {
        const read = await request('payments.read', { profileId, orderNumber });
        if (read.ok && holds(read.value.payment)) return read.value.payment;
        if (performance.now() > until)
          throw new Error(`${orderNumber}: ${read.ok ? read.value.payment.state : read.error.code}`);
      }
    },
    pause: pauseMs => say({ pauseMs }),
    recorded: () =>
      new Promise(resolve => {
        recorded = [...recorded, resolve];
      }),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
};
