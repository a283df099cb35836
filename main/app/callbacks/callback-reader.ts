import type { FileText } from '../../callbacks/file-reading.ts';
import {
  startCallbackThread,
  type CallbackThread,
  type CallbackThreadEvents,
  type LogReads,
  type RequestName,
  type ThreadRequests,
} from '../../callbacks/file-worker-client.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { Candidate } from '../../callbacks/verify-callback.ts';

/** The only worker that reads callbacks, started with the first text or file and again after it ended. */
export type CallbackReader = {
  /** Rejects if the worker could not answer, for example because the text needs too much memory. */
  request<N extends RequestName>(
    name: N,
    ...given: ThreadRequests[N]['args']
  ): Promise<ThreadRequests[N]['answer']>;
  /** Reads a file in place of the open one. */
  openFile(
    file: FileText,
    candidates: readonly Candidate[],
    events: Required<CallbackThreadEvents>,
  ): Promise<void>;
  /** Closes the open file; an inspection in flight is repeated on a new worker. */
  closeFile(): Promise<void>;
  close(): Promise<void>;
};

/** Answers an inspection from the payment log. */
export const createLogReads = (log: () => Pick<PaymentLog, 'orderRecord' | 'hasEvent'> | null): LogReads => ({
  orderRecordOf: async (profileId, orderNumber) => (await log()?.orderRecord(profileId, orderNumber)) ?? null,
  hasEvent: async (...key) => (await log()?.hasEvent(...key)) ?? false,
});

export const createCallbackReader = (log: LogReads): CallbackReader => {
  let thread: CallbackThread | null = null;
  let fileEvents: CallbackThreadEvents | null = null;
  /** Counts closed files, so that a request can detect that one ended it. */
  let closings = 0;

  const running = (): CallbackThread => {
    if (thread !== null && !thread.isClosed()) return thread;
    thread = startCallbackThread(
      {
        onState: state => fileEvents?.onState?.(state),
        onFailed: error => fileEvents?.onFailed?.(error),
      },
      log,
    );
    return thread;
  };
  const end = async (): Promise<void> => {
    const ended = thread;
    thread = null;
    fileEvents = null;
    closings += 1;
    await ended?.close();
  };
  const closeFile = async (): Promise<void> => {
    if (fileEvents !== null) await end();
  };

  return {
    request: async (name, ...given) => {
      const before = closings;
      try {
        return await running().request(name, ...given);
      } catch (error) {
        if (closings === before || (name !== 'inspect' && name !== 'read')) throw error;
        return running().request(name, ...given);
      }
    },
    openFile: async (file, candidates, events) => {
      await closeFile();
      fileEvents = events;
      running().open(file, candidates);
    },
    closeFile,
    close: end,
  };
};
