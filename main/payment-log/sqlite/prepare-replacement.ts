import { chmod, constants, copyFile as copyBytes, mkdir, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ok, type Result } from '../../../shared/errors.ts';
import { flushFile } from '../../files/replace-file.ts';
import { openForWriting } from './store/database.ts';
import { toLogFailure } from '../failures.ts';
import { sidecarSuffixes, replacementOf } from './files/replace-log.ts';
import { copyFile } from './worker/worker-client.ts';

/** Removes the files of a replacement that was not carried out. Throws file system errors. */
export const discardReplacement = async (logFile: string): Promise<void> => {
  for (const end of ['', ...sidecarSuffixes]) await rm(replacementOf(logFile) + end, { force: true });
};

/**
 * Prepares the replacement of the log next to it, flushed to disk: a copy, or with null a new, empty log. Errors:
 * every `log.*` code; then nothing has changed.
 */
export const prepareReplacement = async (
  logFile: string,
  copy: string | null,
): Promise<Result<undefined>> => {
  const replacement = replacementOf(logFile);
  try {
    await mkdir(dirname(logFile), { recursive: true, mode: 0o700 });
    await discardReplacement(logFile);
    if (copy === null) {
      const opened = openForWriting(replacement);
      if (!opened.ok) return opened;
      opened.value.pragma('journal_mode = DELETE');
      opened.value.close();
    } else if ((await stat(`${copy}-wal`).catch(() => null))?.size) {
      // Part of its content is still in its write-ahead log.
      const copied = await copyFile(copy, replacement);
      if (!copied.ok) return copied;
    } else {
      await copyBytes(copy, replacement, constants.COPYFILE_EXCL);
      await chmod(replacement, 0o600);
    }
    await flushFile(replacement);
    return ok(undefined);
  } catch (thrown) {
    await discardReplacement(logFile).catch(() => undefined);
    return toLogFailure(thrown);
  }
};
