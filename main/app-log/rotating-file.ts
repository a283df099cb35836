import { closeSync, constants, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Number of closed files that are kept. */
const maxFiles = 4;

/** Appends, never through a symbolic link in the file's place; Windows has no such flag. */
const appendFlags = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);
const fileMode = 0o600;

/** A text file that is closed as `FILE.1` when it would exceed `limitBytes`; the folder is created by the first write. */
export const rotatingFile = (file: string, limitBytes: number) => {
  const olderFile = (index: number): string => (index === 0 ? file : `${file}.${index}`);
  const renamings = Array.from({ length: maxFiles }, (_, index): [string, string] => [
    olderFile(maxFiles - 1 - index),
    olderFile(maxFiles - index),
  ]);
  /**
   * Stops at the first file that cannot be renamed, so that no older one is replaced: on Windows another program may
   * hold it open. The file then grows until a later append can rename it.
   */
  const rotate = async (): Promise<void> => {
    try {
      for (const [from, to] of renamings) if (await stat(from).catch(() => null)) await rename(from, to);
    } catch {
      // Tried again by the next append.
    }
  };
  /** As `rotate`, blocking. */
  const rotateSync = (): void => {
    try {
      for (const [from, to] of renamings) if (statSync(from, { throwIfNoEntry: false })) renameSync(from, to);
    } catch {
      // Tried again by the next append.
    }
  };
  const isFull = (size: number | undefined, text: string): boolean =>
    size !== undefined && size > 0 && size + Buffer.byteLength(text) > limitBytes;

  return {
    /** Rejects with file system errors. */
    append: async (text: string): Promise<void> => {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const size = (await stat(file).catch(() => null))?.size;
      if (isFull(size, text)) await rotate();
      await appendFile(file, text, { flag: appendFlags, mode: fileMode });
    },
    /** As `append`, blocking. Throws file system errors. */
    appendSync: (text: string): void => {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      if (isFull(statSync(file, { throwIfNoEntry: false })?.size, text)) rotateSync();
      const handle = openSync(file, appendFlags, fileMode);
      writeSync(handle, text);
      closeSync(handle);
    },
  };
};
