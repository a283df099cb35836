import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Delivery, Receiver } from '../../main/callbacks/receiver.ts';
import { startReceiver } from '../../main/callbacks/start-receiver.ts';
import { fail, type Result } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';

/** The receiver over real HTTP (§4.3, §6.2). */

const path = '/5f1c2a';
const form =
  'id=1&order_number=A-1&order_amount=10.00&order_currency=EUR&order_description=x&type=sale&status=success&hash=0';
const open: Receiver[] = [];
afterEach(async () => {
  seen.length = 0;
  await Promise.all(open.splice(0).map(receiver => receiver.close()));
});

type StoreCallback = (delivery: Delivery) => Promise<Result<{ verified: boolean }>>;

/** Deliveries of the present test. */
const seen: Delivery[] = [];
const see: StoreCallback = async delivery => {
  seen.push(delivery);
  return { ok: true, value: { verified: true } };
};

const receiving = async (
  keep: StoreCallback = async () => ({ ok: true, value: { verified: true } }),
  limits = {},
) => {
  const started = await startReceiver({
    clock: Date.now,
    host: '127.0.0.1',
    port: 0,
    routes: new Map([[path, 'live']]),
    store: keep,
    limits,
  });
  if (!started.ok) throw new Error(started.error.code);
  open.push(started.value);
  const url = `http://127.0.0.1:${started.value.port}${path}`;
  const post = (body: string | FormData | URLSearchParams | Buffer<ArrayBuffer>, type?: string) =>
    fetch(url, { method: 'POST', body, ...(type ? { headers: { 'content-type': type } } : {}) });
  return { receiver: started.value, url, post };
};

test('a callback that arrives is answered 200 with OK only after it is stored', async () => {
  const order: string[] = [];
  let written: () => void = () => undefined;
  const disk = new Promise<void>(resolve => (written = resolve));
  let arrived: () => void = () => undefined;
  const arrival = new Promise<void>(resolve => (arrived = resolve));
  const { post, url } = await receiving(async () => {
    arrived();
    await disk;
    order.push('stored');
    return { ok: true, value: { verified: true } };
  });
  const answer = post(form, 'application/x-www-form-urlencoded').then(async response => {
    order.push('answered');
    return { status: response.status, text: await response.text() };
  });
  await arrival;
  // A later request is answered meanwhile.
  expect((await fetch(url)).status).toBe(405);
  expect(order).toEqual([]);
  written();
  expect(await answer).toEqual({ status: 200, text: 'OK' });
  expect(order).toEqual(['stored', 'answered']);
});

test('a callback that arrives is answered 503 if it cannot be stored, so that the gateway sends it again', async () => {
  const { post } = await receiving(async () => fail('log.full', msg('error.log.full')));
  expect((await post(form, 'application/x-www-form-urlencoded')).status).toBe(503);
  const broken = await receiving(() => Promise.reject(new Error('secret detail')));
  const answer = await broken.post(form, 'application/x-www-form-urlencoded');
  expect(answer.status).toBe(503);
  expect(await answer.text()).not.toContain('secret');
});

test('a callback that arrives with a wrong signature is stored and answered 200 as well', async () => {
  const { post, receiver } = await receiving(async () => ({ ok: true, value: { verified: false } }));
  expect((await post(form, 'application/x-www-form-urlencoded')).status).toBe(200);
  expect(receiver.statistics()).toMatchObject({ received: 1, unverified: 1 });
});

test('a callback that arrives is read as a form, as multipart and as JSON, byte for byte', async () => {
  const { post } = await receiving(see);
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
  const { post } = await receiving(see);
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
  const { url } = await receiving(see);
  const types = ['', 'application/x-www-form-urlencoded', 'application/octet-stream', 'application/json'];
  for (const type of types) {
    const answer = await fetch(url, {
      method: 'POST',
      body: Buffer.from(body),
      headers: type === '' ? {} : { 'content-type': type },
    });
    expect(answer.status).toBe(200);
  }
  expect(seen.map(delivery => Object.fromEntries(delivery.fields))).toEqual(
    types.map(() => ({
      ...Object.fromEntries(new URLSearchParams(form)),
      order_description: description,
    })),
  );
});

test('a callback that arrives in a JSON list is stored with all others of the list; otherwise all must be sent again', async () => {
  let isFull = false;
  const { post, receiver } = await receiving(async delivery => {
    seen.push(delivery);
    return isFull && seen.length % 2 === 0
      ? fail('log.full', msg('error.log.full'))
      : { ok: true, value: { verified: true } };
  });
  const list = `[${asJson},${asJson.replace('A-1', 'A-2')}]`;
  expect((await post(list, 'application/x-www-form-urlencoded')).status).toBe(200);
  expect(seen.map(({ fields }) => new Map(fields).get('order_number'))).toEqual(['A-1', 'A-2']);
  isFull = true;
  expect((await post(list, 'application/json')).status).toBe(503);
  expect(receiver.statistics().received).toBe(2);
});

test('a callback that arrives contains only well-formed text, for any JSON escapes', async () => {
  const { post } = await receiving(see);
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

test.each([
  ['another path', 404, 'path', (url: string) => fetch(`${url}x`, { method: 'POST', body: form })],
  ['another verb', 405, 'method', (url: string) => fetch(url)],
  [
    'a body that holds no callback',
    400,
    'no-callback',
    (url: string) => fetch(url, { method: 'POST', body: 'hello' }),
  ],
  [
    'a body too large',
    413,
    'too-large',
    (url: string) => fetch(url, { method: 'POST', body: 'x'.repeat(70_000) }),
  ],
  [
    'a compressed body',
    415,
    'coding',
    (url: string) => fetch(url, { method: 'POST', body: form, headers: { 'content-encoding': 'gzip' } }),
  ],
])('a request with %s is answered %i, not stored, and counted as %s', async (_, status, reason, ask) => {
  let stored = 0;
  const { url, receiver } = await receiving(async () => {
    stored += 1;
    return { ok: true, value: { verified: true } };
  });
  expect((await ask(url)).status).toBe(status);
  expect(stored).toBe(0);
  expect(receiver.statistics().refused).toMatchObject([{ reason, count: 1 }]);
});

test.each(['identity', 'Identity', ''])(
  'a callback with the content coding “%s” is stored: it is not compressed',
  async coding => {
    const { url } = await receiving();
    const headers = { 'content-encoding': coding };
    expect((await fetch(url, { method: 'POST', body: form, headers })).status).toBe(200);
  },
);

test('a slow client is disconnected', async () => {
  const { receiver } = await receiving(undefined, { headersMs: 200, requestMs: 200 });
  const socket = connect(receiver.port, '127.0.0.1');
  socket.resume();
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nX-Slow: `);
  await once(socket, 'close');
});

test('after a thousand malformed requests the receiver still answers', async () => {
  const { receiver, post } = await receiving();
  const garbage = [
    '\0\0\0',
    'GET',
    'POST / HTTP/9.9\r\n\r\n',
    `POST ${path} HTTP/1.1\r\nContent-Length: -5\r\n\r\n`,
  ];
  for (let turn = 0; turn < 1_000; turn += 1) {
    const socket = connect(receiver.port, '127.0.0.1');
    socket.resume();
    socket.on('error', () => undefined);
    socket.end(garbage[turn % garbage.length] ?? '');
    await once(socket, 'close');
  }
  expect((await post(form, 'application/x-www-form-urlencoded')).status).toBe(200);
});

test('a port in use is reported as in use', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const started = await startReceiver({
    clock: Date.now,
    host: '127.0.0.1',
    port,
    routes: new Map(),
    store: async () => ({ ok: true, value: { verified: true } }),
  });
  expect(started).toMatchObject({ ok: false, error: { code: 'receiver.port-taken' } });
  other.close();
});
