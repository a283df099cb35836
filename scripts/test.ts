import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.ts';
import { check } from './check.ts';
import { runTool } from './steps.ts';

/** Checks, builds, and runs every test: `npm test`. Arguments narrow the test files and leave out the checks. */

type Report = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numFailedTestSuites: number;
  testResults: { assertionResults: { status: string; fullName: string }[] }[];
};

const narrowed = process.argv.slice(2);
let passed = 0;
let failed = 0;
let skipped = 0;

const count = (name: string, good: boolean): void => {
  if (good) passed += 1;
  else failed += 1;
  console.log(`${good ? 'ok    ' : 'FAILED'} ${name}`);
};

if (narrowed.length === 0) {
  const faults = await check();
  passed += 4 - faults.length;
  failed += faults.length;
}
count('build', await build());

const folder = mkdtempSync(join(tmpdir(), 'counterfoil-test-'));
const reportFile = join(folder, 'report.json');
const { code } = await runTool('vitest', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${reportFile}`,
  ...narrowed,
]);
try {
  const report = JSON.parse(readFileSync(reportFile, 'utf8')) as Report;
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  skipped += report.numPendingTests;
  if (report.numFailedTests === 0 && code !== 0) failed += Math.max(1, report.numFailedTestSuites);
  const names = report.testResults.flatMap(file =>
    file.assertionResults.filter(test => test.status === 'skipped' || test.status === 'pending'),
  );
  if (names.length > 0) console.log(`\nSkipped here:\n${names.map(test => `  ${test.fullName}`).join('\n')}`);
} catch {
  failed += 1;
}
rmSync(folder, { recursive: true, force: true });

console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 ? 1 : 0;
