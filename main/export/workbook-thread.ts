import { Worker } from 'node:worker_threads';
import { fail, ok, type Result } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import { reportFailure } from '../app-log/failure-report.ts';
import type { Sheet } from './sheet.ts';
import type { FromWorkbookWorker, ToWorkbookWorker } from './workbook-worker.ts';

/** The worker's file is next to this one: source in tests, a separate entry in the bundle. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './workbook-worker.ts' : './workbook-worker.js',
  import.meta.url,
);

/** A workbook that a worker thread packs, so that the main thread stays free. */
export type WorkbookThread = {
  /** Adds a sheet after the others, with its first rows. */
  addSheet(sheet: Sheet): void;
  /**
   * Adds rows to the last sheet, or to the one with this index. Returns false if the thread has ended: further rows are
   * useless.
   */
  addRows(rows: Sheet['rows'], sheet?: number): boolean;
};

type Outcome = Result<undefined> | { fileError: Error };

/** Starts the thread. `finish` writes the file and rejects with file system errors; `close` ends the thread at once. */
const startWorkbookThread = (
  file: string,
): WorkbookThread & { finish(): Promise<Result<undefined>>; close(): Promise<void> } => {
  const worker = new Worker(workerFile, {
    name: 'workbook',
    execArgv: [],
    workerData: file,
    // Too many rows may exhaust only this thread's memory.
    resourceLimits: { maxOldGenerationSizeMb: 2_048 },
  });
  const { promise: outcome, resolve } = Promise.withResolvers<Outcome>();
  let ended = false;
  const end = (ending: Outcome): void => {
    ended = true;
    resolve(ending);
  };
  const stopped = (details: { reference?: string } = {}): Outcome =>
    fail('internal', msg('export.packing-stopped'), { hint: msg('export.too-many.hint'), details });
  const failed = (thrown: unknown): void => {
    if (ended) return;
    end(stopped({ reference: reportFailure('request', 'The worker that packs a workbook failed.', thrown) }));
  };
  const post = (message: ToWorkbookWorker): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    if (!ended) worker.postMessage(message);
  };
  worker.on('message', (message: FromWorkbookWorker) => {
    if (message.type === 'written') return end(ok(undefined));
    const { code, thrown } = message;
    if (code === null) return failed(thrown);
    end({
      fileError: Object.assign(new Error('The workbook could not be written.', { cause: thrown }), { code }),
    });
  });
  worker.on('messageerror', failed);
  worker.on('error', failed);
  worker.on('exit', () => end(stopped()));
  return {
    addSheet: sheet => post({ type: 'sheet', sheet }),
    addRows: (rows, sheet) => {
      post({ type: 'rows', rows, sheet });
      return !ended;
    },
    finish: async () => {
      post({ type: 'finish' });
      const result = await outcome;
      if ('fileError' in result) throw result.fileError;
      return result;
    },
    close: async () => {
      end(stopped());
      await worker.terminate();
    },
  };
};

/**
 * Packs a workbook into the new file `file`, flushed. `fill` adds its sheets and rows. The thread ends with the call,
 * or at once if `signal` is aborted. Errors: those of `fill`, and `internal` if the thread ended or could not pack the
 * workbook. Rejects with file system errors.
 */
export const writeWorkbook = async <T>(
  file: string,
  fill: (workbook: WorkbookThread) => Promise<Result<T>>,
  signal?: AbortSignal,
): Promise<Result<T>> => {
  const thread = startWorkbookThread(file);
  const stop = (): void => void thread.close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const filled = await fill(thread);
    if (!filled.ok) return filled;
    const packed = await thread.finish();
    return packed.ok ? filled : packed;
  } finally {
    signal?.removeEventListener('abort', stop);
    await thread.close();
  }
};
