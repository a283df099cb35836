import { runTool } from './steps.ts';

/** Types, lint, format and dead code: `npm run check`. */

const checks = [
  ['types', 'tsc', ['--noEmit']],
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['format', 'prettier', ['--check', '--log-level', 'warn', '.']],
  ['dead code', 'knip', ['--no-progress']],
] as const;

/** Resolves to the names of the checks that failed; prints what they say. */
export const check = async (): Promise<string[]> => {
  const failed: string[] = [];
  for (const [name, program, args] of checks) {
    const { code, output } = await runTool(program, args, { quiet: true });
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}`);
    if (code !== 0) {
      console.log(output);
      failed.push(name);
    }
  }
  return failed;
};

if (import.meta.main && (await check()).length > 0) process.exitCode = 1;
