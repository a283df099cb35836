import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

export const root = join(import.meta.dirname, '..', '..');

/** Code that Node compiled, kept from one start to the next: a start of the application without it takes half a second longer. */
export const compileCache = join(root, 'node_modules', '.cache', 'counterfoil-compiled');

const packageSchema = z.object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) });

/** Packages whose program has another name than the package. */
const packageOf: Readonly<Record<string, string>> = { tsc: 'typescript' };

/** The JavaScript file of a program from the project's own packages. */
const scriptOf = (program: string): string => {
  const folder = join(root, 'node_modules', packageOf[program] ?? program);
  const { bin } = packageSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const file = typeof bin === 'string' ? bin : bin[program];
  if (file === undefined) throw new Error(`The package of ${program} has no program of that name.`);
  return join(folder, file);
};

/**
 * Runs a program of the project's own packages; resolves to its exit code. Standard output goes to ours.
 * No shell is involved, so arguments and paths may hold blanks on every system.
 */
export const runTool = (
  program: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; quiet?: boolean; readsKeys?: boolean } = {},
): Promise<{ code: number; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [scriptOf(program), ...args], {
      cwd: root,
      env: { ...process.env, ...options.env },
      stdio: [
        options.readsKeys ? 'inherit' : 'ignore',
        options.quiet ? 'pipe' : 'inherit',
        options.quiet ? 'pipe' : 'inherit',
      ],
    });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', code => resolve({ code: code ?? 1, output }));
  });
