import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import type { Receiver } from '../../main/callbacks/receiver.ts';
import { startReceiver, type ReceiverLimits } from '../../main/callbacks/start-receiver.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';

/** Slow or disconnecting clients do not block other clients. */

const path = '/5f1c2a';
const body =
  'id=1&order_number=A-1&order_amount=10.00&order_currency=EUR&order_description=x&type=sale&status=success&hash=0';
const head = `POST ${path} HTTP/1.1\r\nhost: x\r\n`;
const form = 'content-type: application/x-www-form-urlencoded\r\n';

let receiver: Receiver | null = null;
let stored = 0;
const dripping: NodeJS.Timeout[] = [];
afterEach(async () => {
  for (const timer of dripping.splice(0)) clearInterval(timer);
  await receiver?.close();
  receiver = null;
});

const start = async (
  limits: Partial<ReceiverLimits>,
  tls?: { key: string; cert: string },
  host = '127.0.0.1',
): Promise<number> => {
  stored = 0;
  const started = await startReceiver({
    clock: Date.now,
    host,
    port: 0,
    routes: new Map([[path, 'live']]),
    store: async () => {
      stored += 1;
      return { ok: true, value: { verified: true } };
    },
    limits,
    tls,
  });
  if (!started.ok) throw new Error(started.error.code);
  receiver = started.value;
  return receiver.port;
};

const open = async (port: number, host = '127.0.0.1'): Promise<Socket> => {
  const socket = connect(port, host);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};

const makeCertificate = (): { cert: string; key: string } => {
  const folder = newFolder('slow');
  const [certificate, key] = [join(folder, 'a.crt'), join(folder, 'a.key')];
  const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', ...made, '-subj', '/CN=a'], { stdio: 'ignore' });
  const pems = { cert: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') };
  return pems;
};

/** Sends `beginning`, then one byte every 20 ms without end. */
const drip = async (port: number, beginning: string): Promise<Socket> => {
  const socket = await open(port);
  socket.write(beginning);
  dripping.push(setInterval(() => socket.writable && socket.write('x'), 20));
  return socket;
};

/** Posts a callback like the gateway, and again until the receiver accepts it (§6.2.2). */
const post = (port: number): Promise<number> =>
  vi.waitFor(
    async () => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body, headers })).status;
    },
    { interval: 20, timeout: 20_000 },
  );

test('a slow client whose head never ends, or whose body arrives byte by byte, gets 408 while others are served', async () => {
  const port = await start({ headersMs: 300, requestMs: 600 });
  const heads = await Promise.all(Array.from({ length: 40 }, () => drip(port, `${head}x-slow: `)));
  const bodies = await Promise.all(
    Array.from({ length: 40 }, () => drip(port, `${head}${form}content-length: 60000\r\n\r\nid=1&`)),
  );
  const ended = Promise.all([...heads, ...bodies].map(socket => text(socket).catch(() => '')));
  expect(await post(port)).toBe(200);
  const answers = await ended;
  // A client that is still writing may see the connection reset before the response.
  expect(answers.filter(answer => answer !== '' && !answer.startsWith('HTTP/1.1 408'))).toEqual([]);
  expect(answers.some(answer => answer.startsWith('HTTP/1.1 408'))).toBe(true);
  expect(stored).toBe(1);
});

test('a slow client that sends nothing does not block the receiver, even if it uses every connection', async () => {
  const port = await start({ headersMs: 300, requestMs: 600, connections: 8 });
  const silent = await Promise.all(Array.from({ length: 8 }, () => open(port)));
  for (const socket of silent) socket.resume();
  expect(await post(port)).toBe(200);
});

test('a slow client loses its connection to a delivery when all connections are in use, even in the middle of a request', async () => {
  const port = await start({ headersMs: 60_000, requestMs: 60_000, connections: 8 });
  const beginnings = ['', head, `${head}x-slow: `, `${head}${form}content-length: 60000\r\n\r\nid=1&`];
  for (let turn = 0; turn < 16; turn += 1) {
    const socket = await open(port);
    socket.resume();
    socket.write(beginnings[turn % beginnings.length] ?? '');
  }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(answer.status).toBe(200);
  expect(stored).toBe(1);
});

test.each([
  ['another path', 'GET / HTTP/1.1\r\nhost: x\r\n\r\n', '404'],
  ['another verb', `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`, '405'],
  ['no callback', `${head}content-length: 5\r\n\r\nhello`, '400'],
  ['a body too large', `${head}content-length: 70000\r\n\r\n`, '413'],
])('a slow client that requests %s is answered and its connection closed', async (_, request, status) => {
  const port = await start({ headersMs: 60_000, requestMs: 60_000 });
  const socket = await open(port);
  socket.write(request);
  expect(await text(socket)).toContain(`HTTP/1.1 ${status}`);
});

const lan = Object.values(networkInterfaces())
  .flatMap(addresses => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
test.skipIf(lan === undefined)(
  'a slow client has a few connections from one address, and other addresses have theirs',
  async () => {
    const port = await start({ headersMs: 60_000, requestMs: 60_000, perAddress: 4 }, undefined, '0.0.0.0');
    const sockets = [];
    for (let turn = 0; turn < 6; turn += 1) sockets.push(await open(port, lan));
    for (const socket of sockets) socket.resume();
    for (const socket of sockets.slice(0, 2)) if (!socket.closed) await once(socket, 'close');
    const local = await Promise.all(Array.from({ length: 6 }, () => open(port)));
    expect(await post(port)).toBe(200);
    expect([...sockets.slice(2), ...local].map(socket => socket.closed)).toEqual(
      Array.from({ length: 10 }, () => false),
    );
    for (const socket of [...sockets, ...local]) socket.destroy();
  },
);

test('a slow client that disconnects in the middle of its body leaves no trace', async () => {
  const port = await start({});
  for (let turn = 0; turn < 60; turn += 1) {
    const socket = await open(port);
    socket.write(`${head}${form}content-length: 60000\r\n\r\n${body}`);
    if (turn % 2 === 0) socket.resetAndDestroy();
    else socket.destroy();
  }
  expect(await post(port)).toBe(200);
  expect(stored).toBe(1);
  expect(receiver?.statistics()).toMatchObject({ received: 1 });
});

const hasOpenssl = spawnSync('openssl', ['version']).error === undefined;
test.skipIf(!hasOpenssl)(
  'a slow client that sends no TLS to a receiver with TLS is disconnected, for any bytes',
  async () => {
    const port = await start({ headersMs: 300, requestMs: 600 }, makeCertificate());
    for (const words of ['', `${head}${form}content-length: 3\r\n\r\nid=`, '\x16\x03\x01\x00']) {
      const socket = await open(port);
      socket.resume();
      socket.write(words);
      await once(socket, 'close');
    }
    expect(stored).toBe(0);
  },
);

test.skipIf(!hasOpenssl)('a slow client does not prevent the receiver from closing', async () => {
  const port = await start({ headersMs: 60_000, requestMs: 60_000 }, makeCertificate());
  const silent = await open(port);
  silent.resume();
  await receiver?.close();
  receiver = null;
  await expect(open(port)).rejects.toThrow('ECONNREFUSED');
});
