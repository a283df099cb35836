import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The free bytes on the disk of a file; null if unknown. */
export const freeBytes = async (file: string): Promise<number | null> => {
  try {
    const { bavail, bsize } = await statfs(dirname(file));
    return bavail * bsize;
  } catch {
    return null;
  }
};
