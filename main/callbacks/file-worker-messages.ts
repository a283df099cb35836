import type { CallbackForm } from '../../shared/payments/evidence.ts';
import type { AppError } from '../../shared/errors.ts';
import type { FileInspection, FileShow } from '../../shared/callbacks/file-inspection.ts';
import type { Inspection } from '../../shared/callbacks/inspection.ts';
import type { FileReading, ReadCallback } from './file-reading.ts';
import type { OrderRecord } from '../../shared/payments/payment.ts';
import type { Candidate } from './verify-callback.ts';

/** The messages between the main thread and the thread that reads and inspects callbacks. */

/** A file on this PC, by its path; or one whose bytes are handed over, so many of them. */
export type FileSource = { file: string } | { name: string; bytes: number };

/** What main asks of the thread, by name: what is given, and what is answered. */
export type ThreadRequests = {
  rows: { args: [show: FileShow, from: number, limit: number]; answer: ReturnType<FileReading['rows']> };
  batch: { args: [from: number, count: number]; answer: ReadCallback[] };
  /** Inspects callback number `index` of the open file; null when it was not held. */
  inspectOne: { args: [index: number, candidates: readonly Candidate[]]; answer: Inspection | null };
  inspect: {
    args: [text: string, form: CallbackForm | null, candidates: readonly Candidate[]];
    answer: Inspection;
  };
  /** Finds and verifies the callbacks in a text, to be kept. */
  read: {
    args: [text: string, form: CallbackForm | null, candidates: readonly Candidate[]];
    answer: ReadCallback[];
  };
};
export type RequestName = keyof ThreadRequests;

/** What the thread asks of main while it inspects: only main has the payment log. */
export type LogQuestions = {
  orderRecordOf: (profileId: string, orderNumber: string) => Promise<OrderRecord | null>;
  hasEvent: (profileId: string, orderNumber: string | null, dedupeKey: string) => Promise<boolean>;
};
export type LogQuestion =
  | { name: 'recordOf'; args: Parameters<LogQuestions['orderRecordOf']> }
  | { name: 'knows'; args: Parameters<LogQuestions['hasEvent']> };

export type ThreadRequest = {
  [N in RequestName]: { type: 'request'; id: number; name: N; args: ThreadRequests[N]['args'] };
}[RequestName];

export type ToFileWorker =
  | { type: 'open'; source: FileSource; candidates: readonly Candidate[] }
  /** The next bytes of a file that is handed over; it has no answer. */
  | { type: 'part'; part: Uint8Array }
  | ThreadRequest
  /** `value` null with `hasFailed`: the log could not be asked. */
  | { type: 'log-answer'; id: number; value: unknown; hasFailed: boolean };

export type FromFileWorker =
  | { type: 'state'; state: FileInspection }
  | { type: 'refused'; error: AppError }
  | { type: 'answer'; id: number; value: unknown; hasFailed: boolean }
  | { type: 'log-question'; id: number; question: LogQuestion };
