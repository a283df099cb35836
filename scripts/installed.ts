import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { installedProgram, installCommand, removeCommand } from './packaging/installed-program.ts';
import { root } from './steps.ts';

/**
 * Tries the installed application, on machines that may be changed: `node scripts/installed.ts COMMAND`.
 *
 * `install FOLDER`: the package in a folder, over an older one if there is one. `start DATA`: starts the program on a
 * stored payment log, which is copied to DATA the first time, and verifies the log afterwards. `program` and
 * `archive`: print their paths. `remove`: removes it, and checks that neither program nor counterfoil: links are left.
 */

/** Time limit of a start, milliseconds. */
const startLimitMs = 60_000;

const [command = '', folder = ''] = process.argv.slice(2);

const run = ([program = '', ...args]: readonly string[]): void => {
  execFileSync(program, args, { stdio: 'inherit' });
};

const program = (): string => {
  const found = installedProgram();
  if (found === null) throw new Error('Counterfoil is not installed.');
  return found;
};

const statusSchema = z.object({ console: z.object({ state: z.string() }) });

/** Whether the program says that it runs. An exit code of 1 or 2 is a judgement, and no failure of the command. */
const isRunning = (data: string): boolean => {
  try {
    const args = ['--status', `--user-data-dir=${data}`];
    execFileSync(program(), args, { encoding: 'utf8', timeout: startLimitMs });
    return true;
  } catch (thrown) {
    const { stdout } = z.object({ stdout: z.string() }).parse(thrown);
    return stdout !== '' && statusSchema.parse(JSON.parse(stdout)).console.state === 'running';
  }
};

const start = async (data: string): Promise<void> => {
  const log = join(data, 'payments.db');
  mkdirSync(data, { recursive: true });
  if (!existsSync(log)) cpSync(join(root, 'test', 'fixtures', 'payment-log', 'version-1.db'), log);
  const child = spawn(program(), [`--user-data-dir=${data}`], { stdio: 'inherit' });
  const until = Date.now() + startLimitMs;
  while (!isRunning(data)) {
    if (child.exitCode !== null) throw new Error(`Counterfoil ended with ${String(child.exitCode)}.`);
    if (Date.now() > until) throw new Error('Counterfoil did not start.');
    await setTimeout(1000);
  }
  const ended = new Promise(resolve => child.once('exit', resolve));
  child.kill();
  await ended;
  run([process.execPath, join(root, 'scripts', 'log-verify.ts'), log]);
};

const commands: Readonly<Record<string, () => void | Promise<void>>> = {
  install: () => run(installCommand(join(folder, ''), readdirSync(folder))),
  start: () => start(folder),
  program: () => console.log(program()),
  archive: () =>
    console.log(
      join(
        program(),
        '..',
        ...(process.platform === 'darwin' ? ['..', 'Resources'] : ['resources']),
        'app.asar',
      ),
    ),
  remove: async () => {
    run(removeCommand(program()));
    const until = Date.now() + startLimitMs;
    // The uninstaller of Windows continues in a copy of itself.
    while (installedProgram() !== null && Date.now() < until) await setTimeout(500);
    if (installedProgram() !== null) throw new Error('Counterfoil is still there.');
  },
};
const chosen = commands[command];
if (chosen === undefined) throw new Error(`Unknown command: ${command}`);
await chosen();
