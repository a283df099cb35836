import { rmSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { ok, type Result } from '../../../../shared/errors.ts';
import { msg } from '../../../../shared/messages/message.ts';
import { unwritableFile } from '../../../files/unwritable-file.ts';
import { flushFileSync, replaceFileSync, temporaryName } from '../../../files/replace-file.ts';
import { openForReading, type LogDatabase } from '../store/database.ts';
import { fileProblems } from '../store/file-problems.ts';
import { sidecarSuffixes } from './replace-log.ts';
import { toLogFailure } from '../../log-failures.ts';

/** Pages copied between two progress reports. */
const pagesPerStep = 2_000;
/** Cache of the source, KiB: every page is read once. */
const sourceCacheKib = 512;

type Progress = (done: number, total: number) => void;

/** Copies the pages of a log as of one instant. Rejects with SQLite errors. */
const copyPages = async (source: LogDatabase, part: string, onProgress: Progress): Promise<void> => {
  // An open read transaction prevents the backup from restarting when the writer adds pages.
  source.exec('BEGIN');
  source.prepare('SELECT count(*) FROM writer').get();
  await source.backup(part, {
    progress: ({ totalPages, remainingPages }) => {
      onProgress(totalPages - remainingPages, totalPages);
      return pagesPerStep;
    },
  });
  source.exec('COMMIT');
};

/**
 * Copies a log that is in use, as of one instant, into one file that appears whole or not at all. `onProgress`: pages done and to do. Returns the copy's size in bytes. Errors: every `log.*` code about the
 * source, `file.unwritable` and `log.full` about the copy.
 */
export const copyLog = async (
  file: string,
  copy: string,
  onProgress: Progress,
): Promise<Result<{ bytes: number }>> => {
  const opened = openForReading(file);
  if (!opened.ok) return opened;
  const source = opened.value;
  source.pragma(`cache_size = -${sourceCacheKib}`);
  const part = temporaryName(copy);
  try {
    // Created before the copy: no other user can read it and no symbolic link is followed.
    writeFileSync(part, '', { flag: 'wx', mode: 0o600 });
    await copyPages(source, part, onProgress);
    // One file without companions, so that it can be read from a read-only folder.
    const copied = new Database(part);
    copied.pragma('journal_mode = DELETE');
    const isIntact = fileProblems(copied, 'quick_check').length === 0;
    copied.close();
    if (!isIntact) throw Object.assign(new Error('the copy is damaged'), { code: 'SQLITE_CORRUPT' });
    flushFileSync(part);
    replaceFileSync(part, copy);
    const pages = Number(source.pragma('page_count', { simple: true }));
    return ok({ bytes: pages * Number(source.pragma('page_size', { simple: true })) });
  } catch (thrown) {
    for (const end of ['', ...sidecarSuffixes]) rmSync(part + end, { force: true });
    const failure = toLogFailure(thrown);
    const { code, details } = failure.error;
    return code === 'log.read-only' || code === 'log.unavailable'
      ? unwritableFile(details?.['cause'], msg('backup.unwritable'))
      : failure;
  } finally {
    source.close();
  }
};
