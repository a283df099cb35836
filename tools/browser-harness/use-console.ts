import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import type { EventDraft } from '../../shared/payments/evidence.ts';
import { drivers, type DriverName } from './harness.ts';
import { startApp, type StartedApp } from './open-app.ts';

/** Tests of the window, once for each driver of this machine. Without one they are skipped. */
export const onEachDriver = (title: string, tests: (driver: DriverName) => void): void => {
  const available = drivers.filter(one => one.available);
  for (const { name } of available.length > 0 ? available : drivers.slice(-1))
    describe.skipIf(available.length === 0)(`on ${name}`, () => {
      describe(title, () => tests(name));
    });
};

/** What `now` returns, read again with every use. */
const live = <T extends object>(now: () => T): T =>
  new Proxy({} as T, {
    get: (_, name) => {
      const value: unknown = Reflect.get(now(), name);
      return typeof value === 'function' ? value.bind(now()) : value;
    },
    getPrototypeOf: () => Reflect.getPrototypeOf(now()),
  });

/**
 * Starts a console before the tests of a block and closes it after them; `ready` runs when its first screen is shown.
 * Returns what runs now, also after it was started again.
 */
export const useConsole = (options: Parameters<typeof startApp>[0], ready?: () => unknown): StartedApp => {
  let running: StartedApp | undefined;
  const now = (): StartedApp => {
    if (running === undefined) throw new Error('The console has not been started.');
    return running;
  };
  beforeAll(async () => {
    running = await startApp(options);
    await ready?.();
  });
  afterAll(() => running?.close());
  return {
    app: live(() => now().app),
    page: live(() => now().page),
    get userData() {
      return now().userData;
    },
    restart: change => now().restart(change),
    close: () => now().close(),
  };
};

/** Writes events into the log of a console that is not running, each list at once. */
export const withEvents =
  (...appends: (readonly EventDraft[])[]) =>
  async (userData: string): Promise<void> => {
    const log = await openPaymentLog({ file: join(userData, 'payments.db'), writer: 'yesterday' });
    if (!log.ok) throw new Error(log.error.code);
    for (const drafts of appends) await log.value.append(drafts);
    await log.value.close();
  };
