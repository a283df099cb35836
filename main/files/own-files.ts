import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The path with every link resolved, as far as it exists. */
const resolved = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await resolved(parent), basename(path));
  }
};

/** The identity of a file or folder, independent of its spelling: device and number; null if it does not exist. */
const identityOf = async (path: string): Promise<string | null> => {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
};

/**
 * Whether writing `path` would write one of Counterfoil's own files: anything inside `folder` (its data), or a file
 * that is one of `files` under another name. Compares the identities in the file system, so that links, letter case
 * and short names make no difference.
 */
export const isOwnFile = async (path: string, folder: string, files: readonly string[]): Promise<boolean> => {
  const target = await identityOf(path);
  if (target !== null) for (const file of files) if ((await identityOf(file)) === target) return true;
  const own = await identityOf(folder);
  if (own === null) return false;
  for (const start of [path, await resolved(path)])
    for (let place = start; ; place = dirname(place)) {
      if ((await identityOf(place)) === own) return true;
      if (dirname(place) === place) break;
    }
  return false;
};
