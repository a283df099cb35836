import type { FileInspection } from '../../shared/callbacks/file-inspection.ts';
import type { AppError } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import { reportFailure } from '../app-log/failure-report.ts';
import { startThread, ThreadEnded, type Thread } from '../threads/thread.ts';
import type { FileText } from './file-reading.ts';
import type { CallbackMain, CallbackWorker, LogReads } from './file-worker.ts';
import type { Candidate } from './verify-callback.ts';

type FileEvents = {
  /** The progress of the open file. */
  onState: (state: FileInspection) => void;
  /** Why the file could not be read, or the thread ended. */
  onFailed: (error: AppError) => void;
};

/** The only worker that reads callbacks. */
export type CallbackReader = ReturnType<typeof createCallbackReader>;

const stopped: AppError = { code: 'internal', message: msg('file.stopped') };

const failureOf = (thrown: unknown): AppError =>
  thrown === undefined
    ? stopped
    : {
        code: 'callback.unreadable',
        message: msg('file.out-of-memory'),
        hint: msg('file.too-large.hint'),
        details: {
          reference: reportFailure('callback-file', 'The worker that read a file has ended.', thrown),
        },
      };

/** Starts the worker with the first text or file, and again after it ended. `log` answers an inspection. */
export const createCallbackReader = (log: LogReads) => {
  let thread: Thread<CallbackWorker> | null = null;
  let fileEvents: FileEvents | null = null;
  /** Counts closed files, so that a request can detect that one ended it. */
  let closings = 0;

  const running = (): Thread<CallbackWorker> => {
    if (thread?.isEnded() === false) return thread;
    const own: CallbackMain = { ...log, onState: state => fileEvents?.onState(state) };
    thread = startThread<CallbackWorker>(
      './file-worker.js',
      import.meta.url,
      // A hostile file may exhaust only this thread's memory.
      { resourceLimits: { maxOldGenerationSizeMb: 2_048 } },
      {
        own,
        onEnd: thrown => {
          const failure = failureOf(thrown);
          fileEvents?.onFailed(failure);
        },
      },
    );
    return thread;
  };
  const close = async (): Promise<void> => {
    const ended = thread;
    thread = null;
    fileEvents = null;
    closings += 1;
    await ended?.close();
  };
  const closeFile = async (): Promise<void> => {
    if (fileEvents !== null) await close();
  };
  const call: Thread<CallbackWorker>['call'] = (name, ...args) => running().call(name, ...args);
  const untilAnswered = async <T>(ask: () => Promise<T>): Promise<T> => {
    const before = closings;
    try {
      return await ask();
    } catch (error) {
      if (closings === before) throw error;
      return ask();
    }
  };

  return {
    /** Of a pasted text. Rejects if the worker could not answer, for example because the text needs too much memory. */
    inspect: (...given: Parameters<CallbackWorker['inspect']>) =>
      untilAnswered(() => call('inspect', ...given)),
    /** As `inspect`. */
    read: (...given: Parameters<CallbackWorker['read']>) => untilAnswered(() => call('read', ...given)),
    /** For calls about the open file. */
    call,
    /** Reads a file in place of the open one. */
    openFile: async (file: FileText, candidates: readonly Candidate[], events: FileEvents): Promise<void> => {
      await closeFile();
      fileEvents = events;
      call('open', file, candidates).catch((thrown: unknown) => {
        if (!(thrown instanceof ThreadEnded)) events.onFailed(stopped);
      });
    },
    /** Closes the open file; an inspection in flight is repeated on a new worker. */
    closeFile,
    close,
  };
};
