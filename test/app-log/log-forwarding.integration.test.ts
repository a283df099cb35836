import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LogRecord } from '../../main/app-log/app-log.ts';
import { createLogForwarder, type LogForwarder } from '../../main/app-log/log-forwarder.ts';
import { syslogMessage } from '../../main/app-log/syslog-message.ts';
import { hasOpenssl, selfSigned } from '../gateway/gateway-server.ts';
import { newPayment, startTestApp, value } from '../../tools/app-harness/running-app.ts';

/** The application log at a real UDP, TCP or TLS server, and in a real file. */

const record = (message: string, level: LogRecord['level'] = 'warn'): LogRecord => ({
  level,
  area: 'gateway',
  line: `${JSON.stringify({ time: '2026-07-01T12:00:00.000Z', level, area: 'gateway', message })}\n`,
});
const header = (priority: number): RegExp =>
  new RegExp(`^<${priority}>1 2026-07-01T12:00:00\\.000Z \\S+ counterfoil ${process.pid} gateway - `);

let folder: string;
let forwarder: LogForwarder;
let changes: { problem: string | null; dropped: number }[];
const servers: (Server | UdpSocket)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'counterfoil-forwarding-'));
  changes = [];
  forwarder = createLogForwarder((problem, dropped) => changes.push({ problem, dropped }), { retryMs: 20 });
});
afterEach(async () => {
  await forwarder.close();
  for (const server of servers.splice(0)) server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Reads frames by octet counting (RFC 6587) from a connection. */
const frames = (socket: Socket, onMessage: (text: string) => void): void => {
  let rest = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const blank = rest.indexOf(' ');
      const length = Number(rest.toString('latin1', 0, blank));
      if (blank < 0 || rest.length < blank + 1 + length) return;
      onMessage(rest.toString('utf8', blank + 1, blank + 1 + length));
      rest = rest.subarray(blank + 1 + length);
    }
  });
};

const tcpServer = async (
  port = 0,
): Promise<{ port: number; received: string[]; stop: () => Promise<void> }> => {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createTcpServer(socket => {
    sockets.add(socket);
    frames(socket, text => received.push(text));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

const syslog = (
  port: number,
  protocol: 'udp' | 'tcp' | 'tls',
  ca: string | null = null,
  host = '127.0.0.1',
) => forwarder.setTarget({ to: 'syslog', host, port, protocol, ca });

describe('a syslog server', () => {
  test('a syslog server over UDP gets one datagram for each record, as RFC 5424 says', async () => {
    const received: string[] = [];
    const server = createSocket('udp4', bytes => received.push(bytes.toString('utf8')));
    servers.push(server);
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    syslog(server.address().port, 'udp');
    forwarder.send(record('The provider’s answer was slow.'));
    forwarder.send(record('Again.', 'error'));
    forwarder.send(record('Good.', 'info'));
    await expect.poll(() => received.length).toBe(3);
    expect(received[0]).toMatch(header(132));
    expect(received[1]).toMatch(header(131));
    expect(received[2]).toMatch(header(134));
    // ASCII, so that no receiver has to guess an encoding; JSON with the same content.
    expect(received[0]).toMatch(/^[ -~]*$/);
    expect(JSON.parse(received[0]?.replace(header(132), '') ?? '')).toMatchObject({
      message: 'The provider’s answer was slow.',
    });
  });

  test('a syslog server over TCP gets counted frames, also of records that were written while it was down', async () => {
    const first = await tcpServer();
    syslog(first.port, 'tcp');
    forwarder.send(record('one'));
    await expect.poll(() => first.received.length).toBe(1);
    await first.stop();
    await expect.poll(() => forwarder.state().waiting).toBe(0);
    await new Promise(done => setTimeout(done, 50));
    forwarder.send(record('two'));
    forwarder.send(record('three'));
    await expect.poll(() => forwarder.state().problem).toBe('ECONNREFUSED');
    expect(forwarder.state()).toMatchObject({ waiting: 2, dropped: 0 });
    const again = await tcpServer(first.port);
    await expect.poll(() => again.received.length, { timeout: 5_000 }).toBe(2);
    expect(again.received.map(text => text.includes('"two"') || text.includes('"three"'))).toEqual([
      true,
      true,
    ]);
    await expect
      .poll(() => changes)
      .toEqual([
        { problem: 'ECONNREFUSED', dropped: 0 },
        { problem: null, dropped: 0 },
      ]);
    await again.stop();
  });

  test.skipIf(!hasOpenssl)('a syslog server over TLS is trusted only by its certificate', async () => {
    const made = selfSigned('localhost', 2);
    const ca = join(folder, 'ca.pem');
    writeFileSync(ca, made.cert);
    const received: string[] = [];
    const server = createTlsServer(made, socket => frames(socket, text => received.push(text)));
    server.on('tlsClientError', () => undefined);
    servers.push(server);
    server.listen(0, 'localhost');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    // Some computers have this variable for another program.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    syslog(port, 'tls', null, 'localhost');
    forwarder.send(record('one'));
    await expect.poll(() => forwarder.state().problem).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(received).toEqual([]);
    vi.unstubAllEnvs();
    syslog(port, 'tls', ca, 'localhost');
    forwarder.send(record('two'));
    await expect.poll(() => received.length).toBe(1);
    expect(received[0]).toMatch(header(132));
  });

  test('a syslog server that is down costs at most a thousand records: the oldest are dropped and counted', async () => {
    const server = await tcpServer();
    await server.stop();
    syslog(server.port, 'tcp');
    for (let at = 0; at < 1_500; at += 1) forwarder.send(record(`record ${at}`));
    await expect.poll(() => forwarder.state()).toMatchObject({ waiting: 1_000, dropped: 500 });
    const again = await tcpServer(server.port);
    await expect.poll(() => again.received.length, { timeout: 5_000 }).toBe(1_000);
    expect(again.received[0]).toContain('record 500');
    expect(changes.reduce((sum, { dropped }) => sum + dropped, 0)).toBe(500);
    await again.stop();
  });
});

test('a datagram that would be too long is shortened, and stays JSON', () => {
  const long = record(`x${'é'.repeat(8_000)}`);
  const message = syslogMessage(long, { host: 'Kassen PC\n1', pid: 7 }, true);
  expect(message.length).toBeLessThan(8_192);
  expect(message).toMatch(/^<132>1 \S+ KassenPC1 counterfoil 7 gateway - \{/);
  expect(JSON.parse(message.slice(message.indexOf('{')))).toMatchObject({ shortened: true });
});

describe('a second file', () => {
  test('a file that the application log is forwarded to gets the same lines, is closed at its limit, and is written again after a failure', async () => {
    const file = join(folder, 'share', 'counterfoil.log');
    forwarder.setTarget({ to: 'file', file });
    const lines = [record('one'), record('two')];
    for (const one of lines) forwarder.send(one);
    await expect.poll(() => existsSync(file)).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(lines.map(({ line }) => line).join(''));
    rmSync(join(folder, 'share'), { recursive: true });
    writeFileSync(join(folder, 'share'), 'in the way');
    forwarder.send(record('three'));
    await expect.poll(() => forwarder.state().problem).not.toBeNull();
    rmSync(join(folder, 'share'));
    mkdirSync(join(folder, 'share'));
    chmodSync(join(folder, 'share'), 0o700);
    await expect.poll(() => existsSync(file), { timeout: 5_000 }).toBe(true);
    expect(readFileSync(file, 'utf8')).toContain('three');
  });
});

describe('in the running application', () => {
  test('forwarding starts with the setting, and what is forwarded contains no payment data', async () => {
    const received: string[] = [];
    const server = createSocket('udp4', bytes => received.push(bytes.toString('utf8')));
    servers.push(server);
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    const app = await startTestApp();
    value(
      await app.request('settings.change', {
        logForwarding: { to: 'syslog', host: '127.0.0.1', port: server.address().port, protocol: 'udp' },
      }),
    );
    value(
      await app.request('payments.create', {
        ...newPayment({ orderNumber: 'PRIVATE-ORDER-77', description: 'Private description' }),
        customer: { name: 'Private Person', email: 'private@example.com' },
        amount: '987.65',
      }),
    );
    await app.request('callbacks.inspect', { text: 'order_number=PRIVATE-ORDER-77&hash=1' });
    value(
      await app.request('app.reportError', {
        kind: 'error',
        name: 'Error',
        message: 'Failed for private@example.com with card 4111 1111 1111 1111',
        stack: null,
      }),
    );
    await expect.poll(() => received.length).toBeGreaterThan(0);
    await app.close();
    const text = received.join('\n');
    expect(text).toContain('Failed for');
    for (const secret of ['PRIVATE', 'Private', 'private@', '987', '4111'])
      expect(text).not.toContain(secret);
    await app.remove();
  });

  test('a path comes only from the dialog: the renderer cannot name a file', async () => {
    const app = await startTestApp();
    const file = join(folder, 'chosen.log');
    for (const logForwarding of [
      { to: 'file' as const, file },
      { to: 'syslog' as const, host: 'a', port: 1, protocol: 'tls' as const, ca: '/etc/passwd' },
    ])
      expect(await app.request('settings.change', { logForwarding })).toMatchObject({
        error: { message: { key: 'log-forwarding.path' } },
      });
    app.willSave(file);
    const { settings } = value(await app.request('appLog.chooseForwardFile', {}));
    expect(settings.logForwarding).toEqual({ to: 'file', file });
    await app.request('app.reportError', { kind: 'error', name: 'Error', message: 'broken', stack: null });
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toContain('broken');
    await app.remove();
  });
});
