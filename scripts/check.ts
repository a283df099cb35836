import { staleMessageFiles } from './messages.ts';
import { checkProse } from './prose.ts';
import { runTool } from './steps.ts';
import { structureProblems } from './structure.ts';

/** Types, lint, format, dead code, the types of the messages, ruled-out words and the limits of the source tree: `npm run check`. */

const checks = [
  ['types', 'tsc', ['--noEmit']],
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['format', 'prettier', ['--check', '--log-level', 'warn', '.']],
  ['dead code', 'knip', ['--no-progress']],
] as const;

/** Runs every check and prints the output of the failed ones; resolves to their names. */
export const check = async (): Promise<string[]> => {
  const failed: string[] = [];
  const report = (name: string, passed: boolean, output: string): void => {
    console.log(`${passed ? 'ok    ' : 'FAILED'} ${name}`);
    if (passed) return;
    console.log(output);
    failed.push(name);
  };
  for (const [name, program, args] of checks) {
    const { code, output } = await runTool(program, args, { quiet: true });
    report(name, code === 0, output);
  }
  const stale = staleMessageFiles();
  report('messages', stale.length === 0, stale.join('\n'));
  const findings = checkProse();
  report('prose', findings.length === 0, findings.join('\n'));
  const problems = structureProblems();
  report('structure', problems.length === 0, problems.join('\n'));
  return failed;
};

if (import.meta.main && (await check()).length > 0) process.exitCode = 1;
