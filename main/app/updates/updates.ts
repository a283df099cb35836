import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { AppState } from '../../../shared/contract/contract.ts';
import { fail, ok, type AppError, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { refusalReasons } from '../../../shared/updates/refusal-reasons.ts';
import type { UpdateState } from '../../../shared/updates/update-state.ts';
import type { Checked, Installer } from '../../updates/installer.ts';
import { updateFailed, updateUnreachable } from '../../updates/update-failure.ts';
import { startLoop, type Loop } from '../../pacing/loop.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { AppDependencies, AppEvents } from '../common/app-context.ts';
import type { Feature } from '../common/feature.ts';

/** Delay of the first check after the start: the start has other work. */
const firstCheckMs = 60_000;
/** Further delay, at random: all PCs of a company start at eight o'clock. */
const maxSpreadMs = 10 * 60_000;
/** Interval of checks. */
const checkIntervalMs = 4 * 60 * 60_000;

/** Who installs and refuses updates, in the activity list. */
const agent = 'console';

/** The state of updates, for the window. */
type Updates = Feature<'updates.check' | 'updates.restart'> & {
  state(): UpdateState;
  /** Records what happened to the last update, and begins to check. */
  start(): Promise<void>;
  /** Does not install the downloaded update when the console closes now. */
  hold(): void;
  /** Everything is on disk, and the program ends: see Installer.atQuit. */
  atQuit(): Promise<void>;
};

/**
 * Checks for new versions while the settings name a server. `isBusy`: something is running that a restart would
 * interrupt. `publish` sends the state to the window, and returns it.
 */
export const createUpdates = (
  parts: Pick<AppDependencies, 'settings' | 'team' | 'version' | 'clock' | 'appLog' | 'updates'>,
  activityLog: Pick<ActivityLog, 'record'>,
  events: AppEvents,
  { isBusy, publish }: { isBusy: () => boolean; publish: () => Promise<AppState> },
): Updates => {
  const { settings, team, version, clock, appLog, updates } = parts;
  const { obstacle } = updates;
  let phase: UpdateState['phase'] = 'idle';
  let ready: { version: string; files: readonly string[] } | null = null;
  let checkedAt: number | null = null;
  let problem: AppError | null = null;
  /** The version that the last end of the console was to install. */
  let failed: string | null = null;
  let isHeld = false;
  let installer: Installer | null = null;
  /** The server of the present state. */
  let server: string | null = null;
  let isStarted = false;
  let checking: Loop | null = null;

  const onChange = (): void => void events.emit('stateChanged');
  const configured = (): string | null => (obstacle === null ? settings.read().settings.updateServer : null);

  const remember = (change: Partial<ReturnType<typeof settings.read>['update']>): void => {
    settings.change(stored => ({ ...stored, update: { ...stored.update, ...change } }));
  };

  /** A refusal is recorded once, not at every check. */
  const recordRefusal = async ({ details = {} }: AppError): Promise<void> => {
    const refusal = refusalReasons.find(one => one === details['reason']) ?? 'unreadable';
    const offered = String(details['version'] ?? '');
    const key = `${refusal} ${offered}`;
    if (settings.read().update.refused === key) return;
    remember({ refused: key });
    await activityLog.record([{ action: 'update-refused', details: { refusal, version: offered } }], agent);
  };

  const ask = async (from: string): Promise<Result<Checked>> => {
    const shared = team.shared();
    const sharedLog = shared === null ? ok(null) : await shared.versions();
    if (!sharedLog.ok) return sharedLog;
    installer ??= await updates.load();
    const { newestSignedAt } = settings.read().update;
    return installer.check(from, { version, now: clock(), sharedLog: sharedLog.value, newestSignedAt });
  };

  /** What is ready is not installed any more: it was withdrawn, or the server offers something else. */
  const withdraw = async (): Promise<void> => {
    failed = null;
    if (ready === null) return;
    const { files } = ready;
    ready = null;
    remember({ pending: null });
    for (const file of files) await rm(file, { force: true });
  };

  const finish = async (checked: Result<Checked>): Promise<void> => {
    problem = checked.ok ? null : checked.error;
    const signedAt = checked.ok ? checked.value.signedAt : checked.error.details?.['signedAt'];
    if (typeof signedAt === 'number') remember({ newestSignedAt: signedAt });
    if (checked.ok) {
      checkedAt = clock();
      if (checked.value.found !== 'ready') return withdraw();
      ready = checked.value;
      if (failed !== ready.version) failed = null;
      const pending = { version: ready.version, before: version, isTried: false };
      remember({ pending, refused: null });
      return;
    }
    const { code, details = {} } = checked.error;
    appLog.write('warn', 'background', 'The check for a new version failed.', {
      code,
      reason: String(details['reason'] ?? details['cause'] ?? ''),
    });
    // A download that was cut off takes the one before it along.
    const isLost = ready !== null && !ready.files.every(file => existsSync(file));
    if (code !== 'update.refused' && !isLost) return;
    await withdraw();
    if (code === 'update.refused') await recordRefusal(checked.error);
  };

  const check = async (): Promise<void> => {
    const from = configured();
    if (from === null || phase === 'checking') return;
    phase = 'checking';
    onChange();
    const checked = await ask(from).catch((thrown: unknown) =>
      updateUnreachable(thrown instanceof Error ? thrown.message : String(thrown)),
    );
    // What a server said that is no longer the configured one is of no interest.
    if (configured() === from) await finish(checked);
    // In every order of checks: what the window calls ready is what is installed.
    installer?.installOnQuit(ready !== null && !isHeld);
    phase = ready === null ? 'idle' : 'ready';
    onChange();
    if (configured() !== from) void check();
  };

  /** At the first start after an update; a version that another installer brought is not recorded. */
  const recordInstalled = async (): Promise<void> => {
    const { pending } = settings.read().update;
    if (pending === null || (pending.before === version && !pending.isTried)) return;
    remember({ pending: null, refused: null });
    const isFailed = pending.before === version;
    if (isFailed) failed = pending.version;
    else if (pending.version !== version) return;
    const details = { version: pending.version, versionBefore: pending.before };
    await activityLog.record([{ action: isFailed ? 'update-failed' : 'update-installed', details }], agent);
  };

  /** The package of a version that was not installed, as far as it is known here. */
  const failure = (): AppError | null => {
    if (failed === null || server === null) return null;
    const [file = ''] = ready?.files ?? [];
    return updateFailed(failed, `${server.replace(/\/?$/, '/')}${basename(file)}`);
  };

  /** Follows changed settings. */
  const follow = (): void => {
    if (!isStarted || configured() === server) return;
    server = configured();
    void withdraw();
    installer?.installOnQuit(false);
    problem = null;
    checkedAt = null;
    if (phase === 'ready') phase = 'idle';
    onChange();
    void check();
  };
  events.on('statePublished', follow);

  return {
    state: () => ({
      obstacle,
      phase,
      version: ready?.version ?? null,
      checkedAt,
      problem: problem ?? failure(),
    }),
    start: async () => {
      isStarted = true;
      server = configured();
      await recordInstalled();
      const firstMs = firstCheckMs + Math.random() * maxSpreadMs;
      checking = startLoop(check, { everyMs: checkIntervalMs, firstMs });
    },
    handlers: {
      'updates.check': async () => {
        void check();
        return ok(await publish());
      },
      'updates.restart': async () => {
        if (ready === null || installer === null) return fail('update.busy', msg('update.not-ready'));
        if (isBusy() || phase === 'checking')
          return fail('update.busy', msg('error.update.busy'), { hint: msg('hint.update.busy') });
        void installer.restart();
        return ok({});
      },
    },
    needsSettings: true,
    hold: () => {
      isHeld = true;
      installer?.installOnQuit(false);
    },
    atQuit: async () => installer?.atQuit(),
    stop: () => {
      void checking?.close();
      const { pending } = settings.read().update;
      if (ready !== null && !isHeld && pending !== null) remember({ pending: { ...pending, isTried: true } });
    },
  };
};
