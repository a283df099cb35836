import type { AppState, Handlers, VerifyReport } from '../../../shared/contract/contract.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import { withPaymentLog, type AppDependencies, type AppEvents } from '../common/app-context.ts';
import type { HeadSigner } from './head-signer.ts';
import { createPaymentLogMaintenance, type PaymentLogMaintenance } from './payment-log-maintenance.ts';
import type { PaymentLogManager } from './payment-log-manager.ts';
import { reportFailure } from '../../app-log/failure-report.ts';
import { startLoop, type Loop } from '../../pacing/loop.ts';
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { msg } from '../../../shared/messages/message.ts';
import { placeInWords } from '../../../shared/messages/problem-place.ts';
import { logFailure, toLogFailure } from '../../payment-log/log-failures.ts';
import { copyFolder, listCopies } from '../../payment-log/sqlite/files/log-files.ts';
import { discardReplacement, prepareReplacement } from '../../payment-log/sqlite/prepare-replacement.ts';
import {
  replaceLog,
  replacementOf,
  type ReplacementPurpose,
} from '../../payment-log/sqlite/files/replace-log.ts';
import { headFolder, headNames } from '../../payment-log/heads/head-files.ts';
import { verifyFile } from '../../payment-log/sqlite/worker/worker-client.ts';
import { chooseSaveFile, merchantDay } from '../common/choose-save-file.ts';
import { createProgressReporter } from './log-progress.ts';
import { stat } from 'node:fs/promises';
import { freeBytes } from '../../files/free-bytes.ts';

/** Limits of a file from outside before it is read or copied as a payment log. */

/** A smaller file with holes does no harm, bytes. */
const minSparseBytes = 64_000_000;
/** How many times larger than the space that it occupies a file may be: file systems compress logs a few times. */
const maxExpansion = 20;

const megabytes = (bytes: number): number => Math.ceil(bytes / 1_000_000);

/** Whether a file claims far more than it contains: reading and copying it would write out the holes. */
export const isMostlyHoles = ({ size, allocated }: { size: number; allocated: number }): boolean =>
  size > minSparseBytes && size > maxExpansion * allocated;

/** Refuses a file that consists of holes. Throws file system errors. Errors: `input.invalid`. */
export const refuseHoles = async (file: string): Promise<Result<undefined>> => {
  const { size, blocks } = await stat(file);
  return isMostlyHoles({ size, allocated: blocks * 512 })
    ? fail('input.invalid', msg('backup.holes'), { hint: msg('backup.holes.hint') })
    : ok(undefined);
};

/**
 * Whether a copy with its write-ahead log fits on the disk of the log, which stays beside it. `free`: free bytes there;
 * unknown counts as enough. Throws file system errors. Errors: `file.no-room`.
 */
export const checkRoomForCopy = async (
  copy: string,
  logFile: string,
  free: (file: string) => Promise<number | null> = freeBytes,
): Promise<Result<undefined>> => {
  const [{ size }, further] = await Promise.all([stat(copy), stat(`${copy}-wal`).catch(() => null)]);
  const needed = size + (further?.size ?? 0);
  const available = await free(logFile);
  return available === null || available >= needed
    ? ok(undefined)
    : fail('file.no-room', msg('backup.no-room'), {
        hint: msg('backup.no-room.hint'),
        details: { needed: megabytes(needed), free: megabytes(available) },
      });
};

/** The refusal of a copy with foreign tables, triggers or views; null if it has none. */
const foreignSchema = (report: VerifyReport): ReturnType<typeof logFailure> | null => {
  const found = report.problems.find(({ kind }) => kind === 'schema');
  return found
    ? logFailure('log.altered', `${inEnglish(placeInWords(found.at))}: ${inEnglish(found.message)}`)
    : null;
};

/**
 * The requests about the payment log: verify, rebuild, copy, restore, erase. `publish` sends the state to the window,
 * and returns it.
 */
export const createPaymentLogHandlers = (
  parts: AppDependencies,
  logManager: PaymentLogManager,
  heads: HeadSigner,
  maintenance: PaymentLogMaintenance,
  publish: () => Promise<AppState>,
) => {
  const { logFile, clock } = parts;
  const candidates = new Map<string, { file: string; mtimeMs: number; size: number }>();

  /** The log was replaced or reopened: the window reloads all payments. */
  const replaced = (): Promise<AppState> => {
    maintenance.resetVerification();
    parts.notify('payments.changed', { payments: null });
    return publish();
  };

  /** The events of the current log; null if it cannot be read. */
  const inUse = async (): Promise<number | null> => {
    const log = logManager.current();
    if (!log.ok) return null;
    const ends = await log.value.chainEnds().catch(() => null);
    return ends && ends.reduce((sum, { seq }) => sum + seq, 0);
  };

  /**
   * Moves the prepared replacement into the log's place. `heads`: names of the head files that are archived with the
   * old one.
   */
  const replace = async (
    headNames: readonly string[],
    purpose: ReplacementPurpose,
  ): Promise<Result<{ archivedAs: string }>> => {
    const moved = await heads.whileReplaced(() =>
      logManager.whileClosed(() => replaceLog(logFile, headNames, clock(), undefined, purpose)),
    );
    if (!moved.ok) await discardReplacement(logFile).catch(() => undefined);
    await heads.refresh();
    const log = logManager.current();
    // From here on comparisons use the replacement.
    if (moved.ok && log.ok) await heads.store(log.value);
    await replaced();
    return moved;
  };

  return {
    'log.verify': withPaymentLog(parts, async log => ok(await maintenance.verify(log))),
    'log.rebuild': withPaymentLog(parts, async log => {
      const rebuilt = (await log.paymentList?.rebuild()) ?? logFailure('log.unavailable', 'no list');
      if (!rebuilt.ok) return rebuilt;
      parts.notify('payments.changed', { payments: null });
      return ok(await maintenance.verify(log));
    }),
    'log.settleLoss': async () => {
      const log = logManager.current();
      if (!log.ok) return log;
      const settled = await maintenance.settleLoss(log.value, parts.requester.name());
      return settled.ok ? ok(await replaced()) : settled;
    },
    'log.reopen': async () => {
      await logManager.whileClosed(() => undefined);
      return ok(await replaced());
    },
    'log.backUp': async () => {
      if (!parts.log.ok) return parts.log;
      const { files } = parts.log.value;
      if (!files) return logFailure('log.unavailable', 'not a file');
      const chosen = await chooseSaveFile(parts, `counterfoil-payments-${merchantDay(parts)}.db`, name => [
        `${name}.head.json`,
      ]);
      if (!chosen.ok) return chosen;
      const file = chosen.value;
      if (file === null) return ok({ file, bytes: 0, signed: false });
      const copied = await files.copyTo(file, createProgressReporter(parts, 'copy'));
      if (!copied.ok) return copied;
      const signed = await heads.signFile(parts.log.value, file);
      if (!signed.ok)
        parts.appLog.write('error', 'payment-log', 'A copy was not signed.', { code: signed.error.code });
      return ok({ file, bytes: copied.value.bytes, signed: signed.ok });
    },
    'log.copies': async () =>
      ok({
        folder: copyFolder(logFile),
        copies: listCopies(logFile, clock()),
      }),
    'log.checkCopy': async ({ name }) => {
      const known = listCopies(logFile).find(copy => copy.name === name);
      if (name !== null && !known) return fail('input.invalid', msg('backup.unknown'));
      const file = known ? join(copyFolder(logFile), known.name) : await parts.system.chooseOpenFile();
      if (file === null) return ok({ candidate: null });
      const solid = await refuseHoles(file).catch(toLogFailure);
      if (!solid.ok) return solid;
      const report = await verifyFile(file, { onProgress: createProgressReporter(parts, 'check') });
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
      if (!candidate || stat?.mtimeMs !== candidate.mtimeMs || stat.size !== candidate.size)
        return fail('input.invalid', msg('backup.unchecked'), {
          hint: msg('backup.unchecked.hint'),
        });
      const room = await checkRoomForCopy(candidate.file, logFile).catch(toLogFailure);
      if (!room.ok) return room;
      const report = createProgressReporter(parts, 'check');
      const prepared = await prepareReplacement(logFile, candidate.file, report);
      if (!prepared.ok) return prepared;
      // Heads of events after the copy are archived with the old log.
      const later = await verifyFile(replacementOf(logFile), { headFolder: headFolder(logFile) });
      const checkedCopy = later.ok ? (foreignSchema(later.value) ?? later) : later;
      if (!checkedCopy.ok) {
        await discardReplacement(logFile);
        return checkedCopy;
      }
      const names = new Set(
        checkedCopy.value.problems.flatMap(({ at }) => (at.kind === 'head-file' ? [at.name] : [])),
      );
      const replaced = await replace([...names], 'restored');
      if (replaced.ok) candidates.delete(token);
      return replaced;
    },
    'log.createNew': async () => {
      if (logManager.currentError() === null) return fail('input.invalid', msg('payment-log.works'));
      const prepared = await prepareReplacement(logFile, null);
      if (!prepared.ok) return prepared;
      return replace(await headNames(headFolder(logFile)), 'log-created');
    },
    'log.erase': withPaymentLog(parts, async (log, { profileId, orderNumber }) => {
      const agent = parts.requester.name();
      const erased = await log.erase({ reason: 'request', agent, profileId, orderNumbers: [orderNumber] });
      return erased.ok ? ok({}) : erased;
    }),
  } satisfies Partial<Handlers>;
};

const hourMs = 3_600_000;
/** Delay of the first run: the first minute after the start belongs to the user. */
const firstDelayMs = 30_000;

/**
 * Runs the daily jobs of the payment log soon after its start, then checks every hour whether they are due. `publish`
 * sends the state to the window.
 */
const createDailySchedule = (maintenance: PaymentLogMaintenance, publish: () => Promise<unknown>) => {
  const run = async (): Promise<void> => {
    if (await maintenance.daily()) await publish();
  };
  let loop: Loop | null = null;
  return {
    /** Runs the jobs now. */
    run,
    start: (): void => {
      loop = startLoop(run, {
        everyMs: hourMs,
        firstMs: firstDelayMs,
        onError: thrown => reportFailure('background', 'The daily jobs of the payment log failed.', thrown),
      });
    },
    stop: (): void => void loop?.close(),
  };
};

/** The care of the payment log: verification, copies, and its daily jobs. */
export const createPaymentLogFeature = (
  parts: AppDependencies,
  events: AppEvents,
  given: {
    logManager: PaymentLogManager;
    heads: HeadSigner;
    activityLog: ActivityLog;
    publish: () => Promise<AppState>;
  },
) => {
  const { logManager, heads, activityLog, publish } = given;
  const stateChanged = (): void => void events.emit('stateChanged');
  const maintenance = createPaymentLogMaintenance(parts, logManager, heads, activityLog, stateChanged);
  const schedule = createDailySchedule(maintenance, publish);
  events.on('clockCorrected', () => void maintenance.checkRecordingTime());
  events.on('eventsWritten', (_payments, written) => maintenance.countEvents(written.length));
  return {
    state: maintenance.state,
    /** Runs the daily jobs now. */
    daily: schedule.run,
    handlers: createPaymentLogHandlers(parts, logManager, heads, maintenance, publish),
    start: schedule.start,
    stop: schedule.stop,
  };
};
