import type { PaymentFilter, VerifyReport } from '../../../shared/contract/index.ts';
import type { DeskError, Result } from '../../../shared/errors.ts';
import type { ReconciliationCause } from '../../../shared/reports/reconcile.ts';
import type { FailureRecord } from '../../app-log/failure-report.ts';
import type { AuditPart } from '../integrity/audit-parts.ts';
import type { Erasure } from '../store/erase.ts';
import type { HeadFile } from '../integrity/head-files.ts';
import type { EventPlace, LogReader } from '../store/reader.ts';

/** What the main thread and the log's threads say to each other. */

/**
 * `writer`: the one hand that writes. `reader`: answers questions. `auditor` and `head-checker`: check one part of
 * the log and end. `copier`: copies the log and ends.
 */
export type WorkerSetup =
  | { role: 'writer'; file: string; writer: string }
  | { role: 'reader'; file: string }
  | { role: 'auditor'; file: string; part: AuditPart; projected: number }
  | { role: 'head-checker'; file: string; headFolder: string; heads: readonly HeadFile[] }
  | { role: 'copier'; file: string; copy: string };

export type ReadName = keyof LogReader;
export type ReadArguments = {
  payment: [profileId: string, orderNumber: string];
  orderRecord: [profileId: string, orderNumber: string];
  events: [profileId: string, orderNumber: string];
  eventPage: [profileId: string, orderNumber: string, before: number | null];
  change: [profileId: string, orderNumber: string, since: EventPlace];
  ordersOf: [paymentId: string];
  list: [filter: PaymentFilter, cursor: string | null, limit: number];
  count: [filter: PaymentFilter];
  counts: [profileId: string | null];
  overview: [profileId: string | null, cuts: readonly number[]];
  reconcile: [
    profileId: string | null,
    cause: ReconciliationCause | null,
    cursor: string | null,
    limit: number,
  ];
  runningOut: [profileId: string | null, limit: number];
  notesSince: [profileId: string | null, since: number, limit: number];
  lastCalls: [profileId: string];
  recentCallbacks: [limit: number];
  inquiries: [profileId: string, limit: number, paymentIds?: readonly string[]];
  knows: [profileId: string, orderNumber: string | null, dedupeKey: string];
  chainEnds: [];
  lastRecordedAt: [];
  proof: [profileId: string, orderNumber: string];
  proofPath: [profileId: string, orderNumber: string, writer: string, first: number, last: number];
};
export type ReadAnswer<N extends ReadName> = ReturnType<LogReader[N]>;

export type ToWorker =
  /**
   * Several appends that came in one turn, as JSON (`EventDraft[][]`), which crosses in a third of the time that
   * objects take; each gets its own answer, in order.
   */
  | { ask: 'append'; id: number; appends: string }
  | { ask: 'erase'; id: number; erasure: Erasure }
  | { ask: 'rebuild'; id: number }
  | { [N in ReadName]: { ask: N; id: number; with: ReadArguments[N] } }[ReadName]
  | { ask: 'close' };

export type FromWorker =
  | { say: 'ready' }
  /** Something was thrown: a record for the application log. */
  | { say: 'failed'; failure: FailureRecord }
  | { say: 'refused'; error: DeskError }
  /** `result`: a `Result<Place>` for each append, as JSON: a copy of so many small objects costs several times more. */
  | { say: 'appended'; id: number; result: Result<string> }
  /** The list shows everything up to this event. */
  | { say: 'projected'; through: number }
  /** The list was emptied and is made again. */
  | { say: 'rebuilding' }
  /** The log's files are gone or were replaced while they are open; null when they are back. */
  | { say: 'files'; error: DeskError | null }
  /** A question took longer than a person notices. */
  | { say: 'slow'; question: string; milliseconds: number }
  | { say: 'answer'; id: number; result: Result<unknown> }
  | { say: 'progress'; done: number; total: number }
  | { say: 'report'; result: Result<VerifyReport> }
  | { say: 'copied'; result: Result<{ bytes: number }> };
