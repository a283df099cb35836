import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { root } from '../../tools/build/steps.ts';
import { startTestApp } from '../../tools/app-harness/running-app.ts';
import { blocks } from './command-blocks.ts';

/** The commands for Linux of the documents for IT, in their order, in the home folder of an imaginary user. */

const home = newFolder('home');
const data = join(home, '.config', 'Counterfoil');
const policy = join(home, 'etc', 'policy.json');
const linesOf = (document: string): string[] =>
  blocks.filter(({ file, needs }) => file === document && needs === 'linux').flatMap(({ lines }) => lines);

const run = (line: string): Promise<{ code: number; output: string }> =>
  new Promise(resolve =>
    execFile(
      'sh',
      ['-c', line.replace('/etc/counterfoil/policy.json', policy)],
      { cwd: home, env: { ...process.env, HOME: home, PATH: [home, process.env['PATH']].join(delimiter) } },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    ),
  );

beforeAll(async () => {
  const app = await startTestApp();
  await app.close();
  cpSync(app.folder, data, { recursive: true });
  await app.remove();
  mkdirSync(join(data, 'logs'), { recursive: true });
  writeFileSync(join(data, 'logs', 'app.log'), '{"reference":"K7QW-2M9D"}\n');
  cpSync(join(root, 'docs/use/policy.example.json'), join(home, 'policy.json'));
  const child = join(root, 'test/status/status-child.ts');
  writeFileSync(
    join(home, 'counterfoil'),
    `#!/bin/sh\n[ "$*" = --status ] && exec "${process.execPath}" "${child}" "${data}" "${policy}"\nexit 9\n`,
  );
  chmodSync(join(home, 'counterfoil'), 0o755);
});

describe.runIf(process.platform === 'linux')('the commands for Linux', () => {
  test('the commands for Linux of docs/build/debugging.md find the record of a reference', async () => {
    const lines = linesOf('docs/build/debugging.md');
    expect(lines).toHaveLength(1);
    expect(await run(`cd .config/Counterfoil && ${lines[0] ?? ''}`)).toMatchObject({
      code: 0,
      output: expect.stringContaining('K7QW-2M9D'),
    });
  });

  test('the commands for Linux of docs/use/administration.md print the health', async () => {
    const lines = linesOf('docs/use/administration.md');
    expect(lines).toHaveLength(1);
    // 2: no console runs.
    const { code, output } = await run(lines[0] ?? '');
    expect([code, JSON.parse(output)]).toMatchObject([2, { state: 'not-running' }]);
  });

  test('the commands for Linux of docs/use/installation.md put the policy in force, back up, move and remove', async () => {
    for (const line of linesOf('docs/use/installation.md')) {
      const { code, output } = await run(line);
      if (line === 'counterfoil --status') {
        const { checks } = JSON.parse(output) as { checks: { name: string; state: string }[] };
        expect(checks.find(({ name }) => name === 'policy')?.state).toBe('good');
      } else expect({ line, code, output }).toMatchObject({ code: 0 });
      if (line.startsWith('tar') && line.includes(' -czf counterfoil-move'))
        // The new computer has nothing yet.
        rmSync(data, { recursive: true });
      expect(existsSync(join(data, 'payments.db'))).toBe(!/^rm |-czf counterfoil-move/.test(line));
    }
    expect(existsSync(join(home, 'counterfoil-backup.tar.gz'))).toBe(true);
  });
});
