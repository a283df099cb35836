import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';

/** Overwrites files before they are removed. The disk may carry that out elsewhere. */

/** Zeros of one write, bytes. */
const blockBytes = 1024 * 1024;

const isMissing = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';

/** Overwrites a file with zeros and removes it; a missing file is no error. Rejects with file system errors. */
export const wipeFile = async (file: string): Promise<void> => {
  try {
    const { size } = await stat(file);
    const handle = await open(file, 'r+');
    try {
      const zeros = Buffer.alloc(Math.min(blockBytes, size));
      for (let at = 0; at < size; at += blockBytes)
        await handle.write(zeros, 0, Math.min(blockBytes, size - at), at);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
  }
  await rm(file, { force: true });
};

/** As `wipeFile`, blocking: for worker threads. Throws file system errors. */
export const wipeFileSync = (file: string): void => {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return;
  const handle = openSync(file, 'r+');
  try {
    const zeros = Buffer.alloc(Math.min(blockBytes, size));
    for (let at = 0; at < size; at += blockBytes)
      writeSync(handle, zeros, 0, Math.min(blockBytes, size - at), at);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  rmSync(file, { force: true });
};
