import { appendFileSync, renameSync, statSync } from 'node:fs';

/** Bytes after which the file begins anew; the one before it is kept. */
const most = 1_000_000;

/**
 * A small file for whoever looks after this PC: what was slow, what failed. A line holds names of things alone,
 * never a value somebody typed or received. A file that cannot be written is done without.
 */
export const openDiagnostics = (file: string, clock: () => number): ((line: string) => void) => {
  return line => {
    try {
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > most) renameSync(file, `${file}.before`);
      appendFileSync(file, `${new Date(clock()).toISOString()} ${line}\n`);
    } catch {
      // Nothing depends on it.
    }
  };
};
