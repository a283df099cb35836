import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { root } from '../../scripts/steps.ts';

/** The doors as another program uses them: through npm, with pipes, ended by a signal. */

let running: ChildProcess | null = null;
/** To the program and all it started, as a terminal does with Ctrl+C. */
const signalAll = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
    process.kill(-child.pid, signal);
};
afterEach(() => {
  if (running) signalAll(running, 'SIGKILL');
  running = null;
});

describe.skipIf(process.platform === 'win32')('npm run -s sandbox', () => {
  test.each([
    ['a supervisor sends SIGTERM', (child: ChildProcess) => child.kill('SIGTERM')],
    ['Ctrl+C is pressed', (child: ChildProcess) => signalAll(child, 'SIGINT')],
  ])('prints one line of JSON, and stops when %s', async (_, end) => {
    const child = spawn('npm', ['run', '-s', 'sandbox'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    running = child;
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    await once(child.stdout, 'data');
    const { base_url: baseUrl } = JSON.parse(out) as { base_url: string };
    expect((await fetch(new URL('/', baseUrl))).status).toBeLessThan(500);

    end(child);
    await once(child, 'close');
    expect(out.trimEnd().split('\n')).toHaveLength(1);
    await expect(fetch(new URL('/', baseUrl))).rejects.toThrow('fetch failed');
  });
});

describe('npm run -s inspect', () => {
  test('gives back the exit code of what it ran', async () => {
    const child = spawn('npm', ['run', '-s', 'inspect', '--', 'no-such-file'], {
      cwd: root,
      stdio: 'ignore',
      shell: process.platform === 'win32',
    });
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBeGreaterThan(0);
  });
});
