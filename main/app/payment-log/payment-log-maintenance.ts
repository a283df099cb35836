import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { AppState, Handlers, IpcEvent, VerifyReport } from '../../../shared/contract/index.ts';
import { fail, ok, type AppError, type Result } from '../../../shared/errors.ts';
import { logFailure, toLogFailure } from '../../payment-log/failures.ts';
import { headFolder, headNames } from '../../payment-log/integrity/head-files.ts';
import { copyFolder, listCopies, pruneCopies, dailyCopyToday } from '../../payment-log/files/log-files.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { discardReplacement, prepareReplacement } from '../../payment-log/files/prepare-replacement.ts';
import { replaceLog, replacementOf } from '../../payment-log/files/replace-log.ts';
import { verifyFile } from '../../payment-log/worker/worker-client.ts';
import type { HeadSigner } from './head-signer.ts';
import type { PaymentLogManager } from './payment-log-manager.ts';
import { chooseSaveFile } from '../reports/choose-save-file.ts';
import { eventRate } from './event-rate.ts';
import type { AppDependencies } from '../app-context.ts';

type MaintenanceHandlers = Pick<
  Handlers,
  | 'log.verify'
  | 'log.rebuild'
  | 'log.reopen'
  | 'log.backUp'
  | 'log.copies'
  | 'log.checkCopy'
  | 'log.restore'
  | 'log.createNew'
  | 'log.erase'
>;

/** Milliseconds between two words on progress. */
const progressIntervalMs = 200;
const dayMs = 86_400_000;
/** Milliseconds by which the time of recording may be ahead of the clock before it is reported. */
const maxAheadMs = 3_600_000;
/** Times in a row that the daily verification is left to the next hour since evidence floods in. */
const maxPostponed = 6;
/** Bytes of a copy that is made again on the same day without knowing how many events it holds. */
const maxRenewed = 64 * 1024 * 1024;

const megabytes = (bytes: number): number => Math.ceil(bytes / 1_000_000);

/** The refusal of a copy that brings tables, triggers or views of another origin; null when it has none. */
const foreignSchema = (report: VerifyReport): ReturnType<typeof logFailure> | null => {
  const found = report.problems.find(({ kind }) => kind === 'schema');
  return found ? logFailure('log.altered', `${found.at}: ${found.message}`) : null;
};

/**
 * The care of the payment log: verifying, copying, restoring, erasing, and what is done once a day.
 * `changed` tells the window what the desk looks like now, and answers with it.
 */
export const createPaymentLogMaintenance = (
  parts: AppDependencies,
  logManager: PaymentLogManager,
  heads: HeadSigner,
  changed: () => Promise<AppState>,
) => {
  const { logFile, settings, clock } = parts;
  const candidates = new Map<string, { file: string; mtimeMs: number; size: number }>();
  let checked: AppState['log']['checked'] = null;
  let dailyTaskProblem: AppError | null = null;
  let recordedAhead: number | null = null;
  /** Whether the log was found to hold all that the keychain's head names. */
  let isComplete = false;
  /** The last daily copy of this run, and how many events the log had then. */
  let copied: { copy: string; events: number } | null = null;
  let daysWork: Promise<void> | null = null;
  const rate = eventRate();
  let postponed = 0;

  const progress = (job: IpcEvent<'log.progress'>['job']) => {
    let last = 0;
    return (done: number, total: number): void => {
      const now = performance.now();
      if (now - last < progressIntervalMs && done < total) return;
      last = now;
      parts.notify('log.progress', { job, done, total });
    };
  };

  const verify = async (log: PaymentLog): Promise<VerifyReport> => {
    const stored = await heads.stored();
    const report = await log.verify(progress('verify'), stored ? [stored] : []);
    // A log that lacks what the keychain knows of must not have the last word there.
    isComplete = !report.problems.some(({ at }) => at === stored?.name);
    if (isComplete) void heads.keep(log);
    checked = {
      at: clock(),
      events: report.events,
      problems: report.problems.length,
      isRepairable: report.problems.length > 0 && report.problems.every(({ kind }) => kind === 'projection'),
    };
    void changed();
    return report;
  };

  /**
   * Makes the day's copy when there is none yet, or when today's is of a log less than half as large as it is now:
   * so the first day's payments are copied too. It must fit beside the log twice over. Errors: `file.no-room`, and
   * those of the copy.
   */
  const createDailyCopy = async (log: PaymentLog, now: number): Promise<Result<unknown>> => {
    const events = (await log.chainEnds()).reduce((sum, { seq }) => sum + seq, 0);
    if (events === 0) return ok(undefined);
    const copy = dailyCopyToday(logFile, now);
    const made = statSync(copy, { throwIfNoEntry: false });
    const isCurrent =
      copied?.copy === copy ? events < 2 * copied.events : copied !== null || (made?.size ?? 0) > maxRenewed;
    if (made && isCurrent) return ok(undefined);
    const bytes = statSync(logFile).size;
    const { bavail, bsize } = await statfs(copyFolder(logFile));
    const free = bavail * bsize;
    if (free < 2 * bytes) {
      return fail('file.no-room', 'There is not enough space for the daily backup of the payment log.', {
        hint: 'Free some space. The payment log still works.',
        details: { needed: megabytes(2 * bytes), free: megabytes(free) },
      });
    }
    const done = await log.copyTo(copy);
    if (done.ok) {
      copied = { copy, events };
      pruneCopies(logFile, now, free - done.value.bytes);
    }
    return done;
  };

  /** Each duty tried by itself: one that fails keeps none of the others from being done. */
  const daily = async (): Promise<void> => {
    const log = logManager.current();
    if (!log.ok) return;
    const { retentionDays } = settings.read().settings;
    const now = clock();
    const dailyTasks: (() => Promise<Result<unknown>>)[] = [
      async () =>
        retentionDays > 0
          ? log.value.erase({ reason: 'retention', agent: 'console', before: now - retentionDays * dayMs })
          : ok(undefined),
      () => heads.daily(log.value),
      () => createDailyCopy(log.value, now),
      async () => {
        const last = await log.value.lastRecordedAt();
        recordedAhead = last !== null && last - now > maxAheadMs ? last : null;
        // A check that lies in the future was timed by a clock that was wrong.
        const isDue = checked === null || checked.at > now || now - checked.at >= dayMs;
        if (!isDue) {
          if (isComplete) void heads.keep(log.value);
        } else if (rate.isFlooded() && postponed < maxPostponed) {
          postponed += 1;
        } else {
          postponed = 0;
          await verify(log.value);
        }
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
    await changed();
  };

  /** Another log, or the same one again: whatever the window shows of payments is to be read anew. */
  const replaced = (): Promise<AppState> => {
    checked = null;
    parts.notify('payments.changed', { payments: [] });
    return changed();
  };

  /** The events of the log in use; null when it cannot be read. */
  const inUse = async (): Promise<number | null> => {
    const log = logManager.current();
    if (!log.ok) return null;
    const ends = await log.value.chainEnds().catch(() => null);
    return ends && ends.reduce((sum, { seq }) => sum + seq, 0);
  };

  /** Puts what was made ready in the log's place. `heads`: names of the head files that go with the old one. */
  const replace = async (headNames: readonly string[]): Promise<Result<{ archivedAs: string }>> => {
    const moved = await logManager.whileClosed(() => replaceLog(logFile, headNames, clock()));
    if (!moved.ok) await discardReplacement(logFile).catch(() => undefined);
    await heads.refresh();
    const log = logManager.current();
    // From here on the log that was put in place is the one to compare with.
    if (moved.ok && log.ok) await heads.replaceStored(log.value);
    await replaced();
    return moved;
  };

  const handlers: MaintenanceHandlers = {
    'log.verify': async () => (parts.log.ok ? ok(await verify(parts.log.value)) : parts.log),
    'log.rebuild': async () => {
      if (!parts.log.ok) return parts.log;
      const rebuilt = await parts.log.value.rebuild();
      if (!rebuilt.ok) return rebuilt;
      parts.notify('payments.changed', { payments: [] });
      return ok(await verify(parts.log.value));
    },
    'log.reopen': async () => {
      await logManager.whileClosed(() => undefined);
      return ok(await replaced());
    },
    'log.backUp': async () => {
      if (!parts.log.ok) return parts.log;
      const day = new Date(clock()).toISOString().slice(0, 10);
      const chosen = await chooseSaveFile(parts, `counterfoil-payments-${day}.db`, name => [
        `${name}.head.json`,
      ]);
      if (!chosen.ok) return chosen;
      const file = chosen.value;
      if (file === null) return ok({ file, bytes: 0 });
      const copied = await parts.log.value.copyTo(file, progress('copy'));
      if (!copied.ok) return copied;
      const signed = await heads.signFile(parts.log.value, file);
      if (!signed.ok)
        parts.appLog.write('error', 'payment-log', 'A copy was not signed.', { code: signed.error.code });
      return ok({ file, bytes: copied.value.bytes });
    },
    'log.copies': async () => ok({ folder: copyFolder(logFile), copies: listCopies(logFile, clock()) }),
    'log.checkCopy': async ({ name }) => {
      const known = listCopies(logFile).find(copy => copy.name === name);
      if (name !== null && !known) return fail('input.invalid', 'There is no daily backup with this name.');
      const file = known ? join(copyFolder(logFile), known.name) : await parts.system.chooseOpenFile();
      if (file === null) return ok({ candidate: null });
      const report = await verifyFile(file, { onProgress: progress('check') });
      if (!report.ok) return report;
      const foreign = foreignSchema(report.value);
      if (foreign) return foreign;
      const { mtimeMs, size } = statSync(file);
      const token = randomUUID();
      candidates.set(token, { file, mtimeMs, size });
      return ok({
        candidate: {
          token,
          name: basename(file),
          bytes: size,
          report: report.value,
          inUse: await inUse(),
        },
      });
    },
    'log.restore': async ({ token }) => {
      const candidate = candidates.get(token);
      const stat = candidate && statSync(candidate.file, { throwIfNoEntry: false });
      if (!candidate || stat?.mtimeMs !== candidate.mtimeMs || stat.size !== candidate.size) {
        return fail('input.invalid', 'This backup was not checked, or it has changed since.', {
          hint: 'Choose it again.',
        });
      }
      const prepared = await prepareReplacement(logFile, candidate.file);
      if (!prepared.ok) return prepared;
      // Heads of what came after the copy go with the log they speak of.
      const later = await verifyFile(replacementOf(logFile), {
        headFolder: headFolder(logFile),
      });
      const checkedCopy = later.ok ? (foreignSchema(later.value) ?? later) : later;
      if (!checkedCopy.ok) {
        await discardReplacement(logFile);
        return checkedCopy;
      }
      const names = new Set(
        checkedCopy.value.problems
          .filter(({ kind, at }) => kind === 'head' && at.endsWith('.json'))
          .map(({ at }) => at),
      );
      const replaced = await replace([...names]);
      if (replaced.ok) candidates.delete(token);
      return replaced;
    },
    'log.createNew': async () => {
      if (logManager.currentError() === null) {
        return fail('input.invalid', 'The payment log works. You do not need a new one.');
      }
      const prepared = await prepareReplacement(logFile, null);
      if (!prepared.ok) return prepared;
      return replace(await headNames(headFolder(logFile)));
    },
    'log.erase': async ({ profileId, orderNumber }) => {
      if (!parts.log.ok) return parts.log;
      const { agent } = settings.read().settings;
      const erased = await parts.log.value.erase({ reason: 'request', agent, profileId, orderNumber });
      return erased.ok ? ok({}) : erased;
    },
  };

  return {
    handlers,
    /** Counts evidence that was written. */
    advanceTarget: (events: number): void => rate.advanceTarget(events),
    /** What is done once a day: erasing what is old, the signed head, the copy, the verification. One run at a time. */
    daily: (): Promise<void> => {
      daysWork ??= daily().finally(() => {
        daysWork = null;
      });
      return daysWork;
    },
    state: (): Pick<AppState['log'], 'checked' | 'recordedAhead' | 'head' | 'dailyTaskProblem'> => ({
      checked,
      recordedAhead,
      head: heads.last(),
      dailyTaskProblem,
    }),
  };
};
