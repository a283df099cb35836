import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { afterRepeating } from '../../scripts/check/test-report.ts';
import { root } from '../../tools/build/steps.ts';

/** What a run of tests says at its end, and when it fails. */

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'counterfoil-run-'));
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default { test: { globals: true } };');
  mkdirSync(join(folder, 'runs'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A test file that fails in its first runs; each run leaves a file in `runs`. */
const write = (name: string, failures: number): void =>
  writeFileSync(
    join(folder, `${name}.test.mjs`),
    `import { mkdtempSync, readdirSync } from 'node:fs';
     mkdtempSync(${JSON.stringify(join(folder, 'runs', `${name}-`))});
     const runs = readdirSync(${JSON.stringify(join(folder, 'runs'))}).filter(run => run.startsWith('${name}-')).length;
     test('${name} holds', () => expect(runs).toBeGreaterThan(${String(failures)}));
     test('${name} always holds', () => {});
     test.skip('${name} is skipped', () => {});`,
  );
const runsOf = (name: string): number =>
  readdirSync(join(folder, 'runs')).filter(run => run.startsWith(`${name}-`)).length;

const run = (env: NodeJS.ProcessEnv = {}, ...args: string[]) => {
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, 'scripts/check/test.ts'), `--root=${folder}`, ...args],
    { cwd: root, encoding: 'utf8', env: { ...process.env, REPEAT_FAILED: '', LISTED_SKIPS: '', ...env } },
  );
  const lines = stdout.trimEnd().split('\n');
  return { status, lines, last: lines.at(-1) };
};
const repeating = { REPEAT_FAILED: 'true' };
const named = (lines: readonly string[], word: string): string[] =>
  lines.flatMap(line => (line.startsWith(word) ? (/(\w+ holds)$/.exec(line)?.[1] ?? line) : []));

test('a file that fails once is run again alone, and named unstable if it passes then', () => {
  for (const [name, failures] of [
    ['steady', 0],
    ['unstable', 1],
    ['broken', 9],
  ] as const)
    write(name, failures);
  const { status, lines, last } = run(repeating);
  expect(named(lines, 'unstable: ')).toEqual(['unstable holds']);
  expect(named(lines, 'FAILED ')).toEqual(['broken holds']);
  expect([status, last]).toEqual([1, '5 passed, 1 failed, 3 skipped']);
  expect([runsOf('steady'), runsOf('unstable')]).toEqual([1, 2]);
});

test('more than three unstable files are a failure, and none of them is run again', async () => {
  const testResults = ['a', 'b', 'c', 'd'].map(name => ({
    name,
    message: '',
    status: 'failed',
    assertionResults: [],
  }));
  const again = () => Promise.reject(new Error('It was run again.'));
  expect(await afterRepeating({ testResults }, again)).toEqual({ report: { testResults }, unstable: [] });
});

test('no file is run again for a developer, and a skipped test is no failure', () => {
  write('unstable', 1);
  const { status, lines, last } = run();
  expect([status, last]).toEqual([1, '1 passed, 1 failed, 1 skipped']);
  expect([runsOf('unstable'), named(lines, 'NOT ALLOWED ')]).toEqual([1, []]);
});

test('a run without any test fails, also one of an installed application that does not exist', () => {
  write('steady', 0);
  const { status, lines } = run({ COUNTERFOIL_ARCHIVE: join(folder, 'app.asar') }, '-t', 'no such title');
  expect(lines).toContain('FAILED No test ran.');
  expect(
    lines.filter(line => /names nothing that exists|no test "on electron …" passed/.test(line)),
  ).toHaveLength(2);
  expect(status).toBe(1);
});

test('a run fails if no test of its installed application passed, and with LISTED_SKIPS if it skipped a test that is not on the list', () => {
  write('steady', 0);
  const { status, lines, last } = run({ COUNTERFOIL_PROGRAM: process.execPath, LISTED_SKIPS: 'true' });
  expect(lines.filter(line => line.startsWith('NOT ALLOWED '))).toHaveLength(1);
  expect([status, last]).toEqual([1, '2 passed, 2 failed, 1 skipped']);
});
