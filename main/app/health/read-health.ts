import { dirname } from 'node:path';
import type { AppState, Handlers } from '../../../shared/contract/contract.ts';
import { ok } from '../../../shared/errors.ts';
import { assess } from '../../status/assess.ts';
import type { StatusFacts } from '../../status/status-facts.ts';
import { diskEncryption, findUnsafePlace } from '../../files/unsafe-place.ts';
import { freeBytes } from '../../files/free-bytes.ts';
import { fileSize, lastCopy, writeIntervalMs, writeStatus } from '../../status/status-file.ts';
import { pinsOfPolicy } from '../../policy/managed-settings.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';
import { startLoop, type Loop } from '../../pacing/loop.ts';
import type { AppDependencies, AppEvents } from '../common/app-context.ts';

/** Delay of the first write after the start, and of one after a change. */
const delayMs = 2_000;
/** Interval at which the recent activity of the profiles is read from the payment log. */
const activityIntervalMs = 5 * 60_000;

/**
 * The health of the running console: for its page, and in `status.json` for `counterfoil --status`. `profileHealth`:
 * the handler of `profiles.health`. `readState`: the state of the window.
 */
export const createHealth = (
  parts: AppDependencies,
  events: AppEvents,
  profileHealth: Handlers['profiles.health'],
  readState: () => Promise<AppState>,
) => {
  const { logFile, clock, settings } = parts;
  const folder = dirname(logFile);
  const startedAt = clock();
  const activity = new Map<
    string,
    {
      readAt: number;
      facts: Omit<StatusFacts['profiles'][number], 'id' | 'password'>;
      verifiedAt: number | null;
    }
  >();
  /** Asked once: on Windows the answer takes seconds. */
  let disk: ReturnType<typeof diskEncryption> | null = null;
  /** Looked up once in a run, and again for the page. */
  let place: ReturnType<typeof findUnsafePlace> | null = null;

  const readActivity = async (id: string, isFresh: boolean) => {
    const known = activity.get(id);
    if (known && !isFresh && clock() - known.readAt < activityIntervalMs) return known;
    const read = await profileHealth({ id });
    const next = {
      readAt: clock(),
      facts: {
        lastSuccessAt: read.ok ? (read.value.lastSuccess?.at ?? null) : null,
        lastFailureAt: read.ok ? (read.value.lastFailure?.at ?? null) : null,
        lastFailure: read.ok ? (read.value.lastFailure?.code ?? null) : null,
      },
      verifiedAt: read.ok ? read.value.verifiedAt : null,
    };
    activity.set(id, next);
    return next;
  };

  /** `isFresh`: reads the activity of the profiles now. */
  const collect = async (isFresh: boolean): Promise<StatusFacts> => {
    const state = await readState();
    const own = state.profiles.filter(({ id }) => id !== sandboxProfileId);
    const activities = await Promise.all(own.map(({ id }) => readActivity(id, isFresh)));
    const times = [state.receiver.lastAt, ...activities.map(one => one.verifiedAt)].filter(at => at !== null);
    const passwords = state.profiles.map(one => one.password);
    const { receiver, log } = state;
    return {
      version: state.version,
      at: clock(),
      pid: process.pid,
      startedAt,
      paymentLog: {
        problem: log.problem?.code ?? null,
        bytes: fileSize(logFile),
        payments: log.payments,
        isRecordedAhead: log.recordedAhead !== null,
      },
      loss: log.loss,
      verification: log.checked && {
        at: log.checked.at,
        events: log.checked.events,
        problems: log.checked.problems,
      },
      dailyTaskProblem: log.dailyTaskProblem?.code ?? null,
      scheduledExport: state.settings.scheduledExport && {
        problem: state.scheduledExport.problem?.code ?? null,
        lastRunAt: state.scheduledExport.lastRunAt,
      },
      backup: lastCopy(logFile),
      receiver: {
        isEnabled: state.settings.receiver.enabled,
        isListening: receiver.listening,
        problem: receiver.problem?.code ?? null,
        lastCallbackAt: times.length === 0 ? null : Math.max(...times),
        lastRefusal: receiver.refused[0] ?? null,
        isQuarantineFull: receiver.quarantine.full,
        certificateUntil: receiver.certificate?.validTo ?? null,
      },
      profiles: own.map(({ id, password }, at) => ({
        id,
        password,
        lastSuccessAt: activities[at]?.facts.lastSuccessAt ?? null,
        lastFailureAt: activities[at]?.facts.lastFailureAt ?? null,
        lastFailure: activities[at]?.facts.lastFailure ?? null,
      })),
      keychain: passwords.includes('keychain-unavailable')
        ? 'unavailable'
        : passwords.some(one => one === 'stored' || one === 'missing')
          ? 'available'
          : 'unknown',
      settings: {
        problem: state.settingsFile.problem?.code ?? null,
        unreadParts: state.settingsFile.recovery?.problems.length ?? 0,
      },
      policy: {
        state: settings.policy.state,
        problems: settings.policy.problems.map(({ path }) => path),
        ...pinsOfPolicy(settings.policy.managed.people ? settings.read().agents : []),
      },
      sharedLog: state.team && {
        state: state.team.state,
        since: state.team.since,
        problem: state.team.problem?.code ?? null,
        waiting: state.team.waiting,
        oldestWaitingAt: state.team.oldestWaiting,
        brokenChains: state.team.broken.length,
        leftOut: (state.team.others?.leftOut ?? []).map(({ writer, events }) => ({
          installation: state.team?.installations.find(one => one.writer === writer)?.label ?? writer,
          events,
        })),
        others: state.team.others && {
          isConnected: state.team.others.isConnected,
          isLevel: state.team.others.isLevel,
          levelAt: state.team.others.levelAt,
          progress: state.team.others.progress,
          problem: state.team.others.problem?.code ?? null,
        },
      },
      freeBytes: await freeBytes(logFile),
      isSandboxed: parts.system.isSandboxed,
      unsafePlace: await (place ??= findUnsafePlace(logFile)),
      encryption: {
        disk: await (disk ??= diskEncryption(logFile)),
        isRequired: settings.policy.managed.isEncryptionRequired,
      },
    };
  };

  const write = async (change: Partial<StatusFacts> = {}): Promise<void> => {
    try {
      await writeStatus(folder, { ...(await collect(false)), ...change });
    } catch {
      // A monitor sees that the file grows old.
    }
  };

  let writing: Loop | null = null;

  const handlers: Pick<Handlers, 'health.read'> = {
    'health.read': async () => {
      disk = null;
      place = null;
      return ok(assess(await collect(true), true));
    },
  };

  // A burst of changes is written once.
  events.on('statePublished', () => writing?.soon(delayMs));
  return {
    handlers,
    needsSettings: true as const,
    start: (): void => {
      writing = startLoop(() => write(), { everyMs: writeIntervalMs, firstMs: delayMs });
    },
    /** The last write: the console has ended properly. */
    stop: async (): Promise<void> => {
      await writing?.close();
      if (writing) await write({ pid: null });
    },
  };
};
