import type { Handlers, RequestName } from '../../../shared/contract/contract.ts';
import type { Result } from '../../../shared/errors.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { createRequester } from '../common/requester.ts';
import type { AgentSession } from '../settings/agent-session.ts';
import { enforceLock, lockRefusal, refuseWhileBlocked } from './enforce-lock.ts';
import { enforcePolicy } from './enforce-policy.ts';
import { enforceRights, rightRefusal } from './enforce-rights.ts';
import { mapHandlers } from './map-handlers.ts';
import { recordActivities } from './record-activities.ts';
import type { RunningWork } from './running-work.ts';

/** The same handlers, which answer once changed settings are on disk, or the write has failed. */
const durableHandlers = (handlers: Handlers, settings: Pick<SettingsStore, 'read' | 'flush'>): Handlers =>
  mapHandlers(handlers, handler => async input => {
    const before = settings.read();
    const result = await handler(input);
    if (settings.read() !== before) await settings.flush();
    return result;
  });

/** Handlers that keep the rules of their declarations. */
export type RuledHandlers = {
  handlers: Handlers;
  /** Why a request is refused with any content: the console is locked, or the person lacks the right. */
  refusal: (name: RequestName) => Result<never> | null;
};

/**
 * The handlers with the rules that the contract declares. The order is from the inside to the outside; a request passes
 * it from the end to the beginning.
 */
export const applyRules = (
  handlers: Handlers,
  {
    settings,
    session,
    requester,
    activityLog,
    work,
  }: {
    settings: SettingsStore;
    session: AgentSession;
    requester: ReturnType<typeof createRequester>;
    activityLog: Pick<ActivityLog, 'record' | 'isFull'>;
    work: RunningWork;
  },
): RuledHandlers => {
  // What was done is recorded before the answer. Only what passed every check was done.
  const recorded = recordActivities(handlers, settings, requester, activityLog, session.isLeft);
  // An activity that waits for the payment log is in the settings: they have to be on disk before the answer.
  const durable = durableHandlers(recorded, settings);
  // An update waits until what was done is also recorded and on disk. A refused request has nothing to wait for.
  const watched = work.watch(durable);
  // Before the handler, since it may write at once.
  const permitted = enforcePolicy(watched, settings);
  // Before the policy: the reason that a policy fixes a setting is only for people who may change it.
  const allowed = enforceRights(permitted, session, requester);
  // While the console is locked, nothing depends on who would be allowed; an answer is withheld even if all checks passed.
  const guarded = enforceLock(allowed, session);
  // First of all: everything else, and what the handler begins, is for the person who is signed in now.
  const asked = mapHandlers(guarded, handler => input => requester.run(() => handler(input)));
  return {
    // Without settings there are neither people nor a policy to ask.
    handlers: settings.blocked ? refuseWhileBlocked(asked, settings.blocked) : asked,
    refusal: name => lockRefusal(name, session) ?? rightRefusal(name, session),
  };
};
