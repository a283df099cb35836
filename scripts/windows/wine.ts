import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from '../../tools/build/steps.ts';

/** Programs for Windows, run by Wine on Linux. */

/** Everything that `npm run test:windows` fetches and builds. Not under node_modules: tests in it would be ignored. */
export const cacheFolder = join(root, '.windows');

export const wineEnv: NodeJS.ProcessEnv = {
  ...process.env,
  WINEPREFIX: join(cacheFolder, 'prefix'),
  WINEARCH: 'win64',
  WINEDEBUG: '-all',
  // Otherwise Wine offers to install .NET and a browser.
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
  DISPLAY: undefined,
  // Linux paths and Linux programs.
  TMPDIR: undefined,
  NODE_COMPILE_CACHE: undefined,
};

const required = [
  { program: 'wine', packages: ['wine', 'wine64'] },
  { program: 'x86_64-w64-mingw32-gcc', packages: ['gcc-mingw-w64-x86-64-win32'] },
] as const;

const isInstalled = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some(folder => existsSync(join(folder, program)));

/** Why Windows programs cannot be run here, and what to install; null if they can. */
export const whyNoWindows = (): string | null => {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return 'it needs Linux on an x64 processor, with Wine';
  const packages = required.flatMap(({ program, packages }) => (isInstalled(program) ? [] : packages));
  return packages.length === 0
    ? null
    : `install Wine and a compiler first: sudo apt-get install -y --no-install-recommends ${packages.join(' ')}`;
};

/** Whether a process runs. */
const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Keeps a second run from ending the programs of the first: they share one Wine prefix. Returns the first one's id. */
export const holdCacheFolder = (): number | null => {
  mkdirSync(cacheFolder, { recursive: true });
  const file = join(cacheFolder, 'running');
  const other = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  if (other > 0 && isRunning(other)) return other;
  writeFileSync(file, String(process.pid));
  process.on('exit', () => rmSync(file, { force: true }));
  return null;
};

/** Runs a Windows program of Wine itself to its end. Throws if it fails. */
export const wineTool = (...args: readonly string[]): void => {
  execFileSync('wine', args, { env: wineEnv, stdio: 'ignore', timeout: 120_000 });
};

/** Ends the processes of our Wine prefix that still run. */
export const stopWine = (): void => {
  try {
    execFileSync('wineserver', ['-k', '-w'], { env: wineEnv, stdio: 'ignore', timeout: 30_000 });
  } catch {
    // None runs.
  }
};

/** The path of a file of this computer as a Windows program gets it. */
export const windowsPath = (path: string): string => `Z:${path.replaceAll('/', '\\')}`;

/** Interval between two reads of the output. */
const readMs = 100;

/**
 * Runs a Windows program and passes its output on, line by line. The output goes through a file: Node for Windows
 * cannot write to a Unix pipe under Wine. Resolves to the exit code.
 */
export const runUnderWine = async (
  args: readonly string[],
  options: { cwd: string; log: string; env?: NodeJS.ProcessEnv },
  onLine: (line: string) => void,
): Promise<number> => {
  const output = openSync(options.log, 'w');
  const child = spawn('wine', args, {
    cwd: options.cwd,
    env: { ...wineEnv, ...options.env },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  let exitCode: number | null = null;
  child.on('exit', code => (exitCode = code ?? 1));
  child.on('error', () => (exitCode = 1));
  const stop = (): void => {
    stopWine();
    process.exit(1);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
  let passed = 0;
  for (;;) {
    // Before the read, so that the last read gets everything.
    const code = exitCode;
    const lines = readFileSync(options.log, 'utf8').split(/\r?\n/);
    for (const line of lines.slice(passed, -1)) onLine(line);
    passed = lines.length - 1;
    if (code === null) await wait(readMs);
    else {
      const last = lines.at(-1);
      if (last) onLine(last);
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, stop);
      return code;
    }
  }
};
