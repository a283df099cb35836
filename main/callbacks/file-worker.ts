import type { FileInspection, FileShow } from '../../shared/callbacks/file-inspection.ts';
import type { Inspection } from '../../shared/callbacks/inspection.ts';
import type { CallbackForm } from '../../shared/payments/evidence.ts';
import type { OrderRecord } from '../../shared/payments/payment.ts';
import { serveCalls } from '../threads/thread.ts';
import { fileReading, type FileReading, type FileText, type ReadCallback } from './file-reading.ts';
import { inspect, inspectFound } from './inspect.ts';
import { parseCallbacks } from './parse.ts';
import { provenReading, verifyAgainstCandidates, type Candidate } from './verify-callback.ts';

/** The worker thread that reads and inspects callbacks: pasted texts, and one open file. */

/** What an inspection asks the payment log, which only the main thread has. */
export type LogReads = {
  orderRecordOf: (profileId: string, orderNumber: string) => Promise<OrderRecord | null>;
  hasEvent: (profileId: string, orderNumber: string | null, dedupeKey: string) => Promise<boolean>;
};

/** What the thread calls in the main thread; `onState` gets the progress of the open file. */
export type CallbackMain = LogReads & { onState: (state: FileInspection) => void };

export type CallbackWorker = {
  /** Reads a file; once per thread. The passwords stay within this process. */
  open: (file: FileText, candidates: readonly Candidate[]) => Promise<void>;
  rows: (show: FileShow, from: number, limit: number) => ReturnType<FileReading['rows']>;
  batch: (from: number, count: number) => ReadCallback[];
  /** Inspects callback number `index` of the open file; null if it is not held. */
  inspectOne: (index: number, candidates: readonly Candidate[]) => Promise<Inspection | null>;
  inspect: (text: string, form: CallbackForm | null, candidates: readonly Candidate[]) => Promise<Inspection>;
  /** Finds and verifies the callbacks in a text, for storing. */
  read: (text: string, form: CallbackForm | null, candidates: readonly Candidate[]) => ReadCallback[];
};

serveCalls<CallbackMain>((callMain): CallbackWorker => {
  let reading: FileReading | null = null;
  const log: LogReads = {
    orderRecordOf: (...key) => callMain('orderRecordOf', ...key),
    hasEvent: (...key) => callMain('hasEvent', ...key),
  };
  return {
    open: async (file, candidates) => {
      reading = fileReading(file, candidates);
      await reading.run(state => void callMain('onState', state));
    },
    rows: (...wanted) => reading?.rows(...wanted) ?? { rows: [], total: 0 },
    batch: (from, count) => reading?.batch(from, count) ?? [],
    inspectOne: async (index, candidates) => {
      const found = reading?.one(index);
      return found ? inspectFound([found], { ...log, candidates }) : null;
    },
    inspect: (text, form, candidates) => inspect(text, { ...log, form, candidates }),
    read: (text, form, candidates) =>
      parseCallbacks(text, form).callbacks.flatMap(found => {
        const { fields, form: read, doubt } = provenReading(found, candidates);
        const result = verifyAgainstCandidates(fields, candidates);
        // What was not read with certainty is no evidence against its sender.
        return doubt !== undefined && result.verification.verdict !== 'verified'
          ? []
          : [{ fields, form: read, ...result }];
      }),
  };
});
