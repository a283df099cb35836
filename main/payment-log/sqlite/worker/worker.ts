import { parentPort, workerData } from 'node:worker_threads';
import type { VerifyReport } from '../../../../shared/contract/contract.ts';
import { codeOf, ok, type Result } from '../../../../shared/errors.ts';
import { setFailureSink } from '../../../app-log/failure-report.ts';
import { auditLog } from '../integrity/audit.ts';
import { checkHeads } from '../integrity/check-heads.ts';
import { readChainEnd } from '../files/chain-end.ts';
import { readHeads } from '../../heads/head-files.ts';
import { openForReading, type LogDatabase } from '../store/database.ts';
import { msg } from '../../../../shared/messages/message.ts';
import { attempt, toLogFailure } from '../../log-failures.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './messages.ts';
import { runWriter, type Port } from './run-writer.ts';
import { systemClock } from '../../../clock.ts';
import { isBroken } from '../list/broken-list.ts';
import { openListForReading } from '../list/list-file.ts';
import { callRead } from '../../payment-log.ts';
import { logReader } from '../query/reader.ts';
import { rmSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import {
  flushFileSync,
  replaceFileSync,
  temporaryName,
  unwritableFile,
} from '../../../files/replace-file.ts';
import { fileProblems } from '../store/file-problems.ts';
import { sidecarSuffixes } from '../files/replace-log.ts';

/** Entry point of the log's worker threads: all blocking file access runs on them. */

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
const copyLog = async (
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

/** Threshold for reports of slow requests. */
const slowMs = 100;

/** Answers requests one after the other, on connections that are opened for reading and never wait for a writer. */
const runReader = (
  { port, post }: Port,
  { file, list, writer }: Extract<WorkerSetup, { role: 'reader' }>,
): void => {
  const journal = openForReading(file);
  if (!journal.ok) return post({ type: 'refused', error: journal.error });
  const listed = list === null ? null : openListForReading(list);
  const close = (): void => {
    journal.value.close();
    if (listed?.ok) listed.value.close();
  };
  let correctionMs = 0;
  // The clock of the writer.
  const now = (): number => systemClock() + correctionMs;
  const reader =
    listed?.ok === false
      ? listed
      : attempt(() => logReader(journal.value, listed?.value ?? null, writer, now));
  if (!reader.ok) {
    close();
    return post({ type: 'refused', error: reader.error });
  }
  const answer = (name: keyof typeof reader.value, args: readonly unknown[]): Result<unknown> =>
    attempt(() => {
      try {
        return callRead(reader.value, name, args);
      } catch (thrown) {
        if (isBroken(thrown)) post({ type: 'list-broken', cause: codeOf(thrown) });
        throw thrown;
      }
    });
  port.on('message', (message: ToWorker) => {
    if (message.type === 'close') {
      close();
      port.close();
    } else if (message.type === 'correct-clock') {
      correctionMs = message.milliseconds;
      post({ type: 'answer', id: message.id, result: ok(null) });
    } else if (message.type === 'read') {
      const { id, name, args } = message;
      const startedAt = performance.now();
      post({ type: 'answer', id, result: answer(name, args) });
      const milliseconds = performance.now() - startedAt;
      if (milliseconds > slowMs) post({ type: 'slow', read: name, milliseconds });
    }
  });
  post({ type: 'ready' });
};

/** Checks the parts one after another. */
const runAuditor = (
  { post }: Port,
  { parts, heads, file }: Extract<WorkerSetup, { role: 'auditor' }>,
): Result<VerifyReport> => {
  const opened = openForReading(file);
  if (!opened.ok) return opened;
  const database = opened.value;
  const result = attempt(() => {
    const all: VerifyReport = { events: 0, payments: 0, problems: [] };
    for (const part of parts) {
      const report = auditLog(database, part, (done, total) => post({ type: 'progress', done, total }));
      all.events += report.events;
      all.payments += report.payments;
      all.problems.push(...report.problems);
    }
    if (heads) {
      const recorded = readChainEnd(file);
      checkHeads(
        database,
        [...readHeads(heads.folder), ...heads.further],
        recorded ? [...recorded.cuts, recorded.end] : [],
        problem => all.problems.push(problem),
      );
      if (recorded?.madeAt)
        all.problems.push({
          kind: 'head',
          at: { kind: 'end-file' },
          message: msg('integrity.end.made', { at: recorded.madeAt }),
        });
    }
    return all;
  });
  database.close();
  return result;
};

if (parentPort) {
  const port = parentPort;
  const post = (message: FromWorker): void => port.postMessage(message);
  const setup = workerData as WorkerSetup;
  setFailureSink(failure => post({ type: 'failed', failure }));
  switch (setup.role) {
    case 'writer':
      runWriter({ port, post }, setup);
      break;
    case 'reader':
      runReader({ port, post }, setup);
      break;
    case 'auditor':
      post({ type: 'report', result: runAuditor({ port, post }, setup) });
      break;
    case 'copier': {
      const report = (done: number, total: number): void => post({ type: 'progress', done, total });
      void copyLog(setup.file, setup.copy, report).then(result => post({ type: 'copied', result }));
      break;
    }
    // Its entry point is list-worker.ts.
    case 'list-writer':
  }
}
