import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ok, type Result } from '../../../shared/errors.ts';
import { flushFile } from '../../files/replace-file.ts';
import { openForWriting } from './store/database.ts';
import { toLogFailure } from '../log-failures.ts';
import { replacementFiles, replacementOf } from './files/replace-log.ts';
import { copyFile } from './worker/worker-client.ts';

/** Removes the files of a replacement that was not carried out. Throws file system errors. */
export const discardReplacement = async (logFile: string): Promise<void> => {
  for (const file of replacementFiles(logFile)) await rm(file, { force: true });
};

/**
 * Prepares the replacement of the log next to it, flushed to disk: a copy, or with null a new, empty log. `onProgress`:
 * pages done and to do. Errors: every `log.*` code; then nothing has changed.
 */
export const prepareReplacement = async (
  logFile: string,
  copy: string | null,
  onProgress?: (done: number, total: number) => void,
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
    } else {
      const copied = await copyFile(copy, replacement, onProgress);
      if (!copied.ok) return copied;
    }
    await flushFile(replacement);
    return ok(undefined);
  } catch (thrown) {
    await discardReplacement(logFile).catch(() => undefined);
    return toLogFailure(thrown);
  }
};
