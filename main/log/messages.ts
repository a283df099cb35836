import type { PaymentFilter, VerifyReport } from '../../shared/contract.ts';
import type { DeskError, Result } from '../../shared/errors.ts';
import type { EventDraft } from '../../shared/evidence.ts';
import type { Appended } from './payment-log.ts';
import type { LogReader } from './reader.ts';

/** What the main thread and the log's threads say to each other. */

/** `writer`: the one hand that writes. `reader`: answers questions. `auditor`: verifies once and ends. */
export type WorkerSetup = { role: 'writer' | 'reader' | 'auditor'; file: string; writer: string };

export type ReadName = Exclude<keyof LogReader, 'list' | 'counts'> | 'list' | 'counts';
export type ReadArguments = {
  payment: [profileId: string, orderNumber: string];
  events: [profileId: string, orderNumber: string];
  ordersOf: [paymentId: string];
  list: [filter: PaymentFilter, cursor: string | null, limit: number];
  counts: [profileId: string | null];
  recentCallbacks: [limit: number];
  knows: [dedupeKey: string];
};
export type ReadAnswer<N extends ReadName> = ReturnType<LogReader[N]>;

export type ToWorker =
  | { ask: 'append'; id: number; drafts: readonly EventDraft[] }
  | { [N in ReadName]: { ask: N; id: number; with: ReadArguments[N] } }[ReadName]
  | { ask: 'close' };

export type FromWorker =
  | { say: 'ready' }
  | { say: 'refused'; error: DeskError }
  | { say: 'appended'; id: number; result: Result<Appended> }
  | { say: 'answer'; id: number; result: Result<unknown> }
  | { say: 'progress'; done: number; total: number }
  | { say: 'report'; result: Result<VerifyReport> };
