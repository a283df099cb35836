import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Without blocking: opening a pipe without a writer would wait for ever. Windows has no such flag. */
export const openFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The error for a path that is a pipe, a device or a folder, or larger than a file of its kind may be. */
export const notRegular = (): Error =>
  Object.assign(new Error('This is no regular file.'), { code: 'EINVAL' });

/**
 * Opens a file of a path from outside for reading; the caller closes the descriptor. Throws file system errors, and
 * `EINVAL` for anything but a regular file.
 */
export const openRegularFileSync = (file: string): number => {
  const handle = openSync(file, openFlags);
  if (fstatSync(handle).isFile()) return handle;
  closeSync(handle);
  throw notRegular();
};

/** Reads a whole regular file of at most `maxBytes` as text. Throws as `openRegularFileSync`, and `EINVAL` if larger. */
export const readRegularFileSync = (file: string, maxBytes: number): string => {
  const handle = openRegularFileSync(file);
  try {
    if (fstatSync(handle).size > maxBytes) throw notRegular();
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
};
