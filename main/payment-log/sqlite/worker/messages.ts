import type { VerifyReport } from '../../../../shared/contract/contract.ts';
import type { AppError, Result } from '../../../../shared/errors.ts';
import type { Event } from '../../../../shared/payments/evidence.ts';
import type { PaymentKey } from '../../../../shared/payments/payment-row.ts';
import type { CopyProgress, OthersStanding } from '../../../../shared/team/team-standing.ts';
import type { FailureRecord } from '../../../app-log/failure-report.ts';
import type { AuditPart } from '../integrity/audit-parts.ts';
import type { LogReader } from '../query/reader.ts';
import type { ChainedEvent, Erasure, HeadFile } from '../../answers.ts';

/** What is known of the chains of others; `compared`: how often their ends were compared. */
export type ForeignStanding = OthersStanding & { compared: number };

/** The messages between the main thread and the log's worker threads. */

/**
 * `writer`: the only writer of the log. `list-writer`: the only writer of its list, with the chains of a shared log
 * (`logId`). `reader`: answers reads, those of the list only if there is one. `writer`, in each: the chain of this
 * installation. `auditor`: checks parts of the log, compares the heads, and ends. `copier`: copies the log and ends.
 */
export type WorkerSetup = { file: string } & (
  | { role: 'writer'; writer: string }
  | { role: 'reader'; writer: string; list: string | null }
  | { role: 'list-writer'; writer: string; list: string; logId: string | null; maxAwayMs: number }
  | {
      role: 'auditor';
      parts: readonly AuditPart[];
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
  /** Whether a person is at the console, whose list then follows news at once. */
  | { type: 'attend'; id: number; isAttended: boolean }
  /** The shared log that a list follows from now on: a SharedLogSettings. */
  | { type: 'follow'; id: number; settings: unknown }
  | { type: 'own-written'; id: number }
  /** Answered when everything in the log is listed, and erased words are gone from the list. */
  | { type: 'catch-up'; id: number }
  | { type: 'correct-clock'; id: number; milliseconds: number }
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
  /** The open files of the log are gone or were replaced; null when they are back. */
  | { type: 'files'; error: AppError | null }
  /**
   * The list has changed: it shows the events of this installation up to `through`. `events`: what other installations
   * have written since it was level for the first time, about `payments`; null: any payment may have changed.
   */
  | {
      type: 'listed';
      through: number;
      payments: readonly PaymentKey[] | null;
      events: readonly Event[];
    }
  /** `progress`: of the payments of the log. `others`: the chains of the shared log; null without one. */
  | { type: 'list-standing'; progress: CopyProgress; others: ForeignStanding | null }
  /** The list's file is damaged. */
  | { type: 'list-broken'; cause: string }
  /** A read exceeded the threshold for slow requests. */
  | { type: 'slow'; read: string; milliseconds: number }
  | { type: 'answer'; id: number; result: Result<unknown> }
  | { type: 'progress'; done: number; total: number }
  | { type: 'report'; result: Result<VerifyReport> }
  | { type: 'copied'; result: Result<{ bytes: number }> };
