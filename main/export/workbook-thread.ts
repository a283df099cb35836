import { fail, type Result } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import { failureDetails, startThread } from '../threads/thread.ts';
import type { Sheet } from './sheet.ts';
import type { WorkbookWorker } from './workbook-worker.ts';

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
  const thread = startThread<WorkbookWorker>('./workbook-worker.js', import.meta.url, {
    // Too many rows may exhaust only this thread's memory.
    resourceLimits: { maxOldGenerationSizeMb: 2_048 },
  });
  const failed = new AbortController();
  const fails = (thrown: unknown): null => {
    failed.abort(thrown);
    return null;
  };
  const stop = (): void => void thread.close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const filled = await fill({
      addSheet: sheet => void thread.call('addSheet', sheet).catch(fails),
      addRows: (rows, sheet) => {
        thread.call('addRows', rows, sheet).catch(fails);
        return !failed.signal.aborted;
      },
    });
    if (!filled.ok) return filled;
    const code = failed.signal.aborted ? null : await thread.call('write', file).catch(fails);
    if (failed.signal.aborted)
      return fail('internal', msg('export.packing-stopped'), {
        hint: msg('export.too-many.hint'),
        ...failureDetails(failed.signal.reason, 'The worker that packs a workbook failed.'),
      });
    if (code !== null) throw Object.assign(new Error('The workbook could not be written.'), { code });
    return filled;
  } finally {
    signal?.removeEventListener('abort', stop);
    await thread.close();
  }
};
