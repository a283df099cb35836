import type { AppState } from '../../../shared/contract/contract.ts';
import { ok, type AppError, type Result } from '../../../shared/errors.ts';
import { timeZoneOf } from '../../../shared/settings/merchant.ts';
import type {
  ExportInterval,
  ScheduledExport,
  ScheduledExportState,
} from '../../../shared/settings/scheduled-export.ts';
import { reportFailure } from '../../app-log/failure-report.ts';
import { LogFailure, toLogFailure } from '../../payment-log/log-failures.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { startLoop } from '../../pacing/loop.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { AppDependencies, AppEvents } from '../common/app-context.ts';
import type { Feature } from '../common/feature.ts';
import { periodName, reportContext, reportFacts, type FinishedFiles } from '../reports/report-setup.ts';
import { checkFolder, fileNameOf, freeName, isTakenMeanwhile, moveToFree } from './target-folder.ts';
import { wholeList } from '../common/whole-list.ts';
import type { Period } from '../../../shared/reports/payment-books.ts';
import { aboutSheet } from '../../export/about.ts';
import { columns } from '../../export/columns.ts';
import { exportPageRows, exportPayments } from '../../export/export-payments.ts';
import { totalsSheet } from '../../export/payment-sheets.ts';
import { changedFigures, changesSheet, type Positions } from './changed-figures.ts';
import { parseDate, startOfMonth, type CalendarDate } from '@internationalized/date';
import { dayAt, startOf } from '../../../shared/days.ts';

/** The periods of a schedule in a merchant's zone. */

/** Limits of periods that are caught up on after a pause. */
const maxPeriods: Readonly<Record<ExportInterval, number>> = { day: 31, month: 12 };

/** `first`: its first day, ISO. */
type ExportPeriod = Period & { first: string; next: string };

const periodFrom = (first: CalendarDate, every: ExportInterval, zone: string): ExportPeriod => {
  const next = first.add(every === 'day' ? { days: 1 } : { months: 1 });
  return {
    from: startOf(first, zone),
    until: startOf(next, zone),
    first: first.toString(),
    next: next.toString(),
  };
};

/** The first day of the period at an instant (milliseconds). */
const current = (now: number, every: ExportInterval, zone: string): CalendarDate => {
  const today = dayAt(now, zone);
  return every === 'day' ? today : startOfMonth(today);
};

/** When the period at `now` (milliseconds) ends. `zone`: IANA. */
const endOfPeriod = (now: number, every: ExportInterval, zone: string): number =>
  periodFrom(current(now, every, zone), every, zone).until;

/**
 * Whether `next`, the first day that is not written (ISO), is later than the end of the period at `now`, as the clock of
 * the last export can have it. A changed zone moves it by less.
 */
const isAhead = (next: string, now: number, every: ExportInterval, zone: string): boolean =>
  next > periodFrom(current(now, every, zone), every, zone).next;

/** The last `count` periods that have ended, oldest first. */
const lastPeriods = (
  now: number,
  every: ExportInterval,
  zone: string,
  count = maxPeriods[every],
): ExportPeriod[] => {
  const present = current(now, every, zone);
  return Array.from({ length: count }, (_, at) => {
    const back = count - at;
    return periodFrom(present.subtract(every === 'day' ? { days: back } : { months: back }), every, zone);
  });
};

/**
 * The periods that have ended and are not written, oldest first. `from`: the first day that is not written, ISO; null:
 * none was ever written, so only the last period is due.
 */
export const duePeriods = (
  now: number,
  every: ExportInterval,
  zone: string,
  from: string | null,
): ExportPeriod[] => {
  const all = lastPeriods(now, every, zone);
  if (from === null) return all.slice(-1);
  const first = parseDate(from);
  return all.filter(period => parseDate(period.first).compare(first) >= 0);
};

/** The last export of a profile, and the periods that it and those before it wrote. */
type EarlierExport = { exported: readonly Period[]; positions: Positions; since: number };

/** Attempts at a free name: another console may write into the same folder. */
const maxAttempts = 5;

/**
 * Writes the workbook of one period into the folder under a free name, completely or not at all. Returns its path and
 * the number of payments. Errors: those of `checkFolder` and `exportPayments`, also if `signal` was aborted.
 */
const writePeriod = async (
  parts: AppDependencies,
  files: Pick<FinishedFiles, 'finish'>,
  log: PaymentLog,
  given: { profileId: string; folder: string; period: Period; earlier: EarlierExport; signal: AbortSignal },
  attempt = 1,
): Promise<Result<{ file: string; written: number }>> => {
  const { profileId, folder, period, earlier, signal } = given;
  const usable = await checkFolder(folder, parts.logFile);
  if (!usable.ok) return usable;
  const whole = await wholeList(log);
  if (!whole.ok) return whole;
  const context = reportContext(parts, profileId, 'people', period);
  const profileName = context.profileName(profileId);
  const file = await freeName(folder, `${fileNameOf(profileName)}-${periodName(period, context.zone)}`);
  const facts = await reportFacts(parts, log, profileId, file, { contents: 'period', filter: null });
  const changes = await changedFigures(log, profileId, earlier.exported, earlier);
  let isTaken = false;
  const exported = await exportPayments({
    file,
    content: {
      sheetsAfter: totals => [
        totalsSheet(totals, context),
        changesSheet(changes, context),
        aboutSheet(facts, context),
      ],
    },
    columns,
    context,
    next: cursor => log.moved(profileId, period.from, period.until, cursor, exportPageRows),
    signal,
    replace: async (part, to) => {
      try {
        await moveToFree(part, to);
      } catch (thrown) {
        isTaken = isTakenMeanwhile(thrown);
        throw thrown;
      }
    },
  });
  if (!exported.ok)
    return isTaken && attempt < maxAttempts ? writePeriod(parts, files, log, given, attempt + 1) : exported;
  await files.finish(log, file);
  return ok({ file, written: exported.value.written });
};

/** Delay of the first run: the first minute after the start belongs to the user. */
const firstDelayMs = 45_000;
/** Interval of checks, and of the attempts after a failure. */
const intervalMs = 3_600_000;

/** Who writes these files, in the activity list. */
const agent = 'console';

type Schedule = NonNullable<ScheduledExport>;

type ScheduledExportFeature = Feature<'scheduledExport.chooseFolder' | 'scheduledExport.run'> & {
  state(): ScheduledExportState;
  /** Whether files are being written. */
  isRunning(): boolean;
};

/**
 * Writes a workbook of each period that has ended into a folder, for the profiles of the setting. It catches up on
 * missed periods, oldest first. `chosenFolders` gets each folder that a person chooses. `publish` sends the state to
 * the window, and returns it.
 */
export const createScheduledExportFeature = (
  parts: AppDependencies,
  events: AppEvents,
  given: {
    files: Pick<FinishedFiles, 'finish'>;
    activityLog: Pick<ActivityLog, 'record'>;
    chosenFolders: Set<string>;
  },
  publish: () => Promise<AppState>,
): ScheduledExportFeature => {
  const { settings, clock } = parts;
  const { files, activityLog, chosenFolders } = given;
  const stopping = new AbortController();
  let problem: AppError | null = null;
  let isRunning = false;
  /** Whether the next run writes a last period again. */
  let isAgain = false;
  /** The last schedule, as text to compare. */
  let known = '';

  const schedule = (): ScheduledExport => settings.read().settings.scheduledExport;
  const scheduleText = (): string => JSON.stringify(schedule());
  const zoneOf = (profileId: string): string => timeZoneOf(settings.profile(profileId));
  const storedOf = (profileId: string, every: Schedule['every']) => {
    const stored = settings.read().scheduledExport.profiles[profileId];
    if (stored?.every !== every) return null;
    const zone = zoneOf(profileId);
    if (!isAhead(stored.next, clock(), every, zone)) return stored;
    // Written under a clock that was ahead: what is due begins with the last period, and any change may be new.
    const [last] = lastPeriods(clock(), every, zone, 1);
    return last ? { ...stored, next: last.first, since: 0 } : null;
  };

  const writeOne = async (
    log: PaymentLog,
    { every, folder }: Schedule,
    profileId: string,
    period: ExportPeriod,
  ): Promise<Result<undefined>> => {
    const stored = storedOf(profileId, every);
    const exported =
      stored === null
        ? []
        : lastPeriods(clock(), every, zoneOf(profileId)).filter(
            ({ first }) => first >= stored.first && first < stored.next,
          );
    // Before the payments are read: an event that arrives meanwhile is rather named twice than never.
    const since = clock();
    const positions = Object.fromEntries((await log.chainEnds()).map(({ writer, seq }) => [writer, seq]));
    const earlier = { exported, positions: stored?.positions ?? {}, since: stored?.since ?? 0 };
    const written = await writePeriod(parts, files, log, {
      profileId,
      folder,
      period,
      earlier,
      signal: stopping.signal,
    });
    if (!written.ok) return written;
    const { file } = written.value;
    settings.change(all => ({
      ...all,
      scheduledExport: {
        lastRunAt: clock(),
        lastFile: file,
        profiles: {
          ...all.scheduledExport.profiles,
          [profileId]: {
            every,
            first: stored?.first ?? period.first,
            next: stored !== null && stored.next > period.next ? stored.next : period.next,
            since,
            positions,
          },
        },
      },
    }));
    await activityLog.record(
      [
        {
          action: 'exported',
          details: { exported: 'scheduled', format: 'xlsx', count: written.value.written, profileId },
        },
      ],
      agent,
    );
    return ok(undefined);
  };

  /** Writes the periods of a profile that are due, while `isWanted`. */
  const writeProfile = async (
    log: PaymentLog,
    wanted: Schedule,
    profileId: string,
    again: boolean,
    isWanted: () => boolean,
  ): Promise<Result<undefined>> => {
    const zone = zoneOf(profileId);
    const due = duePeriods(clock(), wanted.every, zone, storedOf(profileId, wanted.every)?.next ?? null);
    const periods = due.length === 0 && again ? lastPeriods(clock(), wanted.every, zone, 1) : due;
    for (const period of periods) {
      if (!isWanted()) break;
      const written = await writeOne(log, wanted, profileId, period);
      if (!written.ok) return written;
    }
    return ok(undefined);
  };

  /**
   * Writes every period that is due. `again`: a profile without one gets its last period once more. A profile that fails
   * stops no other; the first error is returned.
   */
  const writeDue = async (again: boolean): Promise<Result<undefined>> => {
    const wanted = schedule();
    if (wanted === null) return ok(undefined);
    const text = scheduleText();
    // The files of an earlier schedule are no longer wanted.
    const isWanted = (): boolean => !stopping.signal.aborted && scheduleText() === text;
    if (!parts.log.ok) return parts.log;
    let result: Result<undefined> = ok(undefined);
    for (const profileId of wanted.profileIds) {
      if (settings.profile(profileId) === null) continue;
      const written = await writeProfile(parts.log.value, wanted, profileId, again, isWanted).catch(
        (thrown: unknown) =>
          thrown instanceof LogFailure ? { ok: false as const, error: thrown.error } : toLogFailure(thrown),
      );
      if (result.ok) result = written;
    }
    return result;
  };

  const run = async (): Promise<void> => {
    const again = isAgain;
    isAgain = false;
    isRunning = true;
    const before = settings.read().scheduledExport.lastRunAt;
    try {
      const result = await writeDue(again);
      if (stopping.signal.aborted) return;
      const failed = result.ok ? null : result.error;
      const hasChanged =
        problem?.code !== failed?.code || settings.read().scheduledExport.lastRunAt !== before;
      problem = failed;
      if (hasChanged) await publish();
    } finally {
      isRunning = false;
    }
  };
  const loop = startLoop(run, {
    everyMs: intervalMs,
    firstMs: Number.POSITIVE_INFINITY,
    onError: thrown => {
      ({ error: problem } = toLogFailure(thrown));
      reportFailure('background', 'The scheduled export failed.', thrown);
    },
  });
  /** A changed schedule runs at once, after a run of the former one, whose problem is dropped. */
  const follow = (): void => {
    const text = scheduleText();
    if (text === known) return;
    known = text;
    problem = null;
    if (isRunning || schedule() !== null) void loop.wake();
  };

  return {
    isRunning: () => isRunning,
    state: () => {
      const wanted = schedule();
      const { lastRunAt, lastFile } = settings.read().scheduledExport;
      const ends = (wanted?.profileIds ?? []).map(id =>
        endOfPeriod(clock(), wanted?.every ?? 'month', zoneOf(id)),
      );
      return { lastRunAt, lastFile, problem, nextRunAt: ends.length === 0 ? null : Math.min(...ends) };
    },
    handlers: {
      'scheduledExport.chooseFolder': async () => {
        const folder = await parts.system.chooseFolder();
        if (folder === null) return ok({ folder });
        const usable = await checkFolder(folder, parts.logFile);
        if (usable.ok) chosenFolders.add(folder);
        return usable.ok ? ok({ folder }) : usable;
      },
      'scheduledExport.run': async () => {
        // A run that is in progress writes only what is due: the next one repeats the last period.
        isAgain = true;
        await loop.wake();
        return problem === null ? ok(await publish()) : { ok: false, error: problem };
      },
    },
    start: () => {
      known = scheduleText();
      events.on('statePublished', follow);
      loop.soon(firstDelayMs);
    },
    stop: async () => {
      stopping.abort();
      await loop.close();
    },
    needsSettings: true,
  };
};
