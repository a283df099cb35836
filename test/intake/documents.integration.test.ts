import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasOpenssl, selfSigned } from '../../tools/server-harness/self-signed.ts';
import { borrowCluster } from '../../tools/postgres-harness/borrowed-cluster.ts';
import { type Cluster, isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';
import { signedCallbacks } from '../../scripts/load/callbacks.ts';
import { newIntake } from '../../tools/intake-harness/new-intake.ts';
import { type IntakeFolder, password, program } from '../../tools/intake-harness/running-intake.ts';

/** What docs/use/intake.md prints works: each command of its blocks is run in a shell, in its order. */

const root = join(import.meta.dirname, '../..');
const document = readFileSync(join(root, 'docs/use/intake.md'), 'utf8');
const commands = [...document.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].flatMap(([, block = '']) =>
  block
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== ''),
);
/** Commands about the shared log. */
const isShared = (line: string): boolean => /--host|--shared/.test(line);

let intake: IntakeFolder;
beforeEach(() => {
  intake = newIntake();
});

const run = (line: string): Promise<{ code: number; output: string }> => {
  const bin = join(intake.folder, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'counterfoil-intake'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  // The files of the test are the tester's own.
  writeFileSync(join(bin, 'sudo'), '#!/bin/sh\nexec "$@"\n');
  for (const name of ['counterfoil-intake', 'sudo']) chmodSync(join(bin, name), 0o755);
  const env = {
    ...process.env,
    PATH: [bin, process.env['PATH']].join(delimiter),
    COUNTERFOIL_INTAKE_CONFIG: intake.configFile,
  };
  return new Promise(resolve =>
    execFile(
      'sh',
      ['-c', line.replaceAll('/var/backups', intake.folder)],
      { env, cwd: intake.folder },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    ),
  );
};

describe.skipIf(process.platform === 'win32')('the document of the intake', () => {
  test('the document of the intake prints commands that work', async () => {
    const running = await intake.start();
    intake.configure({ admin: { port: Number(new URL(running.admin).port) } });
    expect(await running.post(signedCallbacks(password)().replace('LOAD-1', 'ORDER-1'))).toBe(200);
    expect(commands.length).toBeGreaterThan(5);
    for (const line of commands.filter(one => !isShared(one)))
      expect({ line, ...(await run(line)) }).toMatchObject({ line, code: 0 });
    await running.end('SIGTERM');
  });

  describe.skipIf(isPostgresMissing)('with a shared log (PostgreSQL)', () => {
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await borrowCluster();
    }, 30_000);
    afterAll(() => cluster.remove());

    test('the document of the intake prints commands for a shared log that work', async () => {
      await cluster.sql("CREATE DATABASE counterfoil ENCODING 'UTF8' TEMPLATE template0");
      const database = { host: '127.0.0.1', port: cluster.port, name: 'counterfoil' };
      const secret = join(intake.folder, 'database.password');
      writeFileSync(secret, 'none');
      intake.configure({ database: { ...database, role: 'unknown', password: { file: secret } } });
      for (const line of commands.filter(isShared)) {
        const found = await run(line.replaceAll('/var/run/postgresql', cluster.folder));
        expect({ line, ...found }).toMatchObject({ line, code: 0 });
        if (!line.includes('add-intake')) continue;
        const [role = '', , password = ''] = found.output.trim().split('\n');
        writeFileSync(secret, password);
        const account = { role: role.replace(/^.*: /, ''), password: { file: secret } };
        intake.configure({ database: { ...database, ...account } });
      }
    });
  });

  test('the document of the intake has every command, every setting and every metric', async () => {
    const { output } = await run('counterfoil-intake');
    for (const [, name] of output.matchAll(/^ {2}([a-z-]+) /gm)) expect(document).toContain(`\`${name}`);
    const example = readFileSync(join(root, 'assets/intake/intake.example.json'), 'utf8');
    for (const [, name] of example.matchAll(/"([A-Za-z]+)":/g))
      expect(document).toMatch(new RegExp(`[\`.]${name}[\`.[]|"${name}"`));
    const metrics = readFileSync(join(root, 'main/intake/serve/metrics.ts'), 'utf8');
    for (const [name] of metrics.matchAll(/counterfoil_\w+/g)) expect(document).toContain(name);
    const alerts = readFileSync(join(root, 'docs/use/intake-alerts.example.yml'), 'utf8');
    for (const [name] of alerts.matchAll(/counterfoil_\w+/g)) expect(metrics).toContain(name);
  });
});

test.skipIf(spawnSync('systemd-analyze', ['--version']).error !== undefined)('the service is valid', () => {
  const unit = readFileSync(join(root, 'assets/intake/counterfoil-intake.service'), 'utf8');
  const file = join(intake.folder, 'counterfoil-intake.service');
  writeFileSync(file, unit.replace('/usr/bin/counterfoil-intake', '/bin/true'));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

/** The pages that customers see after the payment page, from an intake as a process. */

const paths = ['/return/thank-you', '/return/cancelled'];

describe.skipIf(process.platform === 'win32')('the return pages of an intake', () => {
  test('return pages name the merchant, allow only their own style, have no effect, and are limited for each address', async () => {
    intake.configure({ returnPages: { enabled: true, merchant: '<Käse> & Söhne' } });
    const running = await intake.start();
    const base = new URL(running.url).origin;
    for (const path of paths) {
      const answer = await fetch(`${base}${path}?order=SECRET-1&status=paid`);
      const text = await answer.text();
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      );
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect(text).toContain('&lt;Käse&gt; &amp; Söhne');
      expect(text).not.toContain('SECRET-1');
      const head = await fetch(base + path, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(head.headers.get('content-length')).toBe(answer.headers.get('content-length'));
      const posted = await fetch(base + path, { method: 'POST', body: 'order_number=1' });
      expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
    expect((await running.health()).health.journal.events).toBe(0);
    expect(running.output()).not.toContain('SECRET-1');
    expect((await fetch(`${base}/return/other`)).status).toBe(404);
    const asked = await Promise.allSettled(
      Array.from({ length: 260 }, () => fetch(`${base}/return/thank-you`).then(({ status }) => status)),
    );
    const answered = asked.filter(one => one.status === 'fulfilled').length;
    expect(answered).toBeGreaterThanOrEqual(150);
    expect(answered).toBeLessThan(260);
  });
});

describe('the certificate of an intake', () => {
  /** The certificate of an intake is renewed without closing the listener. */

  const makeCertificate = (name: string): void => {
    const { key, cert } = selfSigned(name);
    writeFileSync(join(intake.folder, 'tls.key'), key);
    writeFileSync(join(intake.folder, 'tls.crt'), cert);
  };
  const servedName = async (port: number): Promise<string> => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { CN } = socket.getPeerCertificate().subject;
    socket.destroy();
    return String(CN);
  };

  test.skipIf(!hasOpenssl)(
    'SIGHUP uses the new certificate; one that cannot be used leaves the old one',
    async () => {
      makeCertificate('first.example');
      intake.configure({ listen: { port: 0, tls: { certificate: 'tls.crt', key: 'tls.key' } } });
      expect((await intake.command('check')).stdout).toContain('certificate of first.example, valid until ');
      const running = await intake.start();
      const port = Number(new URL(running.url).port);
      expect(await servedName(port)).toBe('first.example');
      makeCertificate('second.example');
      running.child.kill('SIGHUP');
      await expect.poll(() => servedName(port)).toBe('second.example');
      writeFileSync(join(intake.folder, 'tls.crt'), 'nothing');
      running.child.kill('SIGHUP');
      await expect.poll(() => running.output()).toContain('The certificate cannot be used');
      expect(await servedName(port)).toBe('second.example');
    },
  );
});
