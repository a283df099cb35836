import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { borrowCluster } from '../../tools/postgres-harness/borrowed-cluster.ts';
import { isPostgresMissing, type Cluster } from '../../tools/postgres-harness/cluster.ts';
import { signedCallbacks } from '../../scripts/load/callbacks.ts';
import {
  intakeFolder,
  password,
  program,
  type IntakeFolder,
} from '../../tools/intake-harness/running-intake.ts';

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
  intake = intakeFolder();
});
afterEach(() => intake.remove());

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
