import type { VerifyReport } from '../../../../shared/contract/contract.ts';
import type { AppError, Result } from '../../../../shared/errors.ts';
import type { Event } from '../../../../shared/payments/evidence.ts';
import type { PaymentKey } from '../../../../shared/payments/payment-key.ts';
import type { ReplicaStanding } from '../../../../shared/team/replica-standing.ts';
import type { FailureRecord } from '../../../app-log/failure-report.ts';
import type { AuditPart } from '../integrity/audit-parts.ts';
import type { LogReader } from '../query/reader.ts';
import type { ChainedEvent, Erasure, HeadFile } from '../../answers.ts';

/** The messages between the main thread and the log's worker threads. */

/**
 * `writer`: the only writer. `reader`: answers reads. `auditor`: checks parts of the log, compares the heads, and
 * ends. `copier`: copies the log and ends. `replica-writer` and `replica-reader`: the same for a replica (`file`) of this
 * installation's `journal` and of the others' chains.
 */
export type WorkerSetup = { file: string } & (
  | { role: 'writer'; writer: string; isListRead: boolean }
  | { role: 'reader' | 'replica-reader' }
  | { role: 'replica-writer'; journal: string; writer: string; maxAwayMs: number; months: number | null }
  | {
      role: 'auditor';
      parts: readonly AuditPart[];
      projected: number;
      heads: { folder: string; further: readonly HeadFile[] } | null;
    }
  | { role: 'copier'; copy: string }
);

export type ToWorker =
  /**
   * Several appends of one batch, as JSON (`EventDraft[][]`): a third of the transfer time of objects. Each gets its
   * own result, in order.
   */
  | { type: 'append'; id: number; appends: string }
  | { type: 'erase'; id: number; erasure: Erasure }
  | { type: 'restore'; id: number; events: readonly ChainedEvent[] }
  /** Whether a person is at the console, whose replica then follows news at once. */
  | { type: 'attend'; id: number; isAttended: boolean }
  /** Fetches orders with this number or payment id that are older than a replica's months. */
  | { type: 'find-older'; id: number; numberOrId: string }
  /** The shared log that a replica follows from now on: a SharedLogSettings. */
  | { type: 'connect'; id: number; settings: unknown }
  | { type: 'own-written'; id: number }
  | { type: 'correct-clock'; id: number; milliseconds: number }
  | { type: 'rebuild'; id: number }
  | { type: 'settle-loss'; id: number }
  | { type: 'read'; id: number; name: keyof LogReader; args: readonly unknown[] }
  | { type: 'close' };

export type FromWorker =
  | { type: 'ready' }
  /** An exception: a record for the application log. */
  | { type: 'failed'; failure: FailureRecord }
  | { type: 'refused'; error: AppError }
  /**
   * `result`: a `Result<Place>` for each append, as JSON, since copying many small objects costs several times more.
   */
  | { type: 'appended'; id: number; result: Result<string> }
  /** The list is complete up to this event. */
  | { type: 'projected'; through: number }
  /** The list was emptied and is being rebuilt. */
  | { type: 'rebuilding' }
  /** The open files of the log are gone or were replaced; null when they are back. */
  | { type: 'files'; error: AppError | null }
  /**
   * A replica has changed. `events`: what other installations have written since it was level for the first time;
   * `payments` null: any. `own`: up to which event the chain of this installation is listed.
   */
  | { type: 'stored'; payments: readonly PaymentKey[] | null; events: readonly Event[]; own: number }
  | { type: 'standing'; standing: ReplicaStanding }
  /** A read exceeded the threshold for slow requests. */
  | { type: 'slow'; read: string; milliseconds: number }
  | { type: 'answer'; id: number; result: Result<unknown> }
  | { type: 'progress'; done: number; total: number }
  | { type: 'report'; result: Result<VerifyReport> }
  | { type: 'copied'; result: Result<{ bytes: number }> };
