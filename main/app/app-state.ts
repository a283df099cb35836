import type { AppState, Handlers } from '../../shared/contract/index.ts';
import { ok } from '../../shared/errors.ts';
import { lossOf } from '../payment-log/sqlite/files/chain-end.ts';
import { isEncryptedLog } from '../payment-log/sqlite/key/log-key.ts';
import type { AppDependencies } from './common/app-context.ts';
import type { AppEvents } from './common/app-events.ts';
import type { PaymentLogManager } from './payment-log/payment-log-manager.ts';
import type { AgentSession } from './settings/agent-session.ts';
import { profileViews } from './settings/profiles.ts';

/** What the features report of themselves. */
type ReportedState = {
  [N in 'receiver' | 'sandbox' | 'sharing' | 'updates']: () => AppState[N];
} & {
  log: () => Pick<AppState['log'], 'checked' | 'recordedAhead' | 'head' | 'dailyTaskProblem'>;
};

/** The console's state for the window: computed from its parts each time, never stored. */
export type AppStatePublisher = {
  handlers: Pick<Handlers, 'app.read'>;
  read: () => Promise<AppState>;
  /** Sends the state to the window once it is on disk, and returns it. */
  publish: () => Promise<AppState>;
  /** The features that report a part of the state are created after it, since their requests publish it. */
  connect: (reported: ReportedState) => void;
  /** From now on every `stateChanged` publishes. */
  start: () => void;
};

export const createAppState = (
  parts: AppDependencies,
  events: AppEvents,
  session: Pick<AgentSession, 'state'>,
  logManager: Pick<PaymentLogManager, 'currentError'>,
): AppStatePublisher => {
  const { settings } = parts;
  let reported: ReportedState | null = null;

  const read = async (): Promise<AppState> => {
    if (reported === null) throw new Error('The state was read before the features were created.');
    const { receiver, sandbox, sharing, updates, log } = reported;
    const counts = parts.log.ok ? await parts.log.value.counts(null).catch(() => null) : null;
    return {
      version: parts.version,
      host: parts.host,
      systemLocale: parts.systemLocale,
      canStartAtLogin: parts.system.canStartAtLogin,
      settings: settings.read().settings,
      profiles: await profileViews(parts),
      ...session.state(),
      receiver: receiver(),
      settingsFile: {
        problem: settings.blocked ?? settings.problem(),
        recovery: settings.read().recovery,
      },
      policy: settings.policy,
      team: parts.team.standing(),
      sharing: sharing(),
      updates: updates(),
      sandbox: sandbox(),
      log: {
        file: parts.logFile,
        payments: counts ? Object.values(counts.states).reduce((sum, count) => sum + count, 0) : 0,
        problem: logManager.currentError(),
        isEncrypted: isEncryptedLog(parts.logFile),
        loss: lossOf(parts.logFile),
        ...log(),
      },
    };
  };

  const publish = async (): Promise<AppState> => {
    // The window gets a state that is on disk, or that reports a failed write.
    await settings.flush();
    const state = await read();
    parts.notify('app.changed', state);
    events.emit('statePublished');
    return state;
  };

  return {
    handlers: { 'app.read': async () => ok(await read()) },
    read,
    publish,
    connect: given => {
      reported = given;
    },
    start: () => {
      events.on('stateChanged', () => void publish());
    },
  };
};
