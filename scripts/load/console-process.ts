import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { profileDefaults, profileDraftSchema } from '../../shared/settings/profile.ts';
import { shopAccount, shopId as profileId } from '../../tools/app-harness/prepared-shop.ts';
import type { Payment } from '../../shared/payments/payment.ts';
import { bundleLikeMain } from '../../tools/build/bundle-like-main.ts';
import { root } from '../../tools/build/steps.ts';
import type { FromConsole, ToConsole } from './console-child.ts';
import type { RequestInput, RequestName, RequestOutput } from '../../shared/contract/contract.ts';
import type { Result } from '../../shared/errors.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';

/** The requests of a console. */
export type Requests = <N extends RequestName>(
  name: N,
  input: RequestInput<N>,
) => Promise<Result<RequestOutput<N>>>;

/** The value of a request; throws its error in English. */
export const valueOf = <T>(result: Result<T>): T => {
  if (result.ok) return result.value;
  throw new Error(inEnglish(result.error.message));
};

/** The merchant's profile for load; it sends no requests. */
const profile = {
  ...profileDefaults,
  successUrl: 'https://shop.test/thank-you?order={order}',
  cancelUrl: 'https://shop.test/cancelled?order={order}',
  name: 'Load',
  kind: 'test',
  baseUrl: 'https://pay.example.com',
  merchantKey: 'load-key',
} as const;

/**
 * Saves a merchant's profile, once for a console, and starts the receiver; returns the profile's id and its address.
 * `thisRunOnly`: the password is not stored in the keychain. `quarantine`: how many callbacks that do not verify it keeps.
 */
export const startListener = async (
  request: Requests,
  password: string,
  thisRunOnly: boolean,
  bounds: { quarantine?: number } = {},
): Promise<{ id: string; url: string }> => {
  const { settings, profiles } = valueOf(await request('app.read', {}));
  const known = profiles.find(({ name }) => name === profile.name)?.id ?? null;
  const { id } = valueOf(await request('profiles.save', { id: known, profile, password, thisRunOnly }));
  const { receiver } = valueOf(
    await request('settings.change', {
      activeProfileId: id,
      lookUpAutomatically: false,
      receiver: { ...settings.receiver, enabled: true, ...bounds },
    }),
  );
  return { id, url: receiver.addresses.find(({ profileId }) => profileId === id)?.url ?? '' };
};

/** A console in a separate process; see console-child.ts. */
export type ConsoleProcess = {
  child: ChildProcess;
  request: Requests;
  /** Peak memory of the process so far, bytes. */
  peakMemory(): Promise<number>;
  /** Whether operations are held after their event is durable. */
  hold(isHeld: boolean): void;
  /** Resolves when the next operation is recorded and not sent. */
  recorded(): Promise<void>;
  kill(): Promise<void>;
};

// Not in out/, which is packed.
const bundleFolder = join(root, 'node_modules', '.cache', 'counterfoil-load');

const bundleChild = async (): Promise<string> => {
  await bundleLikeMain(bundleFolder, [
    join(root, 'scripts', 'load', 'console-child.ts'),
    join(root, 'main', 'payment-log', 'sqlite', 'worker', 'worker.ts'),
    join(root, 'main', 'payment-log', 'list', 'list-worker.ts'),
    join(root, 'main', 'callbacks', 'file-worker.ts'),
  ]);
  return join(bundleFolder, 'console-child.js');
};

/** Bundled once per run. */
let bundle: Promise<string> | null = null;

const startProcess = async (folder: string): Promise<ConsoleProcess> => {
  const child = fork(await (bundle ??= bundleChild()), [folder], {
    // Megabytes: the console's own V8 compresses pointers, which halves the young generation compared with Node.
    execArgv: ['--max-semi-space-size=32'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const answers = new Map<number, (result: unknown) => void>();
  const ready = Promise.withResolvers<void>();
  const recorded: (() => void)[] = [];
  child.once('exit', code => ready.reject(new Error(`The console ended with ${String(code)}.`)));
  child.on('message', (message: FromConsole) => {
    if ('isReady' in message) ready.resolve();
    else if ('id' in message) {
      answers.get(message.id)?.(message.result);
      answers.delete(message.id);
    } else for (const resolve of recorded.splice(0)) resolve();
  });
  const say = (message: ToConsole): void => {
    // The process may have been killed meanwhile.
    child.send(message, () => undefined);
  };
  let requests = 0;
  const ask = (name: Extract<ToConsole, { id: number }>['name'], input: unknown): Promise<unknown> =>
    new Promise(resolve => {
      requests += 1;
      answers.set(requests, resolve);
      say({ id: requests, name, input });
    });
  await ready.promise;
  return {
    child,
    request: (name, input) => ask(name, input) as never,
    peakMemory: async () => Number(await ask('memory', null)),
    hold: isHeld => say({ hold: isHeld }),
    recorded: () =>
      new Promise(resolve => {
        recorded.push(resolve);
      }),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
};

/** A console that receives callbacks of a merchant's profile, and stores each. */
export type Receiving = ConsoleProcess & {
  url: string;
  /** Resolves when the console's list shows that many payments. */
  settle(payments: number): Promise<void>;
};

export const startReceiving = async (folder: string, password: string): Promise<Receiving> => {
  const console = await startProcess(folder);
  const { request } = console;
  const { url } = await startListener(request, password, true, { quarantine: 1_000_000 });
  const settle = async (payments: number): Promise<void> => {
    while (valueOf(await request('app.read', {})).log.payments < payments) await wait(20);
  };
  return { ...console, url, settle };
};

/** A console on a folder of `prepareShop`, which sends operations. */
export type Refunding = ConsoleProcess & {
  callbackUrl: string;
  /** The payment once it satisfies the condition; throws after a limit. */
  until(orderNumber: string, holds: (payment: Payment) => boolean): Promise<Payment>;
};

const untilMs = 30_000;

export const startRefunding = async (folder: string): Promise<Refunding> => {
  const console = await startProcess(folder);
  const { request } = console;
  const { profiles } = valueOf(await request('app.read', {}));
  // The password was kept for one run only.
  const profile = profileDraftSchema.parse(profiles.find(({ id }) => id === profileId));
  const password = shopAccount.merchantPassword;
  valueOf(await request('profiles.save', { id: profileId, profile, password, thisRunOnly: true }));
  const { receiver } = valueOf(await request('app.read', {}));
  return {
    ...console,
    callbackUrl: receiver.addresses.find(one => one.profileId === profileId)?.url ?? '',
    until: async (orderNumber, holds) => {
      for (const until = performance.now() + untilMs; ; await wait(20)) {
        const read = await request('payments.read', { profileId, orderNumber });
        if (read.ok && holds(read.value.payment)) return read.value.payment;
        if (performance.now() > until)
          throw new Error(`${orderNumber}: ${read.ok ? read.value.payment.state : read.error.code}`);
      }
    },
  };
};
