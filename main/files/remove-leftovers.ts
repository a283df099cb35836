import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isTemporaryName } from './replace-file.ts';

/** The tolerance between the clock and the times of a file system. */
const toleranceMs = 2_000;

/**
 * Removes temporary files in `folder` that are older than this process: a kill left them. Files that
 * begin with `except` stay. What cannot be removed is left to the next start; never rejects.
 */
export const removeLeftovers = async (folder: string, except: string): Promise<void> => {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!isTemporaryName(name) || name.startsWith(except)) continue;
    const file = join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found?.isFile() && found.mtimeMs < performance.timeOrigin - toleranceMs)
      await rm(file, { force: true }).catch(() => undefined);
  }
};
