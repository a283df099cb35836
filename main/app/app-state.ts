import { hasRight } from '../../shared/agents/roles.ts';
import type { AppState, Handlers } from '../../shared/contract/contract.ts';
import { ok } from '../../shared/errors.ts';
import { lossOf } from '../payment-log/sqlite/files/chain-end.ts';
import type { AppDependencies, AppEvents } from './common/app-context.ts';
import { ownListOf } from './payment-log/list-progress.ts';
import type { PaymentLogManager } from './payment-log/payment-log-manager.ts';
import type { AgentSession } from './settings/agent-session.ts';
import { viewsFor } from '../../shared/settings/saved-view.ts';
import { profileViews } from './settings/profile-handlers.ts';

/** The parts of the state that features report. */
type ReportedState = {
  [
    N in
      | 'alertChoices'
      | 'receiver'
      | 'watchedProfiles'
      | 'sandbox'
      | 'sharing'
      | 'updates'
      | 'scheduledExport'
  ]: () => AppState[N];
} & {
  log: () => Pick<AppState['log'], 'checked' | 'recordedAhead' | 'head' | 'dailyTaskProblem'>;
};

/** The console's state for the window: computed from its parts each time, never stored. */
export type AppStatePublisher = {
  handlers: Pick<Handlers, 'app.read'>;
  read: () => Promise<AppState>;
  /** Sends the state to the window once it is on disk, and returns it. */
  publish: () => Promise<AppState>;
  /** Sets the reporting features. They are created after this publisher, because their requests publish the state. */
  connect: (reported: ReportedState) => void;
  /** From now on every `stateChanged` publishes. */
  start: () => void;
};

export const createAppState = (
  parts: AppDependencies,
  events: AppEvents,
  session: Pick<AgentSession, 'state' | 'current'>,
  logManager: Pick<PaymentLogManager, 'currentError'>,
): AppStatePublisher => {
  const { settings } = parts;
  let reported: ReportedState | null = null;

  const read = async (): Promise<AppState> => {
    if (reported === null) throw new Error('The state was read before the features were created.');
    const { alertChoices, receiver, watchedProfiles, sandbox, sharing, updates, scheduledExport, log } =
      reported;
    const person = session.state();
    const self = session.current();
    const setsUp = self === undefined || hasRight(self.role, 'settings');
    const { settings: stored } = settings.read();
    const counts = parts.log.ok ? await parts.log.value.counts(null).catch(() => null) : null;
    return {
      version: parts.version,
      host: parts.host,
      systemLocale: parts.systemLocale,
      canStartAtLogin: parts.system.canStartAtLogin,
      settings: {
        ...stored,
        agent: session.current()?.name ?? '',
        views: viewsFor(stored.views, person.agentId),
      },
      profiles: await profileViews(parts),
      ...person,
      alertChoices: alertChoices(),
      // The addresses contain the secret path to which anyone may deliver.
      receiver: setsUp ? receiver() : { ...receiver(), addresses: [] },
      watchedProfiles: watchedProfiles(),
      settingsFile: {
        problem: settings.blocked ?? settings.problem(),
        recovery: settings.read().recovery,
      },
      policy: settings.policy,
      team: parts.team.standing(),
      sharing: sharing(),
      updates: updates(),
      scheduledExport: scheduledExport(),
      sandbox: sandbox(),
      log: {
        file: parts.logFile,
        payments: counts ? Object.values(counts.states).reduce((sum, count) => sum + count, 0) : 0,
        problem: logManager.currentError(),
        list: parts.log.ok ? ownListOf(parts.log.value.paymentList) : null,
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
