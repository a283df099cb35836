import type { CallbackForm } from '../../shared/payments/evidence.ts';
import type { AppError } from '../../shared/errors.ts';
import type { FileInspection, FileShow } from '../../shared/callbacks/file-inspection.ts';
import type { Inspection } from '../../shared/callbacks/inspection.ts';
import type { FileReading, FileText, ReadCallback } from './file-reading.ts';
import type { OrderRecord } from '../../shared/payments/payment.ts';
import type { Candidate } from './verify-callback.ts';

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
