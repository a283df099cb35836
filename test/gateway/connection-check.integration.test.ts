import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { GatewayOptions } from '../../main/gateway/create-gateway.ts';
import { readRoute } from '../../main/gateway/dispatcher.ts';
import { checkBaseUrl } from '../../main/gateway/base-url.ts';
import type { KnownPayment } from '../../main/gateway/gateway.ts';
import type { CheckStep } from '../../shared/contract/contract.ts';
import type { Profile } from '../../shared/settings/profile.ts';
import { inWords } from '../../tools/app-harness/in-words.ts';
import { hasOpenssl, selfSigned } from '../../tools/server-harness/self-signed.ts';
import { answering, json, listen, type Answer } from '../../tools/server-harness/test-server.ts';
import { gatewayOf, password, raise, sandboxProfile, secureProfile } from './gateway-server.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const checkOf = async (
  profile: Profile,
  options: Partial<GatewayOptions> = {},
  secret: string | null = password,
  known: KnownPayment | null = null,
) => {
  const gateway = gatewayOf(options);
  const { observed, ...result } = await gateway.check(profile, secret, known, null);
  const steps = inWords(result.steps);
  // A step after one that failed would seem to work.
  expect(steps.slice(0, -1).map(({ outcome }) => outcome)).not.toContain('bad');
  for (const step of steps) {
    expect(step.meaning.length).toBeGreaterThan(10);
    expect(step.todo === null).toBe(
      step.outcome === 'good' || (step.outcome === 'skipped' && step.step !== 'status'),
    );
    expect(JSON.stringify(step)).not.toContain(password);
  }
  return {
    ...result,
    steps,
    observed,
    outcomes: Object.fromEntries(steps.map(({ step, outcome }) => [step, outcome])),
    textOf: (name: CheckStep['step']): string => {
      const found = steps.find(({ step }) => step === name);
      return found ? `${found.title} ${found.meaning} ${found.todo}` : '';
    },
  };
};
const signIn = '407 Proxy Authentication Required\r\nProxy-Authenticate: NTLM';
const confirmsNothing = 'confirms nothing';
const notValid = json({ error_code: 0, errors: [{ error_message: 'hash: Hash is not valid.' }] }, 400);

it('the connection check reports an unusable address, and sends nothing', async () => {
  const { steps } = await checkOf(secureProfile(1, { baseUrl: 'http://gateway.example' }));
  expect(steps.map(({ step, outcome }) => [step, outcome])).toEqual([['address', 'bad']]);
});

it('the connection check reports an unknown host name', async () => {
  const { outcomes } = await checkOf(secureProfile(1, { baseUrl: 'https://gateway.invalid' }));
  expect(outcomes).toEqual({ address: 'good', name: 'bad' });
});

it('the connection check reports that there is no listener', async () => {
  const server = await answering(notValid);
  await server.close();
  const { outcomes, textOf } = await checkOf(sandboxProfile(server.port));
  expect([outcomes['connect'], outcomes['status']]).toEqual(['bad', undefined]);
  expect(textOf('connect')).toContain('ECONNREFUSED');
});

it("the connection check reports the difference between this PC's clock and the gateway's", async () => {
  const server = await answering(notValid);
  const clock = (minutes: number) => () => Date.now() + minutes * 60_000;
  const ahead = await checkOf(sandboxProfile(server.port), { clock: clock(5) });
  expect(ahead.outcomes['clock']).toBe('warning');
  expect(ahead.textOf('clock')).toMatch(/This computer is (299|300|301) s ahead of/);
  const behind = await checkOf(sandboxProfile(server.port), { clock: clock(-5) });
  expect(behind.textOf('clock')).toMatch(/This computer is (299|300|301) s behind/);
});

it('the connection check without a password signs nothing and still reaches the gateway', async () => {
  const server = await answering(json({}, 404));
  const { outcomes } = await checkOf(sandboxProfile(server.port), {}, null);
  expect([outcomes['connect'], outcomes['clock'], outcomes['status']]).toEqual(['good', 'good', 'skipped']);
  expect(server.requests).toMatchObject([{ method: 'HEAD', body: '' }]);
});

it.each<[string, Answer, CheckStep['outcome'], string]>([
  ['knows no such payment', json({ error_message: 'Payment not found' }, 400), 'warning', confirmsNothing],
  ['refuses the verb', json({}, 405), 'bad', 'POST + JSON body'],
  ['has no such path', json({}, 404), 'bad', 'GET + query string'],
  ['sees no fields', json({ errors: ['payment_id: required'] }, 400), 'bad', 'POST + JSON body'],
  ['refuses the key', json({}, 401), 'bad', 'key that does not exist'],
  ['has a fault', json({}, 500), 'bad', 'had an error'],
  ['answers for what cannot exist', json({ status: 'settled' }), 'warning', 'does not exist'],
  ['shows a page', json('<html>'), 'bad', 'not JSON'],
])('the connection check explains a gateway that %s', async (_, answer, outcome, words) => {
  const server = await answering(answer);
  const { outcomes, textOf } = await checkOf(sandboxProfile(server.port));
  expect(outcomes['status']).toBe(outcome);
  expect(textOf('status')).toContain(words);
  // Where the form may be wrong, the two others are tried; key and password are compared once.
  expect(server.requests).toHaveLength(
    words.includes(' + ') ? 3 : [confirmsNothing, 'key that does not exist'].includes(words) ? 2 : 1,
  );
});

describe.runIf(hasOpenssl)('the connection check over TLS', () => {
  it('the connection check over TLS shows the certificate, its issuer and its end', async () => {
    const certificate = selfSigned('localhost');
    const server = await answering(notValid, certificate);
    const { outcomes, textOf } = await checkOf(secureProfile(server.port), {
      certificates: [certificate.cert],
    });
    expect(outcomes).toMatchObject({
      // A listener on this PC instead of the real gateway: a mistake or an attack, so the check warns.
      name: 'warning',
      proxy: 'good',
      connect: 'good',
      tls: 'good',
      clock: 'good',
    });
    expect(textOf('tls')).toContain('for localhost, issued by localhost, valid until 20');
    expect(textOf('tls')).toContain('Trusted system certificates');
  });

  it('the connection check over TLS warns of a certificate that expires soon', async () => {
    const certificate = selfSigned('localhost', 10);
    const server = await answering(notValid, certificate);
    const { textOf, outcomes } = await checkOf(secureProfile(server.port), {
      certificates: [certificate.cert],
    });
    expect(outcomes['tls']).toBe('warning');
    expect(textOf('tls')).toMatch(/expires in (9|10) days/);
  });

  it('the connection check over TLS reports an untrusted certificate, and that the gateway can be reached', async () => {
    const server = await answering(notValid, selfSigned('localhost'));
    const { outcomes, textOf } = await checkOf(secureProfile(server.port));
    expect([outcomes['connect'], outcomes['tls'], outcomes['status']]).toEqual(['good', 'bad', undefined]);
    expect(textOf('tls')).toContain('to this system');
    expect(server.requests).toHaveLength(0);
  });
});

describe.runIf(hasOpenssl)('a proxy', () => {
  const proxyThat = async (lets: boolean, refusal = '403 Forbidden') => {
    const asked: string[] = [];
    const proxy = createServer();
    proxy.on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      if (!lets) {
        socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
        return;
      }
      const port = Number((request.url ?? '').split(':')[1]);
      const onward = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      onward.on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
    });
    const { port } = await listen(proxy);
    return { asked, resolveProxy: async () => `PROXY 127.0.0.1:${port}; DIRECT` };
  };

  it('a proxy is used with TLS verified end to end, and shown in the connection check', async () => {
    const certificate = selfSigned('localhost');
    const server = await answering(json({ redirect_url: 'https://pay.example/1' }), certificate);
    const { asked, resolveProxy } = await proxyThat(true);
    const options = { resolveProxy, certificates: [certificate.cert] };
    const profile = secureProfile(server.port);
    expect(await raise(gatewayOf(options), profile)).toMatchObject({ kind: 'accepted' });
    expect(asked).toEqual([`localhost:${server.port}`]);
    const { textOf, outcomes } = await checkOf(profile, options);
    expect(textOf('proxy')).toMatch(/Proxy: 127\.0\.0\.1:\d+/);
    expect(textOf('tls')).toContain('for localhost');
    expect(outcomes['name']).toBe('skipped');

    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const untrusted = await raise(gatewayOf({ resolveProxy }), profile);
    expect(untrusted).toMatchObject({ kind: 'not-sent', error: { code: 'gateway.tls' } });
  });

  it.each([
    ['refuses is reported by name', '403 Forbidden', 'The proxy does not allow requests to localhost:9 ('],
    ['requires a sign-in is reported as such, with what IT can do', signIn, 'localhost:9 requires a sign-in'],
  ])('a proxy that %s, and nothing is sent', async (_, refusal, words) => {
    const { resolveProxy } = await proxyThat(false, refusal);
    const outcome = await raise(gatewayOf({ resolveProxy }), secureProfile(9));
    const message = expect.stringContaining(words) as string;
    expect(outcome).toMatchObject({ kind: 'not-sent', error: { message } });
  });

  it('a proxy that does not answer delays a request only until the connection timeout', async () => {
    const mute = createServer();
    mute.on('connect', () => undefined);
    const { port } = await listen(mute);
    const resolveProxy = async () => `PROXY 127.0.0.1:${port}`;
    const profile = secureProfile(9, { timeouts: { connect: 500, headers: 20_000, body: 20_000 } });
    expect(await raise(gatewayOf({ resolveProxy }), profile)).toMatchObject({ kind: 'not-sent' });
  });

  it('a proxy is never used for the sandbox', async () => {
    const { asked, resolveProxy } = await proxyThat(true);
    const server = await answering(json({ redirect_url: 'https://pay.example/1' }));
    await raise(gatewayOf({ resolveProxy }), sandboxProfile(server.port));
    expect([asked.length, server.requests.length]).toEqual([0, 1]);
  });
});

describe("a browser's proxy decision", () => {
  it.each([
    ['DIRECT', { kind: 'direct' }],
    ['', { kind: 'direct' }],
    ['PROXY proxy.example:8080', { kind: 'proxy', uri: 'http://proxy.example:8080' }],
    ['HTTPS proxy.example:443; DIRECT', { kind: 'proxy', uri: 'https://proxy.example:443' }],
    ['SOCKS5 a:1; PROXY b:2', { kind: 'proxy', uri: 'http://b:2' }],
    ['SOCKS5 a:1; DIRECT', { kind: 'direct' }],
    ['SOCKS5 a:1', { kind: 'unsupported', proxy: 'SOCKS5 a:1' }],
  ])('a browser’s proxy decision is read: %j', (decision, route) =>
    expect(readRoute(decision)).toEqual(route),
  );
});

describe('a base address', () => {
  const otherForms = ['pay.example', 'ftp://pay.example', 'https://user:pw@pay.example', ''];
  const liveRefused = [...otherForms, 'https://pay.example/?a=1', 'https://pay.example/#x'];
  it.each([
    ['live', 'https://pay.example', 'https://pay.example'],
    ['test', ' https://pay.example/prefix/ ', 'https://pay.example/prefix'],
    ['sandbox', 'http://127.0.0.1:4000/', 'http://127.0.0.1:4000'],
  ] as const)('%s %s is used as %s', (kind, baseUrl, used) => {
    expect(checkBaseUrl({ kind, baseUrl })).toEqual({ ok: true, value: used });
  });

  it.each([
    ['live', 'http://pay.example'],
    ['sandbox', 'http://192.168.1.1'],
    ['sandbox', 'http://127.0.0.1.evil.example'],
    ...liveRefused.map(address => ['live', address] as const),
  ] as const)('%s %j is refused, with what to do', (kind, baseUrl) => {
    const checked = checkBaseUrl({ kind, baseUrl });
    expect(checked).toMatchObject({ ok: false, error: { code: 'input.invalid' } });
    expect(!checked.ok && checked.error.fields?.map(({ path }) => path)).toEqual(['baseUrl']);
  });
});
