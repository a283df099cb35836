import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startReceiver } from '../../main/callbacks/start-receiver.ts';
import {
  isServerName,
  recipeServers,
  tunnelRecipe,
  type RecipeServer,
  type RecipeStep,
} from '../../shared/callbacks/tunnel-recipe.ts';
import { freePort, listening } from '../../tools/app-harness/ports.ts';

/** The recipe for a receiver behind NAT: each text is checked by its own program, if that is installed. */

const has = (program: string, flag: string): boolean => spawnSync(program, [flag]).error === undefined;
const sshd = '/usr/sbin/sshd';
const path = '/5f1c2a7d';

let folder: string;
let children: ChildProcess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'counterfoil-recipe-'));
  children = [];
});
afterEach(async () => {
  for (const child of children) {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

const textOf = (
  id: RecipeStep['id'],
  server: RecipeServer = 'caddy',
  address = `http://127.0.0.1:41381${path}`,
): string => tunnelRecipe(server, address, 'pay.example.org').find(step => step.id === id)?.text ?? '';
/** Runs a program to its end; returns its status and everything it wrote. */
const run = (program: string, args: readonly string[]): { status: number | null; text: string } => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 20_000 });
  return { status, text: `${stdout}${stderr}` };
};
/** The command of the service, with the home folder that systemd puts in. */
const commandOf = (unit: string, home: string): string[] =>
  (/^ExecStart=(.+)$/m.exec(unit)?.[1] ?? '').replaceAll('%h', home).split(' ');

describe('the texts fit together', () => {
  test.each([...recipeServers])(
    'both ends of the tunnel, the path and the name are the same (%s)',
    server => {
      const end = '127.0.0.1:8025';
      expect(textOf('account', server)).toContain(`permitlisten="${end}"`);
      expect(textOf('unit', server)).toContain(
        `-R ${end}:127.0.0.1:41381 counterfoil-tunnel@pay.example.org`,
      );
      expect(textOf('server', server)).toContain(end);
      expect(textOf('server', server)).toContain(path);
      expect(textOf('server', server)).not.toContain('shop.example.com');
      expect(textOf('dashboard', server)).toBe(`https://pay.example.org${path}\n`);
    },
  );

  test('a receiver on another address is reached there, and the server’s part still uses the tunnel', () => {
    const address = `http://192.168.7.20:8099${path}`;
    expect(textOf('unit', 'nginx', address)).toContain('-R 127.0.0.1:8025:192.168.7.20:8099 ');
    expect(textOf('server', 'nginx', address)).toContain(`proxy_pass http://127.0.0.1:8025${path}`);
    expect(textOf('unit', 'nginx', `http://0.0.0.0:8099${path}`)).toContain(':127.0.0.1:8099 ');
  });

  test('a name that could be read as a command is refused', () => {
    for (const name of ['shop.example.com', 'a-b.example', 'xn--bcher-kva.example'])
      expect(isServerName(name)).toBe(true);
    for (const name of [
      '',
      'shop',
      '-o.example',
      'a b.example',
      'a.example;ls',
      '$(x).example',
      'a..b',
      'x.example/',
    ])
      expect(isServerName(name)).toBe(false);
  });
});

describe('each text is accepted by its program', () => {
  test.skipIf(!has('bash', '--version'))('bash accepts the commands of the tunnel', () => {
    for (const id of ['key', 'account', 'start'] as const)
      expect(run('bash', ['-n', '-c', textOf(id)])).toEqual({ status: 0, text: '' });
  });

  test.skipIf(!has('systemd-analyze', '--version'))(
    'systemd-analyze accepts the service of the tunnel',
    () => {
      const file = join(folder, 'counterfoil-tunnel.service');
      writeFileSync(file, textOf('unit'));
      // Without a login session there is no folder for a user's units to run in.
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--user', '--man=no', file], {
        encoding: 'utf8',
        env: { ...process.env, XDG_RUNTIME_DIR: folder },
      });
      expect({ status, about: stderr.split('\n').filter(line => line.includes(file)) }).toEqual({
        status: 0,
        about: [],
      });
    },
  );

  test.skipIf(!has('ssh', '-V'))('ssh accepts the options of the tunnel', () => {
    const [program = '', ...args] = commandOf(textOf('unit'), folder);
    const { status, text } = run(program, ['-G', ...args]);
    expect(status).toBe(0);
    expect(text).toContain('remoteforward [127.0.0.1]:8025 [127.0.0.1]:41381');
    expect(text).toContain('exitonforwardfailure yes');
    expect(text).toContain('hostname pay.example.org');
  });

  test.skipIf(!has('caddy', 'version'))('Caddy accepts the server’s part of the tunnel', () => {
    const file = join(folder, 'Caddyfile');
    writeFileSync(file, textOf('server', 'caddy'));
    const { status, text } = run('caddy', ['adapt', '--config', file, '--adapter', 'caddyfile']);
    expect(status).toBe(0);
    expect(text).toContain('127.0.0.1:8025');
    expect(text).toContain('pay.example.org');
  });

  test.skipIf(!has('nginx', '-v'))('nginx accepts the server’s part of the tunnel', () => {
    writeFileSync(
      join(folder, 'nginx.conf'),
      `pid ${folder}/pid; error_log ${folder}/error.log; events {}
       http { access_log off; server { listen 127.0.0.1:9;\n${textOf('server', 'nginx')}\n} }`,
    );
    const { status, text } = run('nginx', ['-t', '-p', folder, '-c', join(folder, 'nginx.conf')]);
    expect({ status, text }).toMatchObject({
      status: 0,
      text: expect.stringContaining('successful') as string,
    });
  });
});

test.skipIf(userInfo().uid !== 0 || !has(sshd, '-V') || !has('ssh', '-V') || !has('caddy', 'version'))(
  'the whole way works: Caddy, the account’s key that may only open this port, the service’s command, the receiver',
  { timeout: 40_000 },
  async () => {
    const [port, far, web] = [await freePort(), await freePort(), await freePort()];
    const stored: unknown[] = [];
    const started = await startReceiver({
      clock: Date.now,
      host: '127.0.0.1',
      port: 0,
      routes: new Map([[path, 'live']]),
      store: async delivery => {
        stored.push(delivery.fields);
        return { ok: true, value: { verified: true } };
      },
    });
    if (!started.ok) throw new Error(started.error.code);
    const receiver = started.value;
    const address = `http://127.0.0.1:${receiver.port}${path}`;
    const moved = (text: string): string => text.replaceAll('127.0.0.1:8025', `127.0.0.1:${far}`);

    mkdirSync(join(folder, '.ssh'));
    const key = join(folder, '.ssh', 'counterfoil-tunnel');
    for (const file of [join(folder, 'host'), key])
      spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
    const allowed = /^echo '(.+)' \|/m.exec(moved(textOf('account', 'caddy', address)))?.[1] ?? '';
    writeFileSync(
      join(folder, 'allowed'),
      allowed.replace('PUBLIC-KEY', readFileSync(`${key}.pub`, 'utf8').trim()),
    );
    writeFileSync(
      join(folder, 'sshd_config'),
      `ListenAddress 127.0.0.1:${port}\nHostKey ${folder}/host\nAuthorizedKeysFile ${folder}/allowed\nStrictModes no\nUsePAM no\nPidFile ${folder}/sshd.pid\nPermitRootLogin yes\nPasswordAuthentication no\n`,
    );
    spawnSync('mkdir', ['-p', '/run/sshd']);
    children.push(spawn(sshd, ['-D', '-f', join(folder, 'sshd_config')], { stdio: 'ignore' }));
    await listening(port);
    const tunnel = (unit: string): string[] =>
      commandOf(unit, folder).map(part =>
        part === 'counterfoil-tunnel@pay.example.org' ? `${userInfo().username}@127.0.0.1` : part,
      );
    const own = ['-p', String(port), '-o', `UserKnownHostsFile=${folder}/known`];
    const [program = '', ...args] = tunnel(moved(textOf('unit', 'caddy', address)));
    // The key opens no other port, and runs no command.
    const elsewhere = args.map(part => part.replace(`127.0.0.1:${far}:`, `127.0.0.1:${web}:`));
    expect(run(program, [...own, ...elsewhere]).status).not.toBe(0);
    children.push(spawn(program, [...own, ...args], { stdio: 'ignore' }));
    await listening(far);

    const site = moved(textOf('server', 'caddy', address)).replace(
      'pay.example.org',
      `http://127.0.0.1:${web}`,
    );
    writeFileSync(join(folder, 'Caddyfile'), `{\nadmin off\n}\n${site}`);
    const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
    children.push(spawn('caddy', ['run', '--config', join(folder, 'Caddyfile')], { env, stdio: 'ignore' }));
    await listening(web);
    const body = new URLSearchParams({ id: '1', order_number: 'A-1', type: 'sale', status: 'success' });
    const answer = await fetch(`http://127.0.0.1:${web}${path}`, { method: 'POST', body });
    expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 200, text: 'OK' });
    expect(stored).toEqual([[...body]]);
    await receiver.close();
    const down = await fetch(`http://127.0.0.1:${web}${path}`, { method: 'POST', body });
    expect(down.status).toBe(502);
  },
);
