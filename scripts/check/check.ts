import { join } from 'node:path';
import { staleMessageFiles } from '../generate/messages.ts';
import { checkProse } from './prose.ts';
import { root, runTool } from '../../tools/build/steps.ts';
import { structureProblems } from './structure.ts';
import { workflowProblems } from './workflows.ts';

/**
 * Types, lint, format, dead code, the types of the messages, ruled-out words, the limits of the source tree and the
 * workflows: `npm run check`.
 */

/** The types of the last run: unchanged files are not checked again. */
const types = join(root, 'node_modules', '.cache', 'types.tsbuildinfo');

const checks = [
  ['types', 'tsc', ['--noEmit', '--incremental', '--tsBuildInfoFile', types]],
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['format', 'oxfmt', ['--check']],
  ['dead code', 'knip', ['--no-progress', '--cache']],
] as const;

/** Runs every check and prints the output of the failed ones; resolves to the numbers of both kinds. */
export const check = async (): Promise<{ passed: number; failed: number }> => {
  const counts = { passed: 0, failed: 0 };
  const report = (name: string, passed: boolean, output: string): void => {
    console.log(`${passed ? 'ok    ' : 'FAILED'} ${name}`);
    counts[passed ? 'passed' : 'failed'] += 1;
    if (!passed) console.log(output);
  };
  // At the same time: some of them use one core only.
  const running = checks.map(([, program, args]) => runTool(program, args, { quiet: true }));
  for (const [index, { code, output }] of (await Promise.all(running)).entries())
    report(checks[index]?.[0] ?? '', code === 0, output);
  const stale = staleMessageFiles();
  report('messages', stale.length === 0, stale.join('\n'));
  const findings = checkProse();
  report('prose', findings.length === 0, findings.join('\n'));
  const problems = structureProblems();
  report('structure', problems.length === 0, problems.join('\n'));
  const unsafe = await workflowProblems();
  report('workflows', unsafe.length === 0, unsafe.join('\n'));
  return counts;
};

if (import.meta.main && (await check()).failed > 0) process.exitCode = 1;
