import { chmod, constants, copyFile as copyBytes, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ok, type Result } from '../../../shared/errors.ts';
import { flushFile } from '../../files/replace-file.ts';
import { wipeFile } from '../../files/wipe-file.ts';
import { openForWriting } from './store/database.ts';
import { toLogFailure } from '../log-failures.ts';
import { replacementFiles, replacementOf } from './files/replace-log.ts';
import { logFileKind, logKeyId, type KeyedFile, type LogKey } from './key/log-key.ts';
import { copyFile } from './worker/worker-client.ts';

/** Overwrites and removes the files of a replacement that was not carried out. Throws file system errors. */
export const discardReplacement = async (logFile: string): Promise<void> => {
  for (const file of replacementFiles(logFile)) await wipeFile(file);
};

/** Whether a log is as it is to be: encrypted with this key; with null, not encrypted. Throws file system errors. */
const isSameKey = ({ file }: KeyedFile, key: LogKey | null): boolean => {
  const found = logFileKind(file);
  return found.kind === 'encrypted' ? key !== null && found.keyId === logKeyId(key) : key === null;
};

/**
 * Prepares the replacement of the log next to it, flushed to disk: a copy, or with null a new, empty log. `key`: the
 * replacement is encrypted with it; null: it is not encrypted. `onProgress`: pages done and to do. Errors: every
 * `log.*` code; then nothing has changed.
 */
export const prepareReplacement = async (
  logFile: string,
  copy: KeyedFile | null,
  key: LogKey | null,
  onProgress?: (done: number, total: number) => void,
): Promise<Result<undefined>> => {
  const replacement = replacementOf(logFile);
  try {
    await mkdir(dirname(logFile), { recursive: true, mode: 0o700 });
    await discardReplacement(logFile);
    if (copy === null) {
      const opened = openForWriting(replacement, key);
      if (!opened.ok) return opened;
      opened.value.pragma('journal_mode = DELETE');
      opened.value.close();
    } else if (!isSameKey(copy, key) || (await stat(`${copy.file}-wal`).catch(() => null))?.size) {
      // It is encrypted in another way, or part of its content is still in its write-ahead log.
      const copied = await copyFile(copy, { file: replacement, key }, onProgress);
      if (!copied.ok) return copied;
    } else {
      await copyBytes(copy.file, replacement, constants.COPYFILE_EXCL);
      await chmod(replacement, 0o600);
    }
    await flushFile(replacement);
    return ok(undefined);
  } catch (thrown) {
    await discardReplacement(logFile).catch(() => undefined);
    return toLogFailure(thrown);
  }
};
