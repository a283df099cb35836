import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Programs that the tests under Windows start: bundles of this folder's build, and hold-file.exe. */

/** Starts a bundle of the build, such as `inspect`, on this Node. */
export const startBundle = (name: string, ...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, `${name}.js`), ...args], { stdio: 'pipe' });

export type Finished = { code: number | null; output: string; errors: string };

/** Passes `input` to a program; resolves at its end. */
export const finished = async (child: ChildProcess, input: string | Buffer = ''): Promise<Finished> => {
  let output = '';
  let errors = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  child.stdin?.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, errors };
};

/** The first line that a program prints. */
export const firstLine = async (child: ChildProcess): Promise<string> => {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    const end = text.search(/\r?\n/);
    if (end >= 0) return text.slice(0, end);
  }
  throw new Error(`The program ended without a line: ${text}`);
};

/** How another program opens a file: the accesses that it leaves to others. */
export const sharing = {
  /** As Excel does with a workbook: others may read. */
  spreadsheet: ['read'],
  /** As virus scanners and indexers do: others may read and write, and not rename or delete. */
  scanner: ['read', 'write'],
  /** As some back-up programs do: others have no access. */
  exclusive: [],
} as const;

/**
 * Holds a file open in another process: for some milliseconds, or until `release` is called. The other process counts
 * the time itself, since a synchronous retry blocks this one.
 */
export const holdOpen = async (
  file: string,
  how: keyof typeof sharing,
  milliseconds = 0,
): Promise<{ release: () => Promise<void> }> => {
  const program = process.env['COUNTERFOIL_HOLD_FILE'] ?? '';
  const child = spawn(program, [file, String(milliseconds), ...sharing[how]], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(child, 'exit');
  const line = await firstLine(child);
  if (line !== 'open') throw new Error(`${file} could not be held open: ${line}`);
  return {
    release: async () => {
      child.stdin.end();
      await closed;
    },
  };
};
