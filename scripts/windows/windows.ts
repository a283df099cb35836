import { dirname, join } from 'node:path';
import { setUpWindows } from './set-up.ts';
import { cacheFolder, holdCacheFolder, runUnderWine, stopWine, whyNoWindows, windowsPath } from './wine.ts';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { bundleLikeMain } from '../../tools/build/bundle-like-main.ts';
import { root } from '../../tools/build/steps.ts';
import { execFileSync } from 'node:child_process';

/**
 * Runs the application without its window on Node for Windows, under Wine: `npm run test:windows`. With `--all`, runs
 * the unit and integration tests there instead; further arguments go to Vitest. See docs/build/testing.md.
 */

/** A copy of the project with the packages of Windows: Vitest, its bundler and the native modules differ by system. */

/** Tests that cannot run under Wine, each with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  'test/commands/commands.integration.test.ts': 'Starts npm.',
  'test/lint/import-rules.integration.test.ts': 'The linter does not find its second program there.',
  'test/load/receiver-load.integration.test.ts': 'Expects the speed of a real disk.',
  'test/scripts/steps.integration.test.ts': 'Needs a symbolic link to another drive.',
  'test/scripts/structure.test.ts': 'Starts git.',
  'test/packing/refusals.integration.test.ts':
    'Deletes an archive that the packer has open, as Windows permits since version 1709.',
};

const filesOf = (folder: string): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: folder,
    encoding: 'utf8',
  })
    .split('\0')
    .filter(file => file !== '' && !(file in leftOut) && existsSync(join(folder, file)));

/** Copies the sources, and installs the packages if the lockfile has changed. Returns the folder. Throws what npm reports. */
const makeCheckout = (): string => {
  const folder = join(cacheFolder, 'checkout');
  const listFile = join(cacheFolder, 'checkout.files');
  mkdirSync(folder, { recursive: true });
  const earlier = existsSync(listFile) ? readFileSync(listFile, 'utf8').split('\n') : [];
  const files = filesOf(root);
  for (const file of earlier) if (!files.includes(file)) rmSync(join(folder, file), { force: true });
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file), { preserveTimestamps: true });
  }
  writeFileSync(listFile, files.join('\n'));
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const stamp = join(folder, 'node_modules', '.installed-from');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return folder;
  console.log('Installing the packages of Windows (npm ci), about half a minute…');
  // No script of a package may run: they would run for Linux.
  const args = ['ci', '--os=win32', '--cpu=x64', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] });
  writeFileSync(stamp, lock);
  return folder;
};

const tests = join(root, 'test', 'windows');

/**
 * Bundles the tests for Windows with the application without its window, its workers and the commands into `folder`:
 * sources would need the packages of Windows. Returns the paths of the test files.
 */
const bundleWindowsTests = async (folder: string): Promise<string[]> => {
  const names = readdirSync(tests).filter(name => /(\.windows|-child)\.ts$/.test(name));
  const sources = [
    ...names.map(name => join(tests, name)),
    join(root, 'test', 'payment-log', 'store', 'writing-child.ts'),
    join(root, 'main', 'payment-log', 'sqlite', 'worker', 'worker.ts'),
    join(root, 'main', 'payment-log', 'list', 'list-worker.ts'),
    join(root, 'main', 'callbacks', 'file-worker.ts'),
    join(root, 'main', 'statements', 'statement-worker.ts'),
    join(root, 'main', 'export', 'workbook-worker.ts'),
    ...['inspect', 'log-verify', 'sandbox'].map(name => join(root, 'scripts', 'app', `${name}.ts`)),
  ];
  rmSync(folder, { recursive: true, force: true });
  await bundleLikeMain(folder, sources);
  return names
    .filter(name => name.endsWith('.windows.ts'))
    .map(name => join(folder, name.replace(/\.ts$/, '.js')));
};

const log = join(cacheFolder, 'output.log');

/** Limit of one test. */
const timeoutMs = 120_000;

/** The tests in test/windows. */
const runWindowsTests = async (): Promise<number> => {
  const { node, holdFile, addNativeModules } = setUpWindows();
  const folder = join(cacheFolder, 'app');
  const files = await bundleWindowsTests(folder);
  addNativeModules(folder);
  const counts = new Map<string, number>();
  const code = await runUnderWine(
    [
      node,
      '--test',
      '--test-concurrency=2',
      `--test-timeout=${timeoutMs}`,
      '--test-reporter=spec',
      ...files.map(windowsPath),
    ],
    { cwd: folder, log, env: { COUNTERFOIL_HOLD_FILE: windowsPath(holdFile) } },
    line => {
      const [, name, number] = /^ℹ (\w+) (\S+)$/.exec(line) ?? [];
      if (name === undefined) console.log(line);
      else counts.set(name, Number(number));
    },
  );
  const count = (name: string): number => counts.get(name) ?? 0;
  const failed = Math.max(count('fail') + count('cancelled'), code === 0 ? 0 : 1);
  console.log(`\n${count('pass')} passed, ${failed} failed, ${count('skipped')} skipped`);
  return failed;
};

/** The unit and integration tests, in a copy of the sources with the packages of Windows. */
const runAllTests = (args: readonly string[]): Promise<number> => {
  const { node } = setUpWindows();
  const folder = makeCheckout();
  const vitest = windowsPath(join(folder, 'node_modules', 'vitest', 'vitest.mjs'));
  // See vitest.config.ts.
  const flags = ['--disable-warning=ExperimentalWarning', '--wasm-wrapper-tiering-budget=1000000000'];
  return runUnderWine(
    [node, ...flags, vitest, 'run', '--project', 'unit', '--project', 'integration', ...args],
    { cwd: folder, log, env: { NODE_ENV: 'test', CI: 'true', NO_COLOR: '1' } },
    line => console.log(line),
  );
};

const [mode, ...rest] = process.argv.slice(2);
const reason = whyNoWindows();
const other = reason === null ? holdCacheFolder() : null;
if (reason !== null) console.log(`Skipped: the tests on Node for Windows. To run them, ${reason}`);
else if (other !== null) {
  console.error(`Another run of these tests is not finished: process ${other}.`);
  process.exitCode = 1;
} else
  try {
    process.exitCode = (await (mode === '--all' ? runAllTests(rest) : runWindowsTests())) === 0 ? 0 : 1;
  } finally {
    stopWine();
  }
