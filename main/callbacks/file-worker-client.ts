import { Worker } from 'node:worker_threads';
import { reportFailure } from '../app-log/failure-report.ts';
import { msg } from '../../shared/messages/message.ts';
import type { AppError } from '../../shared/errors.ts';
import type { FileInspection, FileShow } from '../../shared/callbacks/file-inspection.ts';
import type { FileReading, FileText, ReadCallback } from './file-reading.ts';
import type { Candidate } from './verify-callback.ts';
import type { CallbackForm } from '../../shared/payments/evidence.ts';
import type { Inspection } from '../../shared/callbacks/inspection.ts';
import type { OrderRecord } from '../../shared/payments/payment.ts';

/** The messages between the main thread and the worker that reads and inspects callbacks. */

/** Requests from main to the worker, by name, with arguments and answer. */
export type ThreadRequests = {
  rows: { args: [show: FileShow, from: number, limit: number]; answer: ReturnType<FileReading['rows']> };
  batch: { args: [from: number, count: number]; answer: ReadCallback[] };
  /** Inspects callback number `index` of the open file; null if it is not held. */
  inspectOne: { args: [index: number, candidates: readonly Candidate[]]; answer: Inspection | null };
  inspect: {
    args: [text: string, form: CallbackForm | null, candidates: readonly Candidate[]];
    answer: Inspection;
  };
  /** Finds and verifies the callbacks in a text, for storing. */
  read: {
    args: [text: string, form: CallbackForm | null, candidates: readonly Candidate[]];
    answer: ReadCallback[];
  };
};
export type RequestName = keyof ThreadRequests;

/** Requests from the worker to main during an inspection: only main has the payment log. */
export type LogReads = {
  orderRecordOf: (profileId: string, orderNumber: string) => Promise<OrderRecord | null>;
  hasEvent: (profileId: string, orderNumber: string | null, dedupeKey: string) => Promise<boolean>;
};
export type LogReadRequest =
  | { name: 'orderRecordOf'; args: Parameters<LogReads['orderRecordOf']> }
  | { name: 'hasEvent'; args: Parameters<LogReads['hasEvent']> };

export type ThreadRequest = {
  [N in RequestName]: { type: 'request'; id: number; name: N; args: ThreadRequests[N]['args'] };
}[RequestName];

export type ToFileWorker =
  | { type: 'open'; file: FileText; candidates: readonly Candidate[] }
  | ThreadRequest
  /** `value` null with `hasFailed`: the payment log could not be read. */
  | { type: 'log-answer'; id: number; value: unknown; hasFailed: boolean };

export type FromFileWorker =
  | { type: 'state'; state: FileInspection }
  | { type: 'refused'; error: AppError }
  | { type: 'answer'; id: number; value: unknown; hasFailed: boolean }
  | { type: 'log-read'; id: number; read: LogReadRequest };

/** The worker's file is next to this one: source in tests, a separate entry in the bundle. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './file-worker.ts' : './file-worker.js',
  import.meta.url,
);

/** The worker thread that reads and inspects callbacks: pasted texts, and one open file. */
export type CallbackThread = {
  /** Rejects if the thread has ended or could not answer. */
  request<N extends RequestName>(
    name: N,
    ...given: ThreadRequests[N]['args']
  ): Promise<ThreadRequests[N]['answer']>;
  /** Reads a file; once per thread. The passwords stay within this process. */
  open(file: FileText, candidates: readonly Candidate[]): void;
  isClosed(): boolean;
  /** Terminates the thread immediately and discards its data. */
  close(): Promise<void>;
};

export type CallbackThreadEvents = {
  /** The progress of the open file. */
  onState?: (state: FileInspection) => void;
  /** Why the file could not be read, or the thread ended. */
  onFailed?: (error: AppError) => void;
};

const withoutLog: LogReads = {
  orderRecordOf: () => Promise.resolve(null),
  hasEvent: () => Promise.resolve(false),
};

/** Starts the thread. `log` answers an inspection's requests to the payment log. */
export const startCallbackThread = (
  events: CallbackThreadEvents,
  log: LogReads = withoutLog,
): CallbackThread => {
  const worker = new Worker(workerFile, {
    name: 'callbacks',
    execArgv: [],
    // A hostile file may exhaust only this thread's memory.
    resourceLimits: { maxOldGenerationSizeMb: 2_048 },
  });
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let next = 0;
  let closed = false;
  const post = (message: ToFileWorker): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    if (!closed) worker.postMessage(message);
  };
  /** `error`: null if the thread was closed on purpose. */
  const end = (error: AppError | null): void => {
    if (!closed && error !== null) events.onFailed?.(error);
    closed = true;
    for (const { reject } of waiting.values()) reject(new Error('The thread has ended.'));
    waiting.clear();
  };
  const answerOf = (read: LogReadRequest): Promise<unknown> =>
    read.name === 'orderRecordOf' ? log.orderRecordOf(...read.args) : log.hasEvent(...read.args);

  worker.on('message', (message: FromFileWorker) => {
    switch (message.type) {
      case 'state':
        return events.onState?.(message.state);
      case 'refused':
        return closed ? undefined : events.onFailed?.(message.error);
      case 'log-read':
        answerOf(message.read).then(
          value => post({ type: 'log-answer', id: message.id, value, hasFailed: false }),
          () => post({ type: 'log-answer', id: message.id, value: null, hasFailed: true }),
        );
        return;
      case 'answer': {
        const pending = waiting.get(message.id);
        waiting.delete(message.id);
        if (message.hasFailed) pending?.reject(new Error('The callbacks could not be read.'));
        else pending?.resolve(message.value);
      }
    }
  });
  worker.on('error', thrown =>
    end({
      code: 'callback.unreadable',
      message: msg('file.out-of-memory'),
      hint: msg('file.too-large.hint'),
      details: {
        reference: reportFailure('callback-file', 'The worker that read a file has ended.', thrown),
      },
    }),
  );
  worker.on('exit', () => end({ code: 'internal', message: msg('file.stopped') }));
  return {
    request: <N extends RequestName>(name: N, ...given: ThreadRequests[N]['args']) =>
      new Promise<ThreadRequests[N]['answer']>((resolve, reject) => {
        if (closed) return reject(new Error('The thread is closed.'));
        next += 1;
        waiting.set(next, { resolve: resolve as (value: unknown) => void, reject });
        post({ type: 'request', id: next, name, args: given } as ToFileWorker);
      }),
    open: (file, candidates) => post({ type: 'open', file, candidates }),
    isClosed: () => closed,
    close: async () => {
      end(null);
      await worker.terminate();
    },
  };
};
