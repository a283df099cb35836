import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { unexpectedSkips } from './allowed-skips.ts';
import { build } from '../../tools/build/build.ts';
import { check } from './check.ts';
import { compileCache, runTool } from '../../tools/build/steps.ts';

/**
 * Checks, builds, and runs every test: `npm test`. Arguments go to Vitest and narrow the test files; then the checks are
 * left out, and only end-to-end tests build. With LISTED_SKIPS=true, a skipped test that is not on the list of allowed ones fails. `--watch` runs again what a saved file affects.
 */

// For every process and thread of the run.
process.env['NODE_COMPILE_CACHE'] ??= compileCache;

type Report = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numFailedTestSuites: number;
  testResults: {
    name: string;
    message: string;
    status: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
};

const isSkipped = ({ status }: { status: string }): boolean => status === 'skipped' || status === 'pending';

/** Prints the skipped tests that have to run in a workflow; returns their number. */
const printUnexpectedSkips = (report: Report): number => {
  const skipped = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(isSkipped).map(({ fullName }) => ({
      file: relative(process.cwd(), name).replaceAll('\\', '/'),
      title: fullName,
    })),
  );
  const unexpected = unexpectedSkips(skipped, {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
  });
  for (const { file, title } of unexpected) console.log(`\nNOT ALLOWED ${file}: ${title} was skipped`);
  return unexpected.length;
};

/** Prints the skipped tests, one line per group with its number. */
const printSkipped = (report: Report): void => {
  const groups = new Map<string, number>();
  for (const { name, assertionResults } of report.testResults) {
    const left = assertionResults.filter(isSkipped);
    const group = `${relative(process.cwd(), name)}: ${left[0]?.fullName.split(' ').slice(0, 2).join(' ') ?? ''} …`;
    if (left.length > 0) groups.set(group, left.length);
  }
  if (groups.size > 0) console.log(`\nSkipped here:`);
  for (const [group, number] of groups) console.log(`  ${group} (${String(number)})`);
};

/** Prints each failed test with the start of its reason at the end of the output. */
const printFailed = (report: Report): void => {
  for (const { name, message, status, assertionResults } of report.testResults) {
    const broken = assertionResults.filter(test => test.status === 'failed');
    const file = relative(process.cwd(), name);
    if (status === 'failed' && broken.length === 0) console.log(`\nFAILED ${file}\n${shortly(message)}`);
    for (const test of broken) {
      console.log(`\nFAILED ${file}: ${test.fullName}\n${shortly(test.failureMessages.join('\n'))}`);
    }
  }
};

const shortly = (text: string): string =>
  text
    .split('\n')
    .slice(0, 12)
    .map(line => `    ${line.slice(0, 300)}`)
    .join('\n');

const vitestArguments = process.argv.slice(2);

/** Runs Vitest until it is stopped. */
const watch = async (): Promise<void> => {
  const { code } = await runTool('vitest', vitestArguments, { readsKeys: true });
  process.exitCode = code;
};

/** Runs the checks, if nothing is selected, and the tests; prints the numbers last. */
const runOnce = async (): Promise<void> => {
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  const isWhole = vitestArguments.length === 0;
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

  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-test-'));
  const reportFile = join(folder, 'report.json');
  const { code } = await runTool('vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
    ...vitestArguments,
  ]);
  try {
    const report = JSON.parse(readFileSync(reportFile, 'utf8')) as Report;
    passed += report.numPassedTests;
    failed += report.numFailedTests;
    skipped += report.numPendingTests;
    if (report.numFailedTests === 0 && code !== 0) failed += Math.max(1, report.numFailedTestSuites);
    printSkipped(report);
    if (process.env['LISTED_SKIPS'] === 'true') failed += printUnexpectedSkips(report);
    printFailed(report);
  } catch {
    failed += 1;
  }
  rmSync(folder, { recursive: true, force: true });
  if (checking) {
    const checked = await checking;
    passed += checked.passed;
    failed += checked.failed;
  }

  console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exitCode = failed > 0 ? 1 : 0;
};

await (vitestArguments.includes('--watch') ? watch() : runOnce());
