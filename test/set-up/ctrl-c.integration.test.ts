import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { root } from '../../tools/build/steps.ts';

/** Signals the program and its children, as a terminal does. */
const signalAll = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
    process.kill(-child.pid, signal);
};

let running: ChildProcess | null = null;
afterEach(() => {
  if (running) signalAll(running, 'SIGKILL');
  running = null;
});

test.skipIf(process.platform === 'win32')(
  'Ctrl+C reaches a script twice, from the terminal and from its parent, and ends it once',
  async () => {
    const child = spawn('npm', ['run', '-s', 'sandbox'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    running = child;
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { base_url: baseUrl } = JSON.parse(line.toString()) as { base_url: string };
    expect((await fetch(baseUrl)).status).toBeLessThan(500);
    signalAll(child, 'SIGINT');
    await once(child, 'close');
    await expect(fetch(baseUrl)).rejects.toThrow('fetch failed');
  },
);
