import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import type { EventDraft } from '../../shared/payments/evidence.ts';
import { drivers, type DriverName } from './harness.ts';
import { startApp, type StartedApp } from './open-app.ts';
import { openPayer, type Payer } from './payer.ts';

/** Tests of the window, once for each driver of this machine. Without one they are skipped. */
export const onEachDriver = (title: string, tests: (driver: DriverName) => void): void => {
  const available = drivers.filter(one => one.available);
  for (const { name } of available.length > 0 ? available : drivers.slice(-1))
    describe.skipIf(available.length === 0)(`on ${name}`, () => {
      describe(title, () => tests(name));
    });
};

/** A console for the tests of a block, closed after them. Its values change when it is started again. */
export type UsedConsole = StartedApp & { payer: Payer };

/** Starts a console before the tests of a block, with a customer who pays; `ready` runs when its first screen is shown. */
export const useConsole = (
  options: Parameters<typeof startApp>[0],
  ready?: (console: UsedConsole) => unknown,
): void => {
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const payer = await openPayer({ browser: 'shared' });
    ends.push(() => payer.close());
    const started = await startApp(options);
    ends.push(() => started.close());
    await ready?.(Object.assign(started, { payer }));
  });
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });
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
