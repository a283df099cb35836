import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPayment, startTestApp, type TestApp } from '../../../tools/app-harness/running-app.ts';
import { intakeFolder, program, type IntakeFolder } from '../../../tools/intake-harness/running-intake.ts';
import { isPostgresMissing } from '../../../tools/postgres-harness/cluster.ts';
import {
  startDocumentedServer,
  type DocumentedServer,
} from '../../../tools/postgres-harness/documented-server.ts';

/**
 * What docs/use/team.md prints works: with its lines of postgresql.conf and pg_hba.conf, its commands are run in a shell,
 * in their order, and three consoles join over TLS.
 */

const root = join(import.meta.dirname, '../../..');
const document = readFileSync(join(root, 'docs/use/team.md'), 'utf8');
/** The lines of all blocks with this mark. */
const linesOf = (mark: string): string[] =>
  [...document.matchAll(new RegExp(`^\`\`\`${mark}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].flatMap(([, block = '']) =>
    block.split('\n').filter(line => line !== ''),
  );
const commands = linesOf('sh');
/** Addresses of this computer in place of the network's. */
const rules = linesOf('text').map(line => line.replace('192.168.10.0/24', '127.0.0.1/32'));
const settings = Object.fromEntries(
  linesOf('ini')
    .map(line => /^(\w+) = '?(.*?)'?$/.exec(line))
    .map(found => [found?.[1] ?? '', found?.[2] ?? ''] as const)
    .filter(([name]) => name !== 'listen_addresses'),
);

describe.skipIf(isPostgresMissing)('the document of a team (needs PostgreSQL)', () => {
  let server: DocumentedServer;
  let intake: IntakeFolder;
  const apps: TestApp[] = [];
  beforeAll(async () => {
    server = await startDocumentedServer(settings, rules);
    intake = intakeFolder();
  }, 60_000);
  afterAll(async () => {
    for (const app of apps) await app.remove();
    await intake?.remove();
    await server?.remove();
  });

  const run = (line: string): Promise<{ code: number; stdout: string; output: string }> => {
    const bin = join(intake.folder, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(
      join(bin, 'counterfoil-intake'),
      `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`,
    );
    chmodSync(join(bin, 'counterfoil-intake'), 0o755);
    const postgres = readdirSync('/usr/lib/postgresql').map(name => join('/usr/lib/postgresql', name, 'bin'));
    const env = {
      ...process.env,
      PATH: [bin, ...postgres, process.env['PATH']].join(delimiter),
      PGPORT: String(server.port),
      COUNTERFOIL_INTAKE_CONFIG: intake.configFile,
    };
    // Its administrator is the account of the test.
    const command = line.replaceAll('/var/run/postgresql', server.folder).replace('sudo -u postgres ', '');
    return new Promise(resolve =>
      execFile('sh', ['-c', command], { env, cwd: intake.folder }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, output: stdout + stderr }),
      ),
    );
  };

  test('the commands of the document of a team set up a shared payment log that three consoles join', async () => {
    const secret = join(intake.folder, 'database.password');
    writeFileSync(secret, 'none');
    const database = {
      host: server.name,
      port: server.port,
      name: 'counterfoil',
      tls: 'verify-full',
      ca: server.authority,
    };
    intake.configure({ database: { ...database, role: 'unknown', password: { file: secret } } });
    const texts: string[] = [];
    let installations = '';
    for (const line of commands) {
      const found = await run(line);
      expect({ line, ...found }).toMatchObject({ line, code: 0 });
      if (line.includes(' init '))
        expect(found.output).toMatch(/permits [\d,]+ connections, enough for \d+ installations/);
      if (line.includes('add-console')) texts.push(found.stdout.trim().split('\n').at(-1) ?? '');
      if (line.includes(' installations ')) installations = found.output;
    }
    const stranger = await run('counterfoil-intake installations --role stranger --host /var/run/postgresql');
    expect(stranger.code).toBe(2);
    expect(stranger.output).toMatch(/Peer authentication failed.*sudo -u postgres.*28000/s);
    // Over the network, peer authentication is not the cause.
    const network = await run(`counterfoil-intake installations --role stranger --host ${server.name}`);
    expect(network.code).toBe(2);
    expect(network.output).toMatch(/--role.*PGPASSWORD/s);
    expect(network.output).not.toContain('Peer');
    expect(texts).toHaveLength(3);
    expect(installations).toContain('Counter 3');

    for (const text of texts) {
      const app = await startTestApp();
      apps.push(app);
      expect((await app.value('team.check', { text })).canJoin).toBe(true);
      await app.value('team.join', { text });
    }
    const [first, , third] = apps;
    if (!first || !third) throw new Error('There are not three consoles.');
    const form = newPayment();
    await first.value('payments.create', form);
    await expect
      .poll(async () => (await third.value('payments.list', { filter: {} })).rows.map(row => row.orderNumber))
      .toContain(form.orderNumber);
  }, 60_000);
});
