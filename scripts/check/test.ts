import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { unexpectedSkips } from './allowed-skips.ts';
import { build } from '../../tools/build/build.ts';
import { check } from './check.ts';
import { compileCache, runTool } from '../../tools/build/steps.ts';
import {
  afterRepeating,
  countsOf,
  expectedTime,
  failuresOf,
  hasInstalled,
  missingProofs,
  pathOf,
  reportSchema,
  skippedLines,
  skippedTests,
  type NamedTest,
  type Report,
} from './test-report.ts';

/**
 * Checks, builds, and runs every test: `npm test`. Arguments go to Vitest and narrow the test files; then the checks are
 * left out, and only end-to-end tests build. `--watch` runs again what a saved file affects.
 *
 * With LISTED_SKIPS=true, a skipped test that is not on the list of allowed ones fails; with LISTED_SKIPS=complete also
 * one that only a missing program or right explains. With REPEAT_FAILED=true, a failed test file is run once more
 * alone at the end, and is only reported if it passes then.
 */

// For every process and thread of the run.
process.env['NODE_COMPILE_CACHE'] ??= compileCache;

/** Prints the skipped tests that have to run here; returns their number. */
const printUnexpectedSkips = (skipped: readonly NamedTest[], listed: string | undefined): number => {
  if (listed !== 'true' && listed !== 'complete') return 0;
  const unexpected = unexpectedSkips(skipped, {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    isComplete: listed === 'complete',
    isInstalled: hasInstalled(process.env),
  });
  for (const { file, title } of unexpected) console.log(`\nNOT ALLOWED ${file}: ${title} was skipped`);
  return unexpected.length;
};

const given = process.argv.slice(2);
/** What is promised in seconds is measured alone: `npm run test:timing`. */
const vitestArguments = given.some(one => one.startsWith('--project'))
  ? given
  : [...given, '--project=!timing'];

/** Runs Vitest until it is stopped. */
const watch = async (): Promise<void> => {
  const { code } = await runTool('vitest', vitestArguments, { readsKeys: true });
  process.exitCode = code;
};

/** Runs Vitest once; the report is null if it cannot be read. */
const runVitest = async (args: readonly string[]): Promise<{ code: number; report: Report | null }> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-test-'));
  const file = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const { code } = await runTool('vitest', ['run', ...reporters, ...args]);
    return { code, report: reportSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) };
  } catch {
    return { code: 1, report: null };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Runs a failed file once more, with the options of the run that are one word. */
const runAgain = async (file: string): Promise<Report['testResults'][number] | null> => {
  const options = vitestArguments.filter(argument => /^--[\w.-]+=/.test(argument));
  const { code, report } = await runVitest([...options, file]);
  return (code === 0 && report?.testResults.find(({ name }) => name === file)) || null;
};

/** Runs the tests and prints what failed or was skipped; resolves to the numbers. */
const runTests = async (): Promise<ReturnType<typeof countsOf>> => {
  const first = await runVitest(vitestArguments);
  if (first.report === null) return { passed: 0, failed: 1, skipped: 0 };
  const hasFailed = countsOf(first.report).failed > 0;
  const { report, unstable } =
    process.env['REPEAT_FAILED'] === 'true'
      ? await afterRepeating(first.report, runAgain)
      : { report: first.report, unstable: [] };
  const counts = countsOf(report);
  // For example an error outside of any test.
  if (first.code !== 0 && !hasFailed) counts.failed += 1;
  const skipped = skippedTests(report);
  const lines = skippedLines(skipped);
  if (lines.length > 0) console.log(`\nSkipped here:\n${lines.map(line => `  ${line}`).join('\n')}`);
  counts.failed += printUnexpectedSkips(skipped, process.env['LISTED_SKIPS']);
  for (const missing of missingProofs(report, process.env)) {
    counts.failed += 1;
    console.log(`\nFAILED ${missing}`);
  }
  for (const file of report.testResults)
    for (const { title, reason } of failuresOf(file))
      console.log(`\nFAILED ${pathOf(file)}: ${title}\n${reason}`);
  for (const file of unstable)
    for (const { title, reason } of failuresOf(file))
      console.log(`\nunstable: ${pathOf(file)}: ${title}\n${reason}`);
  if (unstable.length > 0) console.log('\nList them in docs/build/unstable.md, with the mend or a reason.');
  return counts;
};

/** Runs the checks, if nothing is selected, and the tests; prints the numbers last. */
const runOnce = async (): Promise<void> => {
  let passed = 0;
  let failed = 0;
  const isWhole = given.length === 0;
  if (isWhole) console.log(expectedTime(availableParallelism()));
  // Beside the first tests, which spend a fifth of their time waiting for servers and clocks.
  const checking = isWhole ? check() : null;
  // Awaited at the end.
  checking?.catch(() => undefined);
  if (isWhole) {
    const isBuilt = await build();
    console.log(`${isBuilt ? 'ok    ' : 'FAILED'} build`);
    passed += isBuilt ? 1 : 0;
    failed += isBuilt ? 0 : 1;
  }
  const counts = await runTests();
  passed += counts.passed;
  failed += counts.failed;
  if (checking) {
    const checked = await checking;
    passed += checked.passed;
    failed += checked.failed;
  }
  console.log(`\n${passed} passed, ${failed} failed, ${counts.skipped} skipped`);
  process.exitCode = failed > 0 ? 1 : 0;
};

await (vitestArguments.includes('--watch') ? watch() : runOnce());
