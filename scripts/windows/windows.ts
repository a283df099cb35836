import { join } from 'node:path';
import { bundleWindowsTests } from './bundle.ts';
import { makeCheckout } from './checkout.ts';
import { setUpWindows } from './set-up.ts';
import { cacheFolder, holdCacheFolder, runUnderWine, stopWine, whyNoWindows, windowsPath } from './wine.ts';

/**
 * Runs the application without its window on Node for Windows, under Wine: `npm run test:windows`. With `--all`, runs
 * the unit and integration tests there instead; further arguments go to Vitest. See docs/build/testing.md.
 */

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
