import { spawn, type ChildProcess } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { build } from '../../tools/build/build.ts';
import { chooseHost, hasDisplay } from '../../tools/build/host.ts';
import { root } from '../../tools/build/steps.ts';

/** Opens Counterfoil, and restarts it with every change of its sources: `npm run dev`. */

if (!hasDisplay()) {
  console.error('There is no display here; `npm run tour` plays the console without one.');
  process.exit(1);
}

const host = await chooseHost();
if (!host) process.exit(1);
console.log(host.description);
let running: ChildProcess | null = null;
let timer: NodeJS.Timeout | undefined;
let queue = Promise.resolve();

const ended = (child: ChildProcess): Promise<void> =>
  new Promise(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('close', () => resolve());
    child.kill('SIGTERM');
  });

const reopen = async (): Promise<void> => {
  if (!(await build())) {
    console.error('The build failed; the window shows the last good one.');
    return;
  }
  if (running) await ended(running);
  running = spawn(host.command, host.args, { stdio: 'inherit' });
};

for (const folder of ['main', 'preload', 'renderer', 'shared', 'assets'])
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      queue = queue.then(reopen);
    }, 200);
  });
queue = queue.then(reopen);
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    running?.kill('SIGTERM');
    process.exit(0);
  });
