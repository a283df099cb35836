import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPaymentLog } from '../../main/payment-log/sqlite/open-payment-log.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { signedCallbacks } from '../../scripts/load/callbacks.ts';
import { killUnderLoad, sendMalformed } from '../../scripts/load/faults.ts';
import { postCallbacks } from '../../scripts/load/post-callbacks.ts';
import { startReceiving, type Receiving } from '../../scripts/load/receiving.ts';

/**
 * The whole console in a separate process, under load and with faults; `npm run soak -- receiver` does the same for
 * longer.
 */

const password = 'correct horse';
/** Of the test's settings, recorded in the same log. */
const activities = 2;
let folder: string;
let receiving: Receiving | null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'counterfoil-load-'));
  receiving = null;
});
afterEach(async () => {
  await receiving?.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** Memory of the process, bytes; only Linux reports it. */
const memoryOf = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;

const send = async (url: string, bodies: readonly string[]): Promise<number[]> => {
  const statuses: number[] = [];
  let at = 0;
  await postCallbacks({
    url,
    connections: 16,
    next: () => bodies[at++] ?? null,
    onAnswer: ({ status }) => statuses.push(status),
  });
  return statuses;
};

test(
  'every callback answered 200 is in the payment log after the console was killed',
  { timeout: 60_000 },
  async () => {
    const { acknowledged } = await killUnderLoad(folder, password, signedCallbacks(password), 2);
    expect(acknowledged).toBeGreaterThan(0);
  },
);

test.skipIf(process.platform === 'win32')(
  'a console that is suspended during deliveries continues when it is resumed',
  { timeout: 60_000 },
  async () => {
    receiving = await startReceiving('app', folder, password);
    const { child } = receiving;
    const next = signedCallbacks(password);
    let left = 600;
    let answered = 0;
    const refused: number[] = [];
    const broken = await postCallbacks({
      url: receiving.url,
      connections: 16,
      next: () => (left-- > 0 ? next() : null),
      onAnswer: ({ status }) => {
        if (status !== 200) refused.push(status);
        answered += 1;
        if (answered !== 200) return;
        // A stopped process sees the same as in sleep, except for the network.
        child.kill('SIGSTOP');
        void wait(2_500).then(() => child.kill('SIGCONT'));
      },
    });
    expect({ broken, refused, answered }).toEqual({ broken: 0, refused: [], answered: 600 });
    await receiving.kill();
    const log = await openPaymentLog({ file: join(folder, 'payments.db'), writer: 'reader' });
    if (!log.ok) throw new Error(inEnglish(log.error.message));
    expect(await log.value.verify()).toMatchObject({ events: 600 + activities, payments: 600, problems: [] });
    await log.value.close();
  },
);

test('a thousand deliveries of one callback are one callback', { timeout: 60_000 }, async () => {
  receiving = await startReceiving('app', folder, password);
  const body = signedCallbacks(password)();
  const statuses = await send(
    receiving.url,
    Array.from({ length: 1_000 }, () => body),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  await receiving.kill();
  const log = await openPaymentLog({ file: join(folder, 'payments.db'), writer: 'reader' });
  if (!log.ok) throw new Error(inEnglish(log.error.message));
  const profile = (await log.value.ordersOf('6f1d2c3b-0000-4000-8000-000000000001'))[0]?.profileId ?? '';
  const payment = await log.value.payment(profile, 'LOAD-1');
  // After five hundred, deliveries contain nothing new and are not stored.
  expect(payment).toMatchObject({ state: 'paid-unconfirmed', events: 500 });
  expect(await log.value.verify()).toMatchObject({ events: 500 + activities, payments: 1, problems: [] });
  expect(payment?.flags.map(({ kind }) => kind)).toContain('duplicate-delivery');
  await log.value.close();
});

test.skipIf(process.platform !== 'linux')(
  'after thousands of invalid requests the receiver still answers, and uses no more memory',
  { timeout: 120_000 },
  async () => {
    receiving = await startReceiving('app', folder, password);
    const next = signedCallbacks(password);
    await sendMalformed(receiving.url, 1_000);
    const before = memoryOf(receiving.child.pid);
    await sendMalformed(receiving.url, 4_000);
    const grown = memoryOf(receiving.child.pid) - before;
    expect(grown).toBeLessThan(60 * 1024 * 1024);
    expect(await send(receiving.url, [next()])).toEqual([200]);
  },
);
