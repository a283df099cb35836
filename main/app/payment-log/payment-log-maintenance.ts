import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { AppState, VerifyReport } from '../../../shared/contract/contract.ts';
import { fail, ok, type AppError, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { toLogFailure } from '../../payment-log/log-failures.ts';
import { lossOf } from '../../payment-log/sqlite/files/chain-end.ts';
import { copyFolder, dailyCopyToday, pruneCopies } from '../../payment-log/sqlite/files/log-files.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { HeadSigner } from './head-signer.ts';
import type { PaymentLogManager } from './payment-log-manager.ts';
import { nextRound } from './retention-clock.ts';
import { createProgressReporter } from './log-progress.ts';
import type { AppDependencies } from '../common/app-context.ts';

/** Window of the rate measurement. */
const windowMs = 5_000;
/** Limit of events per window while the load counts as low. */
const maxQuietEvents = 500;

/**
 * Measures the rate of recent events, so that deferrable work does not compete with high load. `now`: a clock in
 * milliseconds that never goes back.
 */
export const createEventRate = (now: () => number = () => performance.now()) => {
  let windowStart = now();
  let events = 0;
  let eventsBefore = 0;
  const turn = (): void => {
    const age = now() - windowStart;
    if (age < windowMs) return;
    eventsBefore = age < 2 * windowMs ? events : 0;
    events = 0;
    windowStart = now();
  };
  return {
    countEvents: (count: number): void => {
      turn();
      events += count;
    },
    isFlooded: (): boolean => {
      turn();
      return Math.max(events, eventsBefore) > maxQuietEvents;
    },
  };
};

const dayMs = 86_400_000;
/** Tolerance of a recording time ahead of the clock. */
const maxAheadMs = 3_600_000;
/** Limit of consecutive postponements of the daily copy and verification under high load, by an hour each. */
const maxPostponed = 6;
/** Size limit, bytes, of a copy that is renewed on the same day without a known number of events. */
const maxRenewed = 64 * 1024 * 1024;

const megabytes = (bytes: number): number => Math.ceil(bytes / 1_000_000);

export type PaymentLogMaintenance = ReturnType<typeof createPaymentLogMaintenance>;

/** Verification and the daily jobs of the payment log. `stateChanged` is called when a verification ends. */
export const createPaymentLogMaintenance = (
  parts: AppDependencies,
  logManager: PaymentLogManager,
  heads: HeadSigner,
  activityLog: Pick<ActivityLog, 'record'>,
  stateChanged: () => void,
) => {
  const { logFile, settings, clock } = parts;
  let checked: AppState['log']['checked'] = null;
  let dailyTaskProblem: AppError | null = null;
  let recordedAhead: number | null = null;
  /** Whether the log contains everything that the keychain's head names. */
  let isComplete = false;
  /** The last daily copy of this run, and the number of events at that time. */
  let copied: { copy: string; events: number } | null = null;
  let dailyRun: Promise<boolean> | null = null;
  const rate = createEventRate();
  let postponed = 0;

  const verify = async (log: PaymentLog): Promise<VerifyReport> => {
    const stored = await heads.readStored();
    const report = await log.verify(createProgressReporter(parts, 'verify'), stored ? [stored] : []);
    // An incomplete log must not overwrite the keychain's head.
    isComplete = !report.problems.some(({ at }) => at.kind === stored?.source.kind);
    if (isComplete) void heads.store(log);
    checked = {
      at: clock(),
      events: report.events,
      problems: report.problems.length,
    };
    stateChanged();
    return report;
  };

  /**
   * Creates the day's copy if there is none yet, or if today's copy is of a log less than half as large as now, so
   * that the first day's payments are copied too. Twice its size must be free. Errors: `file.no-room`, and those of
   * the copy.
   */
  const createDailyCopy = async (log: PaymentLog, now: number): Promise<Result<unknown>> => {
    const events = (await log.chainEnds()).reduce((sum, { seq }) => sum + seq, 0);
    if (events === 0 || !log.files) return ok(undefined);
    const copy = dailyCopyToday(logFile, now);
    const made = statSync(copy, { throwIfNoEntry: false });
    const isCurrent =
      copied?.copy === copy ? events < 2 * copied.events : copied !== null || (made?.size ?? 0) > maxRenewed;
    if (made && isCurrent) return ok(undefined);
    const bytes = statSync(logFile).size;
    const { bavail, bsize } = await statfs(copyFolder(logFile));
    const free = bavail * bsize;
    if (free < 2 * bytes)
      return fail('file.no-room', msg('backup.daily.no-room'), {
        hint: msg('backup.daily.no-room.hint'),
        details: { needed: megabytes(2 * bytes), free: megabytes(free) },
      });
    const done = await log.files.copyTo(copy);
    if (done.ok) {
      copied = { copy, events };
      pruneCopies(logFile, now, free - done.value.bytes);
    }
    return done;
  };

  /** Erases what is older than the retention period; in the activity list it has the console's name. */
  const eraseBefore = async (log: PaymentLog, before: number): Promise<Result<unknown>> => {
    const erased = await log.erase({ reason: 'retention', agent: 'console', before });
    if (erased.ok && erased.value.payments > 0) {
      const details = { count: erased.value.payments };
      await activityLog.record([{ action: 'retention-erased', details }], 'console');
    }
    return erased;
  };

  /** Erases by age, unless the clock has jumped. `days`: the retention period; 0 keeps everything. */
  const eraseByAge = async (log: PaymentLog, now: number, days: number): Promise<Result<unknown>> => {
    const { mayErase, rounds } = nextRound(settings.read().retention, now);
    settings.change(stored => ({ ...stored, retention: rounds }));
    if (days === 0) return ok(undefined);
    if (mayErase) return eraseBefore(log, now - days * dayMs);
    parts.appLog.write('warn', 'payment-log', 'The clock has jumped, so no details are erased by age today.');
    return ok(undefined);
  };

  const readRecordedAhead = async (log: PaymentLog): Promise<void> => {
    const last = await log.lastRecordedAt();
    recordedAhead = last !== null && last - clock() > maxAheadMs ? last : null;
  };

  /** Each task runs independently: a failed one does not prevent the others. */
  const daily = async (): Promise<boolean> => {
    const log = logManager.current();
    if (!log.ok) return false;
    const { retentionDays } = settings.read().settings;
    const now = clock();
    const isPostponed = rate.isFlooded() && postponed < maxPostponed;
    postponed = isPostponed ? postponed + 1 : 0;
    const dailyTasks: (() => Promise<Result<unknown>>)[] = [
      () => eraseByAge(log.value, now, retentionDays),
      () => heads.writeDaily(log.value),
      async () => (isPostponed ? ok(undefined) : createDailyCopy(log.value, now)),
      async () => {
        await readRecordedAhead(log.value);
        // A verification in the future was recorded by a wrong clock.
        const isDue = checked === null || checked.at > now || now - checked.at >= dayMs;
        if (!isDue) {
          if (isComplete) void heads.store(log.value);
        } else if (!isPostponed) await verify(log.value);
        return ok(undefined);
      },
    ];
    dailyTaskProblem = null;
    for (const dailyTask of dailyTasks) {
      const done = await dailyTask().catch((thrown: unknown) => toLogFailure(thrown));
      if (done.ok) continue;
      dailyTaskProblem ??= done.error;
      parts.appLog.write('error', 'background', 'A daily job of the payment log failed.', {
        code: done.error.code,
        ...done.error.details,
      });
    }
    return true;
  };

  return {
    verify,
    /** Records that a person has dealt with missing events, and then ends the report of them. */
    settleLoss: async (log: PaymentLog, agent: string): Promise<Result<undefined>> => {
      const loss = lossOf(logFile);
      if (loss === null || !log.files) return ok(undefined);
      await activityLog.record([{ action: 'loss-settled', details: { count: loss.missing } }], agent);
      return log.files.settleLoss();
    },
    /** Clears the last verification: the log was replaced or reopened. */
    resetVerification: (): void => {
      checked = null;
    },
    /** Compares the last recording time with the clock again: the clock was corrected. */
    checkRecordingTime: async (): Promise<void> => {
      const log = logManager.current();
      if (!log.ok) return;
      await readRecordedAhead(log.value).catch(() => undefined);
      stateChanged();
    },
    /** Counts written evidence. */
    countEvents: (events: number): void => rate.countEvents(events),
    /**
     * The daily tasks: erasure of old data, the signed head, the copy, the verification; the last two wait while many
     * events arrive. One run at a time. Returns false without a log.
     */
    daily: (): Promise<boolean> => {
      dailyRun ??= daily().finally(() => {
        dailyRun = null;
      });
      return dailyRun;
    },
    state: (): Pick<AppState['log'], 'checked' | 'recordedAhead' | 'head' | 'dailyTaskProblem'> => ({
      checked,
      // The time itself ends it: from then on new events have their own time.
      recordedAhead: recordedAhead !== null && recordedAhead > clock() ? recordedAhead : null,
      head: heads.lastWritten(),
      dailyTaskProblem,
    }),
  };
};
