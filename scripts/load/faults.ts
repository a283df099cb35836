import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openPaymentLog } from '../../main/payment-log/sqlite/open-payment-log.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { placeInWords } from '../../shared/messages/problem-place.ts';
import { postCallbacks } from './post-callbacks.ts';
import { startReceiving } from './receiving.ts';

/** Faults around a receiver, applied to a real one; each returns a summary, or throws. */

/** The profile that receiving-child.ts created in this folder. */
const loadProfile = (folder: string): string => {
  const { profiles } = JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')) as {
    profiles: { id: string; name: string }[];
  };
  return profiles.find(({ name }) => name === 'Load')?.id ?? '';
};

const orderOf = (body: string): string => new URLSearchParams(body).get('order_number') ?? '';

/**
 * Kills the console under load, `rounds` times on one log, and searches for every callback that was answered 200.
 * `next`: bodies to send. Throws if one is missing or duplicated, or the log does not verify.
 */
export const killUnderLoad = async (
  folder: string,
  password: string,
  next: () => string,
  rounds: number,
): Promise<{ acknowledged: number }> => {
  let acknowledged = 0;
  for (let round = 0; round < rounds; round += 1) {
    const receiving = await startReceiving('app', folder, password);
    const stored: string[] = [];
    const answered = Promise.withResolvers<void>();
    const sending = postCallbacks({
      url: receiving.url,
      connections: 16,
      next,
      onAnswer: ({ body, status }) => {
        if (status === 200) stored.push(orderOf(body));
        answered.resolve();
      },
    });
    await Promise.race([answered.promise, sending]);
    // The kill needs a random moment.
    await wait(Math.random() * 300);
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
export const sendMalformed = async (url: string, count: number): Promise<void> => {
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
