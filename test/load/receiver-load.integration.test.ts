import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { placeInWords } from '../../shared/messages/problem-place.ts';
import { signedCallbacks } from '../../scripts/load/callbacks.ts';
import { startReceiving, type Receiving } from '../../scripts/load/console-process.ts';
import { postCallbacks } from '../../scripts/load/post-callbacks.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';

/** The whole console in a separate process, under load and with faults. */

const password = 'correct horse';
/** Of the test's settings, recorded in the same log. */
const activities = 2;
let folder: string;
let receiving: Receiving | null;
beforeEach(() => {
  folder = newFolder('load');
  receiving = null;
});
afterEach(async () => {
  await receiving?.kill();
});

/** Whether a process is suspended. */
const isStopped = (pid: number | undefined): boolean =>
  /^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

/** The profile that `startReceiving` created in this folder. */
const loadProfile = (folder: string): string => {
  const { profiles } = JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')) as {
    profiles: { id: string; name: string }[];
  };
  return profiles.find(({ name }) => name === 'Load')?.id ?? '';
};

const orderOf = (body: string): string => new URLSearchParams(body).get('order_number') ?? '';

/**
 * Kills the console under load on one log, after a number of answers, and searches for every callback that was answered 200.
 * `next`: bodies to send. Throws if one is missing or duplicated, or the log does not verify.
 */
const killUnderLoad = async (
  folder: string,
  password: string,
  next: () => string,
  killedAfter: readonly number[],
): Promise<{ acknowledged: number }> => {
  let acknowledged = 0;
  for (const answers of killedAfter) {
    const receiving = await startReceiving(folder, password);
    const stored: string[] = [];
    const answered = Promise.withResolvers<void>();
    const sending = postCallbacks({
      url: receiving.url,
      connections: 16,
      next,
      onAnswer: ({ body, status }) => {
        if (status === 200) stored.push(orderOf(body));
        if (stored.length >= answers) answered.resolve();
      },
    });
    await Promise.race([answered.promise, sending]);
    await receiving.kill();
    await sending;
    const log = await openPaymentLog({ file: join(folder, 'payments.db'), writer: 'auditor' });
    if (!log.ok) throw new Error(inEnglish(log.error.message));
    const profile = loadProfile(folder);
    for (const order of stored) {
      const events = await log.value.events(profile, order);
      if (events.length === 0) throw new Error(`${order} was answered 200 and is not in the log`);
      if (events.length > 1)
        throw new Error(`${order} was sent once and is ${events.length} times in the log`);
    }
    const { problems } = await log.value.verify();
    if (problems[0])
      throw new Error(`${inEnglish(placeInWords(problems[0].at))}: ${inEnglish(problems[0].message)}`);
    await log.value.close();
    acknowledged += stored.length;
  }
  return { acknowledged };
};

test(
  'every callback answered 200 is in the payment log after the console was killed',
  { timeout: 60_000 },
  async () => {
    const { acknowledged } = await killUnderLoad(folder, password, signedCallbacks(password), [1, 150]);
    expect(acknowledged).toBeGreaterThan(0);
  },
);

test.skipIf(process.platform === 'win32')(
  'a console that is suspended during deliveries continues when it is resumed',
  { timeout: 60_000 },
  async () => {
    receiving = await startReceiving(folder, password);
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
        while (!isStopped(child.pid)) continue;
        child.kill('SIGCONT');
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
