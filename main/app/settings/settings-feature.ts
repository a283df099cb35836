import type { AppState, Lock } from '../../../shared/contract/contract.ts';
import { openStates } from '../../../shared/payments/outcomes.ts';
import type { TeamPeople } from '../../team/people/team-people.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { AppEvents } from '../common/app-events.ts';
import type { AgentSession } from './agent-session.ts';
import { createAgentRequests } from './agents.ts';
import type { CredentialCache } from './credential-cache.ts';
import { createCredentialHealth } from './watch-credentials.ts';
import { createProfileHandlers } from './profile-handlers.ts';
import { createReturnPageHandlers } from './return-page-handlers.ts';
import { createSettingsHandlers } from './settings-handlers.ts';
import { recordSettingsProblems } from './settings-problems.ts';
import { createTemplateHandlers } from './template-handlers.ts';

/**
 * Settings, profiles, templates, and the people who sign in. `notifyAlways` also sends while the console is locked.
 * `followReceiver` and `reverify` are called when the receiver's settings, and the password of a profile, have changed.
 */
export const createSettingsFeature = (
  parts: AppDependencies,
  events: AppEvents,
  given: {
    session: AgentSession;
    lock: () => Lock;
    people: TeamPeople;
    passwords: CredentialCache;
    publish: () => Promise<AppState>;
    notifyAlways: AppDependencies['notify'];
    followReceiver: () => Promise<void>;
    reverify: (profileId: string) => Promise<void>;
    chosenFolders: ReadonlySet<string>;
  },
) => {
  const { settings, system } = parts;
  const { session, lock, people, passwords, publish, notifyAlways, followReceiver, reverify } = given;

  /** After a lock: the page is loaded again, so that it holds no payment data. */
  const showLock = (): void => {
    notifyAlways('app.locked', lock());
    system.reloadWindow();
    events.emit('locked');
  };
  // The lock screen shows who can sign in now.
  events.on('stateChanged', () => {
    if (session.isLocked()) notifyAlways('app.locked', lock());
  });
  recordSettingsProblems(parts, () => void events.emit('stateChanged'));

  const credentialHealth = createCredentialHealth(parts, passwords);
  const agents = createAgentRequests({
    settings,
    session,
    requester: parts.requester,
    lock,
    team: people,
    elapsed: () => performance.now(),
    publish,
    openLinks: async () => {
      const counts = parts.log.ok ? await parts.log.value.counts(null).catch(() => null) : null;
      return counts && openStates.reduce((sum, state) => sum + (counts.states[state] ?? 0), 0);
    },
    onLock: showLock,
    onUnlock: () => notifyAlways('payments.changed', { payments: null }),
  });
  const profiles = createProfileHandlers(parts, passwords, people, async (profileId, passwordChanged) => {
    await followReceiver();
    if (passwordChanged) await reverify(profileId);
    await publish();
  });

  return {
    showLock,
    confirmOther: agents.confirmOther,
    /** Remembers the result of a connection check. */
    checked: credentialHealth.checked,
    handlers: {
      ...agents.handlers,
      ...profiles,
      ...credentialHealth.handlers,
      ...createSettingsHandlers(parts, session, people, given.chosenFolders, followReceiver, publish),
      ...createReturnPageHandlers(parts),
      ...createTemplateHandlers(settings),
    },
    needsSettings: true as const,
    start: (): void => {
      const { startAtLogin } = settings.read().settings;
      if (settings.policy.managed.settings.includes('startAtLogin')) system.setStartAtLogin(startAtLogin);
    },
  };
};
