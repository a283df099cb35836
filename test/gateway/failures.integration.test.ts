import { createServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasOpenssl, selfSigned } from '../../tools/server-harness/self-signed.ts';
import { answering, json, listen, type Answer } from '../../tools/server-harness/test-server.ts';
import { gatewayOf, raise, sandboxProfile, secureProfile, startGateway } from './gateway-server.ts';

/** Every way a request can fail, over real sockets: only a request that surely was not sent is `not-sent`. */

afterEach(() => {
  vi.unstubAllEnvs();
});
const short = { connect: 500, headers: 500, body: 500 };
const link = 'https://pay.example/x';
const ok = 'HTTP/1.1 200 OK\r\n';

const notSent = (code: string, words = '') => ({
  kind: 'not-sent',
  error: { code, message: expect.stringContaining(words) as string },
});

it('a request without a listener was surely not sent', async () => {
  const { port, close } = await listen(createServer());
  await close();
  const outcome = await raise(gatewayOf(), sandboxProfile(port));
  expect(outcome).toMatchObject(notSent('gateway.unreachable', 'ECONNREFUSED'));
});

it('a request to a name that does not exist was surely not sent', async () => {
  const timeouts = { ...short, connect: 5000 };
  const profile = secureProfile(1, { baseUrl: 'https://gateway.invalid', timeouts });
  expect(await raise(gatewayOf(), profile)).toMatchObject({
    kind: 'not-sent',
    error: { code: 'gateway.unreachable', details: { host: 'gateway.invalid' } },
  });
});

it('a request whose connection is never completed was surely not sent', async () => {
  const mute = await listen(createServer());
  const outcome = await raise(gatewayOf(), secureProfile(mute.port, { timeouts: short }));
  expect(outcome).toMatchObject(notSent('gateway.unreachable', 'within 0.5 s'));
});

it('a request cancelled before its turn was surely not sent, and the server never sees it', async () => {
  const arrived = Promise.withResolvers<void>();
  const server = await answering((seen, response, request) => {
    if (server.requests.length === 1) arrived.resolve();
    else json({ redirect_url: link })(seen, response, request);
  });
  const gateway = gatewayOf({ connectionsPerProfile: 1 });
  const profile = sandboxProfile(server.port);
  const [first, second] = [new AbortController(), new AbortController()];
  const running = raise(gateway, profile, first.signal);
  await arrived.promise;
  const queued = raise(gateway, profile, second.signal);
  const third = raise(gateway, profile);
  // Both are queued once everything started here has run.
  await setImmediate();
  second.abort();
  expect(await queued).toMatchObject({ kind: 'not-sent', error: { code: 'gateway.cancelled' } });
  first.abort();
  expect(await running).toMatchObject({ kind: 'unknown', error: { code: 'gateway.cancelled' } });
  // The third request follows on the same connection: nothing of the second can arrive later.
  expect(await third).toMatchObject({ kind: 'accepted' });
  expect(await raise(gateway, profile, AbortSignal.abort())).toMatchObject({ kind: 'not-sent' });
  expect(server.requests).toHaveLength(2);
});

it('a request by a client that was closed was surely not sent', async () => {
  const { server, gateway, raise } = await startGateway(json({ redirect_url: link }));
  await gateway.close();
  expect(await raise()).toMatchObject(notSent('gateway.cancelled'));
  expect(server.requests).toHaveLength(0);
});

describe('perhaps arrived', () => {
  it.each<[string, string, string]>([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'not valid HTTP'],
    ['headers over the limit', `${ok}x: ${'a'.repeat(40_000)}\r\n\r\n`, 'not valid HTTP'],
    ['broken chunks', `${ok}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`, 'not valid HTTP'],
    ['less than the announced length', `${ok}content-length: 99\r\n\r\n{}`, 'lost before the response was'],
    ['nothing', '', 'lost before the response ('],
  ])('a request answered with %s has perhaps arrived, and the error says so', async (_, bytes, words) => {
    const server = createServer(socket => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(bytes));
    });
    const { port } = await listen(server);
    expect(await raise(gatewayOf(), sandboxProfile(port))).toMatchObject({
      kind: 'unknown',
      error: { code: 'gateway.broken', message: expect.stringContaining(words) },
    });
  });

  it.each<[string, Answer, string]>([
    ['is a request whose connection breaks', (_, response) => response.destroy(), 'gateway.broken'],
    ['is a request without an answer', () => undefined, 'gateway.timeout'],
    [
      'is a request whose answer stops',
      (_, response) => response.writeHead(200, { 'content-length': 100 }).write('{"redirect_url":'),
      'gateway.timeout',
    ],
    [
      'is a request whose answer breaks',
      (_, response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('{"redirect_url":', () => response.destroy());
      },
      'gateway.broken',
    ],
    [
      'is a request answered without end',
      (_, response) => {
        response.writeHead(200);
        for (let turn = 0; turn < 40; turn += 1) response.write('x'.repeat(64 * 1024));
      },
      'gateway.too-large',
    ],
  ])('a request has perhaps arrived: %s', async (_, answer, code) => {
    const { server, raise } = await startGateway(answer, { timeouts: short });
    expect(await raise()).toMatchObject({
      kind: 'unknown',
      error: { code, hint: expect.stringContaining('Check the status') },
    });
    expect(server.requests).toHaveLength(1);
  });

  it('a request whose answer arrives byte by byte has perhaps arrived: the time limit is for the whole answer, not for each part', async () => {
    const drip: Answer = (_, response) => {
      response.writeHead(200);
      const dripping = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(dripping));
    };
    const { raise } = await startGateway(drip, { timeouts: short });
    const outcome = await raise();
    expect(outcome).toMatchObject({ kind: 'unknown', error: { code: 'gateway.timeout' } });
    expect(outcome.kind === 'unknown' && outcome.answer?.body).toMatch(/^x+$/);
  });

  it('a request in flight when the client is closed has perhaps arrived', async () => {
    const arrived = Promise.withResolvers<void>();
    const { gateway, raise } = await startGateway(() => arrived.resolve());
    const running = raise();
    await arrived.promise;
    await gateway.close();
    expect(await running).toMatchObject({ kind: 'unknown', error: { code: 'gateway.cancelled' } });
  });
});

it('load on the gateway is limited to four requests of a profile in flight, and all of them are sent', async () => {
  const waiting: (() => void)[] = [];
  const four = Promise.withResolvers<void>();
  let isBlocked = true;
  const server = await answering((seen, response, request) => {
    const finish = (): void => json({ redirect_url: link })(seen, response, request);
    if (!isBlocked || !seen.body.includes('"merchant-key-1"')) {
      finish();
      return;
    }
    waiting.push(finish);
    if (waiting.length === 4) four.resolve();
  });
  const gateway = gatewayOf();
  const profile = sandboxProfile(server.port);
  const all = Array.from({ length: 12 }, () => raise(gateway, profile));
  await four.promise;
  // A round trip of another profile, started later: a fifth request would arrive before it ends.
  const other = sandboxProfile(server.port, { id: 'other', merchantKey: 'another' });
  expect(await raise(gateway, other)).toMatchObject({ kind: 'accepted' });
  expect(waiting).toHaveLength(4);
  isBlocked = false;
  for (const finish of waiting.splice(0)) finish();
  for (const outcome of await Promise.all(all)) expect(outcome.kind).toBe('accepted');
  expect(server.requests).toHaveLength(13);
});

describe.runIf(hasOpenssl)('TLS', () => {
  let right: { key: string; cert: string };
  let otherName: { key: string; cert: string };
  beforeAll(() => {
    right = selfSigned('localhost');
    otherName = selfSigned('other.example');
  });
  it('TLS is used with a gateway whose certificate is trusted', async () => {
    const server = await answering(json({ redirect_url: link }), right);
    const gateway = gatewayOf({ certificates: [right.cert] });
    expect(await raise(gateway, secureProfile(server.port))).toMatchObject({ kind: 'accepted', link });
  });

  it.each([
    ['without a trusted signature', () => right, false, 'from an issuer that this computer does not trust'],
    ['under another host name', () => otherName, true, 'belongs to another name'],
    ['where a variable switches verification off', () => right, false, 'does not trust'],
  ])('TLS is refused %s, and nothing is sent', async (where, certificate, isKnown, words) => {
    if (where.includes('variable')) vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const server = await answering(json({ redirect_url: link }), certificate());
    const gateway = gatewayOf(isKnown ? { certificates: [certificate().cert] } : {});
    expect(await raise(gateway, secureProfile(server.port))).toMatchObject(notSent('gateway.tls', words));
    expect(server.requests).toHaveLength(0);
  });

  it('TLS is refused if the server does not support it', async () => {
    const server = await answering(json({}));
    const outcome = await raise(gatewayOf(), secureProfile(server.port));
    expect(outcome).toMatchObject(notSent('gateway.tls', 'does not use TLS'));
  });
});
