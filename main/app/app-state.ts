import type { AppState, Handlers } from '../../shared/contract/index.ts';
import { ok } from '../../shared/errors.ts';
import type { UpdateState } from '../../shared/updates/update-state.ts';
import { lossOf } from '../payment-log/sqlite/files/chain-end.ts';
import { isEncryptedLog } from '../payment-log/sqlite/key/log-key.ts';
import type { AppDependencies } from './app-context.ts';
import type { AppEvents } from './app-events.ts';
import type { CallbackListeners } from './callbacks/callback-listeners.ts';
import type { PaymentLogMaintenance } from './payment-log/payment-log-maintenance.ts';
import type { PaymentLogManager } from './payment-log/payment-log-manager.ts';
import type { EmbeddedSandbox } from './sandbox/embedded-sandbox.ts';
import type { TeamPeople } from '../team/people/team-people.ts';
import type { AgentSession } from './settings/agent-session.ts';
import { profileViews } from './settings/profiles.ts';

/** The console's state for the window: computed from its parts each time, never stored. */
export type AppStatePublisher = {
  handlers: Pick<Handlers, 'app.read'>;
  read: () => Promise<AppState>;
  /** Sends the state to the window once it is on disk, and returns it. */
  publish: () => Promise<AppState>;
  /** From now on every `stateChanged` publishes. */
  start: () => void;
};

export const createAppState = (
  parts: AppDependencies,
  events: AppEvents,
  sources: {
    session: AgentSession;
    listeners: CallbackListeners;
    logManager: PaymentLogManager;
    maintenance: PaymentLogMaintenance;
    sandbox: EmbeddedSandbox;
    people: Pick<TeamPeople, 'sharing'>;
    updates: () => UpdateState;
  },
): AppStatePublisher => {
  const { settings } = parts;
  const { session, listeners, logManager, maintenance, sandbox, people, updates } = sources;

  const read = async (): Promise<AppState> => {
    const counts = parts.log.ok ? await parts.log.value.counts(null).catch(() => null) : null;
    return {
      version: parts.version,
      host: parts.host,
      systemLocale: parts.systemLocale,
      canStartAtLogin: parts.system.canStartAtLogin,
      settings: settings.read().settings,
      profiles: await profileViews(parts),
      ...session.state(),
      receiver: listeners.health(),
      settingsFile: {
        problem: settings.blocked ?? settings.problem(),
        recovery: settings.read().recovery,
      },
      policy: settings.policy,
      team: parts.team.standing(),
      sharing: people.sharing(),
      updates: updates(),
      sandbox: sandbox.state(),
      log: {
        file: parts.logFile,
        payments: counts ? Object.values(counts.states).reduce((sum, count) => sum + count, 0) : 0,
        problem: logManager.currentError(),
        isEncrypted: isEncryptedLog(parts.logFile),
        loss: lossOf(parts.logFile),
        ...maintenance.state(),
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
    start: () => {
      events.on('stateChanged', () => void publish());
    },
  };
};
