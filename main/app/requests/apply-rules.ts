import {
  rulesOf,
  type Handlers,
  type RequestName,
  type RequestNameWith,
  type RequestParsed,
} from '../../../shared/contract/contract.ts';
import { fail, type AppError, type Result } from '../../../shared/errors.ts';
import type { SettingsStore, StoredAgent } from '../../settings/settings-store.ts';
import type { Activity, ActivityLog } from '../activity/activity-log.ts';
import type { createRequester, Requester } from '../common/requester.ts';
import type { AgentSession } from '../settings/agent-session.ts';
import { mapHandlers } from './map-handlers.ts';
import type { RunningWork } from './running-work.ts';
import { msg } from '../../../shared/messages/message.ts';
import { changedFields } from '../../settings/changed-fields.ts';
import type { Stored } from '../../settings/stored-settings.ts';
import { recorders } from './recorders.ts';
import { fixedRight, rightNeeded } from '../../../shared/contract/required-rights.ts';
import { hasRight, whoMay, type Right } from '../../../shared/agents/roles.ts';

const notAllowed = (right: Right, agents: readonly StoredAgent[]) =>
  fail('agent.not-allowed', msg('error.agent.not-allowed'), {
    hint: msg('agents.ask', { names: whoMay(agents, right) }),
    details: { right },
  });

/**
 * The refusal of a request that the signed-in person may not make with any content; null if its handler decides. For
 * requests whose content has not been looked at.
 */
export const rightRefusal = (
  name: RequestName,
  { agents, current }: Pick<AgentSession, 'agents' | 'current'>,
): ReturnType<typeof notAllowed> | null => {
  const right = fixedRight(name);
  const self = current();
  return right === null || !self || hasRight(self.role, right) ? null : notAllowed(right, agents());
};

/** The same handlers, which refuse what the role of the requester does not allow. */
export const enforceRights = (
  handlers: Handlers,
  { agents }: Pick<AgentSession, 'agents'>,
  { person }: Pick<Requester, 'person'>,
): Handlers =>
  mapHandlers(handlers, (handler, name) => async input => {
    const self = person();
    const right = self ? rightNeeded(name, input, self) : fixedRight(name);
    if (right === null || (self && hasRight(self.role, right))) return handler(input);
    return notAllowed(right, agents());
  });

type Recorder = (handled: {
  input: unknown;
  result: Result<unknown>;
  before: Stored;
  after: Stored;
  wasLeft: boolean;
}) => readonly Activity[];

/** A wrong PIN in any request. A sign-in has no requester. */
const wrongPin = (name: RequestName, result: Result<unknown>): readonly Activity[] => {
  if (result.ok || result.error.code !== 'agent.wrong-pin') return [];
  const person = String(result.error.details?.['person'] ?? '');
  return [
    { action: 'wrong-pin', details: { person }, ...(name === 'agents.signIn' ? { agent: 'console' } : {}) },
  ];
};

/**
 * The same handlers; what they did is recorded before they answer, and every wrong PIN. An activity that cannot be
 * recorded waits in the settings file. Once too many wait, what would have to be recorded is refused.
 */
export const recordActivities = (
  handlers: Handlers,
  settings: Pick<SettingsStore, 'read'>,
  requester: Pick<Requester, 'name'>,
  activityLog: Pick<ActivityLog, 'record' | 'isFull'>,
  isLeft: () => boolean,
): Handlers =>
  mapHandlers(handlers, (handler, name) => {
    const recorder: Recorder = (recorders as Partial<Record<RequestName, Recorder>>)[name] ?? (() => []);
    const { recorded } = rulesOf(name);
    return async input => {
      if (activityLog.isFull() && recorded === 'required')
        return fail('log.unavailable', msg('activity.not-recorded'), {
          hint: msg('activity.not-recorded.hint'),
        });
      const before = settings.read();
      const wasLeft = isLeft();
      const result = await handler(input);
      const after = settings.read();
      const done = [...wrongPin(name, result), ...recorder({ input, result, before, after, wasLeft })];
      if (done.length > 0) await activityLog.record(done, requester.name());
      return result;
    };
  });

type Managed<N extends RequestName> = (
  input: RequestParsed<N>,
  settings: Pick<SettingsStore, 'read' | 'profile' | 'policy'>,
) => readonly string[];

const isProfileManaged = ({ policy }: Pick<SettingsStore, 'policy'>, id: string | null): boolean =>
  policy.managed.allProfiles || (id !== null && policy.managed.profiles.includes(id));

/**
 * The fields that each request would change although the policy fixes them. A request that is declared `fixedByPolicy`
 * does not compile without its function.
 */
const managedFields: { [N in RequestNameWith<{ fixedByPolicy: true }>]: Managed<N> } = {
  'settings.change': ({ confirmedHost: _confirmedHost, ...change }, { read, policy }) => {
    const before = read().settings;
    const defined = Object.entries(change).filter(([, value]) => value !== undefined);
    const after = { ...before, ...Object.fromEntries(defined) };
    return changedFields(before, after).filter(path => policy.managed.settings.includes(path));
  },
  'receiver.chooseCertificate': (_input, { policy }) =>
    policy.managed.settings.filter(path => path === 'receiver.tls'),
  'profiles.save': ({ id, profile }, settings) => {
    if (!isProfileManaged(settings, id)) return [];
    const known = id === null ? null : settings.profile(id);
    if (known === null) return ['profiles'];
    // The password of a managed profile is entered in the console.
    return changedFields(known, { id, ...profile });
  },
  'profiles.remove': ({ id }, settings) => (isProfileManaged(settings, id) ? ['profiles'] : []),
  'agents.save': ({ id, name, role }, { read, policy }) => {
    const person = read().agents.find(one => one.id === id);
    const isSame = person?.name === name && (role ?? person.role) === person.role;
    return policy.managed.people && !isSame ? ['people'] : [];
  },
  'agents.remove': (_input, { policy }) => (policy.managed.people ? ['people'] : []),
};

/** The same handlers, which refuse what the policy of this computer fixes: `policy.managed`, with the fields. */
const enforcePolicy = (
  handlers: Handlers,
  settings: Pick<SettingsStore, 'read' | 'profile' | 'policy'>,
): Handlers =>
  mapHandlers(handlers, (handler, name) => {
    const managed = (managedFields as Partial<Record<RequestName, Managed<RequestName>>>)[name];
    if (!managed || settings.policy.state === 'none') return handler;
    return async input => {
      const fields = managed(input as RequestParsed<RequestName>, settings);
      if (fields.length === 0) return handler(input);
      return fail('policy.managed', msg('error.policy.managed'), {
        hint: msg('hint.policy.managed'),
        fields: fields.map(path => ({ path, message: msg('error.policy.managed') })),
        details: { file: settings.policy.file },
      });
    };
  });

type Session = Pick<AgentSession, 'isLocked'>;

const locked = () => fail('app.locked', msg('error.app.locked'), { hint: msg('hint.app.locked') });

/** The refusal of a request while the console is locked; null if it is allowed. */
const lockRefusal = (name: RequestName, { isLocked }: Session): ReturnType<typeof locked> | null =>
  isLocked() && rulesOf(name).whileLocked !== true ? locked() : null;

/**
 * The same handlers, which refuse requests while the console is locked, and withhold an answer if the lock came while
 * its request was handled.
 */
const enforceLock = (handlers: Handlers, session: Session): Handlers =>
  mapHandlers(handlers, (handler, name) => async input => {
    const refused = lockRefusal(name, session);
    if (refused) return refused;
    const result = await handler(input);
    return lockRefusal(name, session) ?? result;
  });

/** The same handlers, of which most are refused, because the settings cannot be used. */
const refuseWhileBlocked = (handlers: Handlers, error: AppError): Handlers =>
  mapHandlers(handlers, (handler, name) =>
    rulesOf(name).whileBlocked === true ? handler : async () => ({ ok: false, error }),
  );

/** The same handlers, which answer once changed settings are on disk, or the write has failed. */
const durableHandlers = (handlers: Handlers, settings: Pick<SettingsStore, 'read' | 'flush'>): Handlers =>
  mapHandlers(handlers, handler => async input => {
    const before = settings.read();
    const result = await handler(input);
    if (settings.read() !== before) await settings.flush();
    return result;
  });

/** Handlers that keep the rules of their declarations. */
export type RuledHandlers = ReturnType<typeof applyRules>;

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
) => {
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
    /** Why a request is refused with any content: the console is locked, or the person lacks the right. */
    refusal: (name: RequestName): Result<never> | null =>
      lockRefusal(name, session) ?? rightRefusal(name, session),
  };
};
