import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Delivery, Receiver } from '../../main/callbacks/receiver.ts';
import { startReceiver } from '../../main/callbacks/start-receiver.ts';
import { fail, type Result } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import { forwarder, forwarderNames, type ForwarderName } from '../../shared/callbacks/forwarders.ts';
import { freePort, listening } from '../../tools/app-harness/ports.ts';

/** Each forwarder configuration, run by its program if that is installed. */

const path = '/5f1c2a7d';
const body =
  'id=1&order_number=A-1&order_amount=10.00&order_currency=EUR&order_description=+%C3%BC+%26+x&type=sale&status=success&hash=0';
const fields = [...new URLSearchParams(body)];

const has = (program: string, flag = '-v'): boolean => spawnSync(program, [flag]).error === undefined;

let folder: string;
let receiver: Receiver;
/** Listens in front of the receiver and records the bytes of every body. */
let tap: Server;
let bodies: Buffer[];
let seen: Delivery[];
let answer: Result<{ verified: boolean }>;
let children: ChildProcess[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'counterfoil-forward-'));
  seen = [];
  children = [];
  answer = { ok: true, value: { verified: true } };
  const started = await startReceiver({
    clock: Date.now,
    host: '127.0.0.1',
    port: 0,
    routes: new Map([[path, 'live']]),
    store: async delivery => {
      seen.push(delivery);
      return answer;
    },
  });
  if (!started.ok) throw new Error(started.error.code);
  receiver = started.value;
  bodies = [];
  tap = createHttpServer((request, response) => {
    void buffer(request).then(async bytes => {
      bodies.push(bytes);
      const type = request.headers['content-type'] ?? '';
      const answered = await fetch(`http://127.0.0.1:${receiver.port}${request.url}`, {
        method: request.method ?? '',
        headers: { 'content-type': type },
        ...(request.method === 'POST' ? { body: bytes } : {}),
      }).catch(() => null);
      if (!answered) response.destroy();
      else response.writeHead(answered.status).end(await answered.text());
    });
  }).listen(0, '127.0.0.1');
  await once(tap, 'listening');
});
afterEach(async () => {
  for (const child of children) {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  tap.close();
  tap.closeAllConnections();
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

const portOf = (server: NetServer): number => (server.address() as AddressInfo).port;
const address = (): string => `http://127.0.0.1:${portOf(tap)}${path}`;
/** A server's configuration, with the listener in front of the receiver as the end of the tunnel. */
const atServer = (name: ForwarderName): string =>
  forwarder(name, address()).replaceAll('127.0.0.1:8025', `127.0.0.1:${portOf(tap)}`);

const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): void => {
  children.push(spawn(program, args, { env: { ...process.env, ...env }, stdio: 'ignore', cwd: folder }));
};

/** Posts until the forwarder listens; resolves to the first answer. */
const post = (url: string, type = 'application/x-www-form-urlencoded'): Promise<Response> =>
  vi.waitFor(() => fetch(url, { method: 'POST', body, headers: { 'content-type': type } }), {
    interval: 25,
    timeout: 20_000,
  });

const expectForwarded = async (url: string): Promise<void> => {
  const good = await post(url);
  expect({ status: good.status, text: await good.text() }).toEqual({ status: 200, text: 'OK' });
  expect(bodies.map(String)).toEqual([body]);
  expect(seen.map(({ fields: arrived }) => arrived)).toEqual([fields]);
  answer = fail('log.full', msg('error.log.full'));
  // The gateway must get an error, because the callback was not stored.
  expect((await post(url)).status).toBe(503);
  expect((await fetch(url)).status).not.toBe(200);
};

describe('the configurations are consistent', () => {
  const onServer = forwarderNames.filter(name => name !== 'ssh');

  test.each(['http://127.0.0.1:41381/5f1c', 'http://localhost:41381/5f1c', 'http://[::1]:41381/5f1c'])(
    'for a receiver that only its PC can reach (%s), each configuration forwards to the tunnel’s end, and says so',
    url => {
      const [, end = '', host = '', port = ''] =
        /-R (127\.0\.0\.1:\d+):(\[::1\]|[\w.]+):(\d+) /.exec(forwarder('ssh', url)) ?? [];
      expect([host, port]).toEqual([new URL(url).hostname, '41381']);
      for (const name of onServer) {
        const text = forwarder(name, url);
        expect(text).toContain(
          `Forwards callbacks to http://${end} on this server, the end of the SSH tunnel`,
        );
        expect(text.split('\n').filter(line => line.includes(`http://${end}`)).length).toBeGreaterThan(1);
        expect(text).not.toContain('41381');
        // The configuration itself does not listen on the tunnel's port.
        expect(text).not.toContain(`?? ${end.split(':')[1]}`);
      }
    },
  );

  test('for a receiver on the network the configurations forward to its PC, and say so', () => {
    for (const name of onServer)
      expect(forwarder(name, 'http://192.168.7.20:8025/5f1c')).toContain(
        'Forwards callbacks to http://192.168.7.20:8025, the computer with Counterfoil',
      );
  });
});

describe('a callback sent to the forwarder reaches the receiver, and the receiver’s answer is returned', () => {
  test.skipIf(!has('nginx'))(
    'nginx forwards a callback to the receiver and returns its answer',
    { timeout: 20_000 },
    async () => {
      const port = await freePort();
      const snippet = atServer('nginx');
      writeFileSync(
        join(folder, 'nginx.conf'),
        `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
       ${userInfo().uid === 0 ? 'user root;' : ''} events {}
       http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
       fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
       server { listen 127.0.0.1:${port};\n${snippet}\n} }`,
      );
      run('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')]);
      await expectForwarded(`http://127.0.0.1:${port}${path}`);
    },
  );

  test.skipIf(!has('caddy', 'version'))(
    'Caddy forwards a callback to the receiver and returns its answer',
    { timeout: 20_000 },
    async () => {
      const port = await freePort();
      const snippet = atServer('caddy').replace('shop.example.com', `http://127.0.0.1:${port}`);
      writeFileSync(join(folder, 'Caddyfile'), `{\nadmin off\n}\n${snippet}`);
      run('caddy', ['run', '--config', join(folder, 'Caddyfile')], {
        HOME: folder,
        XDG_CONFIG_HOME: folder,
        XDG_DATA_HOME: folder,
      });
      await expectForwarded(`http://127.0.0.1:${port}${path}`);
    },
  );

  test.skipIf(!has('php'))(
    'the PHP script forwards a callback and returns the receiver’s answer, also if the gateway sends multipart',
    { timeout: 20_000 },
    async () => {
      const port = await freePort();
      writeFileSync(join(folder, 'callback.php'), atServer('php'));
      run('php', ['-S', `127.0.0.1:${port}`, '-t', folder]);
      const url = `http://127.0.0.1:${port}/callback.php`;
      await expectForwarded(url);
      answer = { ok: true, value: { verified: true } };
      const form = new FormData();
      for (const [name, value] of fields) form.append(name, value);
      expect((await fetch(url, { method: 'POST', body: form })).status).toBe(200);
      expect(seen.at(-1)?.fields).toEqual(fields);
    },
  );

  test(
    'the Node script forwards a callback to the receiver and returns its answer',
    { timeout: 20_000 },
    async () => {
      const port = await freePort();
      writeFileSync(join(folder, 'forward.mjs'), atServer('node'));
      run(process.execPath, [join(folder, 'forward.mjs')], { PORT: String(port) });
      await expectForwarded(`http://127.0.0.1:${port}${path}`);
      // Without the receiver the answer is 503, so that the gateway sends the callback again.
      await receiver.close();
      expect((await post(`http://127.0.0.1:${port}${path}`)).status).toBe(503);
    },
  );

  const sshd = '/usr/sbin/sshd';
  test.skipIf(userInfo().uid !== 0 || !has(sshd, '-V') || !has('ssh', '-V'))(
    'an SSH tunnel forwards a callback to the receiver and returns its answer',
    { timeout: 20_000 },
    async () => {
      const [port, far] = [await freePort(), await freePort()];
      for (const name of ['host', 'user'])
        spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]);
      writeFileSync(
        join(folder, 'sshd_config'),
        `ListenAddress 127.0.0.1:${port}\nHostKey ${folder}/host\nAuthorizedKeysFile ${folder}/user.pub\nStrictModes no\nUsePAM no\nPidFile ${folder}/sshd.pid\nPermitRootLogin yes\nPasswordAuthentication no\n`,
      );
      spawnSync('mkdir', ['-p', '/run/sshd']);
      run(sshd, ['-D', '-f', join(folder, 'sshd_config')]);
      const command = forwarder('ssh', address()).split('\n').at(-2) ?? '';
      const args = command
        .replace(':8025:', `:${far}:`)
        .replace('user@shop.example.com', `${userInfo().username}@127.0.0.1`)
        .split(' ')
        .slice(1);
      const known = ['-o', 'StrictHostKeyChecking=no', '-o', `UserKnownHostsFile=${folder}/known`];
      await listening(port);
      run('ssh', ['-p', String(port), '-i', join(folder, 'user'), ...known, ...args]);
      await expectForwarded(`http://127.0.0.1:${far}${path}`);
    },
  );
});
