import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { retry } from '../pacing/retry.ts';
import { notRegular } from './read-regular-file.ts';
import { codeOf, fail, type AppError } from '../../shared/errors.ts';
import { msg, type Message } from '../../shared/messages/message.ts';

/** File system errors of a file that another program has open. */
const inUseCodes: readonly unknown[] = ['EBUSY', 'EPERM', 'EACCES'];

/** The failure for a file that could not be written. `code`: the file system's error code, if known. */
export const unwritableFile = (
  code: unknown,
  message: Message = msg('error.file.unwritable'),
): { ok: false; error: AppError } =>
  code === 'ENOSPC'
    ? fail('file.no-room', msg('error.file.no-room'), { hint: msg('hint.file.no-room') })
    : fail('file.unwritable', message, {
        hint: msg(inUseCodes.includes(code) ? 'file.unwritable.in-use' : 'hint.file.unwritable'),
      });

/** The suffix of a temporary file, by which leftovers of a crash are found. */
const temporaryEnd = /\.[0-9a-f]{12}\.part$/;

/** Pauses between attempts to rename: virus scanners and indexers lock a file for about a second. */
const pausesMs = [10, 20, 40, 80, 150, 250, 350, 450, 650];

/** The rename functions; tests let them fail. */
type RenameOptions = {
  platform?: NodeJS.Platform;
  rename?: (from: string, to: string) => void;
};

/** An unpredictable temporary name next to `file`, so that a link prepared by another program is never followed. */
export const temporaryName = (file: string): string => `${file}.${randomBytes(6).toString('hex')}.part`;

/** Whether `name` is that of a temporary file from here. */
export const isTemporaryName = (name: string): boolean => temporaryEnd.test(name);

/** Windows refuses to rename while another program reads the file; elsewhere such an error is final. */
const isTransient = (thrown: unknown, platform: NodeJS.Platform): boolean =>
  platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(thrown));

/** Windows and some network file systems cannot flush a folder; they keep its entries by other means. */
const cannotFlushFolder = (thrown: unknown): boolean =>
  ['EPERM', 'EACCES', 'EISDIR', 'EINVAL', 'ENOTSUP', 'EBADF'].includes(codeOf(thrown));

/** Flushes a folder, so that a rename in it survives a power cut. Throws file system errors. */
export const flushFolderSync = (folder: string): void => {
  try {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (thrown) {
    if (!cannotFlushFolder(thrown)) throw thrown;
  }
};

/** As `flushFolderSync`, without blocking. */
export const flushFolder = async (folder: string): Promise<void> => {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    if (!cannotFlushFolder(thrown)) throw thrown;
  }
};

/** Flushes a file's content to the disk, blocking. Throws file system errors. */
export const flushFileSync = (file: string): void => {
  // Windows flushes only files that were opened for writing.
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** As `flushFileSync`, without blocking. */
export const flushFile = async (file: string): Promise<void> => {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/**
 * Renames, replacing an existing file. On Windows it retries for about two seconds, blocking, if another program has
 * one of the files open. Throws file system errors.
 */
export const renameWithRetrySync = (
  from: string,
  to: string,
  { platform = process.platform, rename: renameTo = renameSync }: RenameOptions = {},
): void => {
  for (let attempt = 0; ; attempt += 1)
    try {
      renameTo(from, to);
      return;
    } catch (thrown) {
      const pauseMs = pausesMs[attempt];
      if (pauseMs === undefined || !isTransient(thrown, platform)) throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
};

/** A device, a pipe or a socket is not replaced by a file: others use it. A link is replaced, not its target. */
const refuseSpecial = (found: Stats | undefined): void => {
  if (found && !found.isFile() && !found.isSymbolicLink() && !found.isDirectory()) throw notRegular();
};

/** As `renameWithRetrySync` for a flushed file, and flushes the folder. */
export const replaceFileSync = (from: string, to: string, options: RenameOptions = {}): void => {
  refuseSpecial(lstatSync(to, { throwIfNoEntry: false }));
  renameWithRetrySync(from, to, options);
  flushFolderSync(dirname(to));
};

/** As `replaceFileSync`, without blocking. Rejects with file system errors. */
export const replaceFile = async (
  from: string,
  to: string,
  {
    platform = process.platform,
    rename: renameTo,
  }: { platform?: NodeJS.Platform; rename?: (from: string, to: string) => Promise<void> } = {},
): Promise<void> => {
  refuseSpecial(await lstat(to).catch(() => undefined));
  const failure = await retry(
    () =>
      (renameTo ?? rename)(from, to).then(
        () => null,
        (thrown: unknown) => ({ thrown }),
      ),
    (failed, attempts) =>
      failed !== null && isTransient(failed.thrown, platform) ? (pausesMs[attempts - 1] ?? null) : null,
  );
  if (failure !== null) throw failure.thrown;
  await flushFolder(dirname(to));
};

/**
 * Writes a whole file so that a crash or power cut leaves the old or the new content: a new temporary file of mode
 * 0600, flushed, then renamed. Blocks; throws file system errors without leaving a temporary file.
 */
export const writeFileAtomicSync = (file: string, content: string, options: RenameOptions = {}): void => {
  const part = temporaryName(file);
  try {
    writeFileSync(part, content, { flag: 'wx', mode: 0o600, flush: true });
    replaceFileSync(part, file, options);
  } catch (thrown) {
    rmSync(part, { force: true });
    throw thrown;
  }
};

/** As `writeFileAtomicSync`, without blocking. Rejects with file system errors. */
export const writeFileAtomic = async (file: string, content: string | Uint8Array): Promise<void> => {
  const part = temporaryName(file);
  try {
    const handle = await open(part, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await replaceFile(part, file);
  } catch (thrown) {
    await rm(part, { force: true });
    throw thrown;
  }
};
