import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { installedProgram, installCommand, removeCommand } from './installed-program.ts';
import { root } from '../../tools/build/steps.ts';

/**
 * Tries the installed application, on machines that may be changed: `node scripts/packaging/installed.ts COMMAND`.
 *
 * `install FOLDER`: the package in a folder, over an older one if there is one. `upgrade FOLDER DATA`: the same while
 * the program runs on the payment log in DATA. `start DATA`: starts the program on a
 * stored payment log, which is copied to DATA the first time, and verifies the log afterwards. `program` and
 * `archive`: print their paths. `remove`: removes it, and checks that neither program nor counterfoil: links are left.
 */

/** Time limit of a start. */
const startLimitMs = 60_000;

const [command = '', folder = '', data = ''] = process.argv.slice(2);

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

/** Starts the program on a stored payment log, and waits until it runs. */
const launch = async (
  data: string,
): Promise<{ child: ChildProcess; ended: Promise<unknown>; log: string }> => {
  const log = join(data, 'payments.db');
  mkdirSync(data, { recursive: true });
  if (!existsSync(log)) cpSync(join(root, 'test', 'fixtures', 'payment-log', 'version-1.db'), log);
  const child = spawn(program(), [`--user-data-dir=${data}`], { stdio: 'inherit' });
  const ended = new Promise(resolve => child.once('exit', resolve));
  const until = Date.now() + startLimitMs;
  while (!isRunning(data)) {
    if (child.exitCode !== null) throw new Error(`Counterfoil ended with ${String(child.exitCode)}.`);
    if (Date.now() > until) throw new Error('Counterfoil did not start.');
    await setTimeout(1000);
  }
  return { child, ended, log };
};

/** Ends what is launched, unless the installer did, and verifies its payment log. */
const finish = async ({ child, ended, log }: Awaited<ReturnType<typeof launch>>): Promise<void> => {
  child.kill();
  await ended;
  run([process.execPath, join(root, 'scripts', 'app', 'log-verify.ts'), log]);
};

const start = async (data: string): Promise<void> => finish(await launch(data));

const install = (packages: string): void => run(installCommand(join(packages, ''), readdirSync(packages)));

/** Installs over the program while it runs: it must start again, with the payment log that it had. */
const upgrade = async (packages: string, data: string): Promise<void> => {
  const running = await launch(data);
  install(packages);
  await finish(running);
  await start(data);
};

const commands: Readonly<Record<string, () => void | Promise<void>>> = {
  install: () => install(folder),
  upgrade: () => upgrade(folder, data),
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
