import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Delivery } from '../../main/callbacks/receiver.ts';
import { startReceiver } from '../../main/callbacks/start-receiver.ts';
import { fail, ok } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import { hasOpenssl, selfSigned } from '../../tools/server-harness/self-signed.ts';

/** The receiver over real HTTP (§4.3, §6.2). */

const path = '/5f1c2a';
const form =
  'id=1&order_number=A-1&order_amount=10.00&order_currency=EUR&order_description=x&type=sale&status=success&hash=0';
const urlencoded = 'application/x-www-form-urlencoded';

/** A receiver for the present test, which keeps what it receives in `seen` unless another `store` is given. */
const receiving = async (options: Partial<Parameters<typeof startReceiver>[0]> = {}) => {
  const seen: Delivery[] = [];
  const started = await startReceiver({
    clock: Date.now,
    host: '127.0.0.1',
    port: 0,
    routes: new Map([[path, 'live']]),
    store: async delivery => {
      seen.push(delivery);
      return ok({ verified: true });
    },
    ...options,
  });
  if (!started.ok) throw new Error(started.error.code);
  const receiver = started.value;
  onTestFinished(() => receiver.close());
  const url = `http://127.0.0.1:${receiver.port}${path}`;
  const post = (body: string | FormData | URLSearchParams | Buffer<ArrayBuffer> = form, type?: string) =>
    fetch(url, { method: 'POST', body, ...(type ? { headers: { 'content-type': type } } : {}) });
  /** Connects from an address of this computer, and sends something. */
  const open = async (words = '', host = '127.0.0.1'): Promise<Socket> => {
    const socket = connect(receiver.port, host);
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write(words);
    return socket;
  };
  return { receiver, url, post, open, seen };
};

test('a callback that arrives is answered 200 with OK only after it is stored', async () => {
  const order: string[] = [];
  const disk = Promise.withResolvers<void>();
  const arrival = Promise.withResolvers<void>();
  const store = async () => {
    arrival.resolve();
    await disk.promise;
    order.push('stored');
    return ok({ verified: true });
  };
  const { post, url } = await receiving({ store });
  const answer = post(form, urlencoded).then(async response => {
    order.push('answered');
    return { status: response.status, text: await response.text() };
  });
  await arrival.promise;
  // A later request is answered meanwhile.
  expect((await fetch(url)).status).toBe(405);
  expect(order).toEqual([]);
  disk.resolve();
  expect(await answer).toEqual({ status: 200, text: 'OK' });
  expect(order).toEqual(['stored', 'answered']);
});

test('a callback that arrives is answered 503 if it cannot be stored, so that the gateway sends it again', async () => {
  const { post } = await receiving({ store: async () => fail('log.full', msg('error.log.full')) });
  expect((await post(form, urlencoded)).status).toBe(503);
  const broken = await receiving({ store: () => Promise.reject(new Error('secret detail')) });
  const answer = await broken.post(form, urlencoded);
  expect(answer.status).toBe(503);
  expect(await answer.text()).not.toContain('secret');
});

test('a callback that arrives with a wrong signature is stored and answered 200 as well', async () => {
  const { post, receiver } = await receiving({ store: async () => ok({ verified: false }) });
  expect((await post(form, urlencoded)).status).toBe(200);
  expect(receiver.statistics()).toMatchObject({ received: 1, unverified: 1 });
});

test('a callback that arrives is read as a form, as multipart and as JSON, byte for byte', async () => {
  const { post, seen } = await receiving();
  const fields = {
    id: '1',
    order_number: 'A-1',
    order_amount: '10.00',
    order_currency: 'EUR',
    order_description: ' ü & =+',
  };
  await post(new URLSearchParams(fields));
  const multipart = new FormData();
  for (const [name, value] of Object.entries(fields)) multipart.append(name, value);
  await post(multipart);
  await post(JSON.stringify(fields), 'application/json');
  expect(seen.map(delivery => delivery.form)).toEqual(['urlencoded', 'multipart', 'json']);
  for (const delivery of seen) {
    expect(delivery.profileId).toBe('live');
    expect(delivery.fields).toEqual(Object.entries(fields));
  }
});

test.each([
  ['escaped bytes', Buffer.from('id=1&order_number=R-1&order_description=Men%FC')],
  ['raw bytes', Buffer.from('id=1&order_number=R-1&order_description=Men\u00fc', 'latin1')],
  ['UTF-8 all the same', Buffer.from('id=1&order_number=R-1&order_description=Men%C3%BC')],
])('a callback that arrives in Latin-1, as it declares, keeps its characters: %s', async (_, bytes) => {
  const { post, seen } = await receiving();
  await post(bytes, 'application/x-www-form-urlencoded; charset=ISO-8859-1');
  expect(seen[0]?.fields).toContainEqual(['order_description', 'Men\u00fc']);
});

const line =
  'id=1\norder_number=A-1\norder_amount=10.00\norder_currency=EUR\norder_description=a&b=c&status=fail\ntype=sale\nstatus=success\nhash=0';
const ampersands =
  'id=1&\norder_number=A-1&\norder_amount=10.00&\norder_currency=EUR&\norder_description=x&\ntype=sale&\nstatus=success&\nhash=0';
const asJson = JSON.stringify(Object.fromEntries(new URLSearchParams(form)));

test.each([
  ['one parameter a line', line, 'a&b=c&status=fail'],
  ['one parameter a line, CRLF', line.replaceAll('\n', '\r\n'), 'a&b=c&status=fail'],
  ['lines that end with &', ampersands, 'x'],
  ['a form body', form, 'x'],
  ['JSON', asJson, 'x'],
])('a callback that arrives is read the same with any content type: %s', async (_, body, description) => {
  const { post, seen } = await receiving();
  const types = [undefined, urlencoded, 'application/octet-stream', 'application/json'];
  for (const type of types) expect((await post(Buffer.from(body), type)).status).toBe(200);
  expect(seen.map(delivery => Object.fromEntries(delivery.fields))).toEqual(
    types.map(() => ({
      ...Object.fromEntries(new URLSearchParams(form)),
      order_description: description,
    })),
  );
});

test('a callback that arrives in a JSON list is stored with all others of the list; otherwise all must be sent again', async () => {
  let isFull = false;
  const seen: Delivery[] = [];
  const { post, receiver } = await receiving({
    store: async delivery =>
      seen.push(delivery) % 2 === 0 && isFull
        ? fail('log.full', msg('error.log.full'))
        : ok({ verified: true }),
  });
  const list = `[${asJson},${asJson.replace('A-1', 'A-2')}]`;
  expect((await post(list, urlencoded)).status).toBe(200);
  expect(seen.map(({ fields }) => new Map(fields).get('order_number'))).toEqual(['A-1', 'A-2']);
  isFull = true;
  expect((await post(list, 'application/json')).status).toBe(503);
  expect(receiver.statistics().received).toBe(2);
});

test('a callback that arrives contains only well-formed text, for any JSON escapes', async () => {
  const { post, seen } = await receiving();
  await post(
    String.raw`{"id":"1","order_number":"A\ud800B","order_amount":"1","x\udc00":"\ud83d","hash":"0"}`,
    'application/json',
  );
  expect(seen[0]?.fields).toEqual([
    ['id', '1'],
    ['order_number', 'A\uFFFDB'],
    ['order_amount', '1'],
    ['x\uFFFD', '\uFFFD'],
    ['hash', '0'],
  ]);
});

const head = `POST ${path} HTTP/1.1\r\nhost: x\r\n`;
/** Limits of time that no test reaches. */
const patient = { headersMs: 60_000, requestMs: 60_000 };

test.each([
  ['another path', `POST ${path}x HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`, 404, 'path'],
  ['another verb', `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`, 405, 'method'],
  ['a body that holds no callback', `${head}content-length: 5\r\n\r\nhello`, 400, 'no-callback'],
  ['a body too large', `${head}content-length: 70000\r\n\r\n`, 413, 'too-large'],
  [
    'a body too large, of no announced length',
    `${head}transfer-encoding: chunked\r\n\r\n11170\r\n${'x'.repeat(70_000)}`,
    413,
    'too-large',
  ],
  ['a compressed body', `${head}content-encoding: gzip\r\ncontent-length: 9\r\n\r\n`, 415, 'coding'],
])(
  'a request with %s is answered and its connection closed, not stored, and counted',
  async (_, request, status, reason) => {
    const { open, receiver, seen } = await receiving({ limits: patient });
    const answer = await text(await open(request));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*\r\nconnection: close\r\n`));
    expect(seen).toEqual([]);
    expect(receiver.statistics().refused).toMatchObject([{ reason, count: 1 }]);
  },
);

test.each(['identity', 'Identity', ''])(
  'a callback with the content coding “%s” is stored: it is not compressed',
  async coding => {
    const { url } = await receiving();
    const headers = { 'content-encoding': coding };
    expect((await fetch(url, { method: 'POST', body: form, headers })).status).toBe(200);
  },
);

test('after a thousand malformed requests the receiver still answers', async () => {
  const { open, post } = await receiving();
  const garbage = [
    '\0\0\0',
    'GET',
    'POST / HTTP/9.9\r\n\r\n',
    `POST ${path} HTTP/1.1\r\nContent-Length: -5\r\n\r\n`,
  ];
  for (let turn = 0; turn < 1_000; turn += 1) {
    const socket = await open();
    socket.resume().end(garbage[turn % garbage.length] ?? '');
    await once(socket, 'close');
  }
  expect((await post(form, urlencoded)).status).toBe(200);
});

/** Slow or disconnecting clients do not block other clients. */

const beginning = `${head}content-type: ${urlencoded}\r\ncontent-length: 60000\r\n\r\nid=1&`;
const short = { headersMs: 300, requestMs: 600 };

/** Posts a callback like the gateway, and again until the receiver accepts it (§6.2.2). */
const accepted = ({ post }: Awaited<ReturnType<typeof receiving>>): Promise<number> =>
  vi.waitFor(async () => (await post(form, urlencoded)).status, { interval: 20, timeout: 20_000 });

test('a slow client whose head never ends, or whose body arrives byte by byte, gets 408 while others are served', async () => {
  const started = await receiving({ limits: short });
  const clients = Array.from({ length: 80 }, async (_, at) => {
    const socket = await started.open(at % 2 === 0 ? `${head}x-slow: ` : beginning);
    const dripping = setInterval(() => socket.writable && socket.write('x'), 20);
    onTestFinished(() => clearInterval(dripping));
    return socket;
  });
  const ended = (await Promise.all(clients)).map(socket => text(socket).catch(() => ''));
  expect(await accepted(started)).toBe(200);
  const answers = await Promise.all(ended);
  // A client that is still writing may see the connection reset before the response.
  expect(answers.filter(answer => answer !== '' && !answer.startsWith('HTTP/1.1 408'))).toEqual([]);
  expect(answers.some(answer => answer.startsWith('HTTP/1.1 408'))).toBe(true);
  expect(started.seen).toHaveLength(1);
});

test('a slow client that sends nothing does not block the receiver, even if it uses every connection', async () => {
  const started = await receiving({ limits: { ...short, connections: 8 } });
  for (let turn = 0; turn < 8; turn += 1) (await started.open()).resume();
  expect(await accepted(started)).toBe(200);
});

test('a slow client loses its connection to a delivery when all connections are in use, even in the middle of a request', async () => {
  const { open, post, seen } = await receiving({ limits: { ...patient, connections: 8 } });
  for (let turn = 0; turn < 4; turn += 1)
    for (const words of ['', head, `${head}x-slow: `, beginning]) (await open(words)).resume();
  expect((await post(form, urlencoded)).status).toBe(200);
  expect(seen).toHaveLength(1);
});

const lan = Object.values(networkInterfaces())
  .flatMap(addresses => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
test.skipIf(lan === undefined)(
  'a slow client has a few connections from one address, and other addresses have theirs',
  async () => {
    const started = await receiving({ host: '0.0.0.0', limits: { ...patient, perAddress: 4 } });
    const sockets: Socket[] = [];
    for (let turn = 0; turn < 6; turn += 1) sockets.push(await started.open('', lan));
    for (const socket of sockets) socket.resume();
    for (const socket of sockets.slice(0, 2)) if (!socket.closed) await once(socket, 'close');
    const local = await Promise.all(Array.from({ length: 6 }, () => started.open()));
    expect(await accepted(started)).toBe(200);
    expect([...sockets.slice(2), ...local].map(socket => socket.closed)).toEqual(
      Array.from({ length: 10 }, () => false),
    );
  },
);

test('a slow client that disconnects in the middle of its body leaves no trace', async () => {
  const started = await receiving();
  for (let turn = 0; turn < 60; turn += 1) {
    const socket = await started.open(`${beginning}${form}`);
    if (turn % 2 === 0) socket.resetAndDestroy();
    else socket.destroy();
  }
  expect(await accepted(started)).toBe(200);
  expect(started.seen).toHaveLength(1);
  expect(started.receiver.statistics()).toMatchObject({ received: 1 });
});

test.skipIf(!hasOpenssl)(
  'a slow client that sends no TLS to a receiver with TLS is disconnected, for any bytes',
  async () => {
    const { open, seen } = await receiving({ limits: short, tls: selfSigned('a.example') });
    for (const words of ['', beginning, '\x16\x03\x01\x00'])
      await once((await open(words)).resume(), 'close');
    expect(seen).toEqual([]);
  },
);

test.skipIf(!hasOpenssl)('a slow client does not prevent the receiver from closing', async () => {
  const { open, receiver } = await receiving({ limits: patient, tls: selfSigned('a.example') });
  (await open()).resume();
  await receiver.close();
  await expect(open()).rejects.toThrow('ECONNREFUSED');
});
