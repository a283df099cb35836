import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { placeInWords } from '../../shared/messages/problem-place.ts';
import { signedCallbacks } from '../../scripts/load/callbacks.ts';
import { startReceiving, type Receiving } from '../../scripts/load/console-process.ts';
import { postCallbacks } from '../../scripts/load/post-callbacks.ts';

/** The whole console in a separate process, under load and with faults. */

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

/** Malformed requests: broken heads, wrong lengths, bytes. */
const malformed: readonly ((path: string) => Buffer)[] = [
  path => Buffer.from(`POST ${path} HTTP/1.1\r\n\r\n`),
  path => Buffer.from(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: nine\r\n\r\n`),
  path => Buffer.from(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nid=1&order_number=2`),
  path => Buffer.from(`POST ${path} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`),
  path => Buffer.from(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`),
  path => Buffer.from(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{"a":"b"\u0000`),
  () => Buffer.concat([Buffer.from('POST / HTTP/1.1\r\n'), randomBytes(200)]),
  () => randomBytes(300),
];

/** Sends malformed requests, some at a time; resolves when all were answered or disconnected. */
const sendMalformed = async (url: string, count: number): Promise<void> => {
  const { hostname, port, pathname } = new URL(url);
  let sent = 0;
  const one = (index: number): Promise<void> =>
    new Promise(resolve => {
      const socket = connect(Number(port), hostname, () => {
        socket.end(malformed[index % malformed.length]?.(pathname) ?? '');
      });
      socket.resume();
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
    });
  const line = async (): Promise<void> => {
    while (sent < count) {
      sent += 1;
      await one(sent);
    }
  };
  await Promise.all(Array.from({ length: 32 }, line));
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

test('a thousand deliveries of one callback are one callback', { timeout: 60_000 }, async () => {
  receiving = await startReceiving(folder, password);
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
    receiving = await startReceiving(folder, password);
    const next = signedCallbacks(password);
    await sendMalformed(receiving.url, 1_000);
    const before = memoryOf(receiving.child.pid);
    await sendMalformed(receiving.url, 4_000);
    const grown = memoryOf(receiving.child.pid) - before;
    expect(grown).toBeLessThan(60 * 1024 * 1024);
    expect(await send(receiving.url, [next()])).toEqual([200]);
  },
);
