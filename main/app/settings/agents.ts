import { randomUUID } from 'node:crypto';
import { maxAgents, type Agent } from '../../../shared/agents/agent.ts';
import { hasRight, type Role } from '../../../shared/agents/roles.ts';
import { containsCardNumber } from '../../../shared/card-number.ts';
import type { AppState, Handlers, Lock } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { AppSettings } from '../common/app-settings.ts';
import type { Requester } from '../common/requester.ts';
import type { StoredAgent } from '../../settings/settings-store.ts';
import { createLimiter } from '../../pacing/limiter.ts';
import { viewOf, type AgentSession } from './agent-session.ts';
import type { TeamPeople } from '../../team/people/team-people.ts';
import { hashPin, isPinKnown } from '../../credentials/pin.ts';
import { hasFirstPin } from '../../policy/managed-settings.ts';
import { createPinAttempts } from '../../credentials/pin-attempts.ts';

type AgentHandlers = Pick<
  Handlers,
  'agents.signIn' | 'agents.signOut' | 'agents.save' | 'agents.remove' | 'app.lock'
>;

type AgentOptions = {
  settings: AppSettings;
  session: Pick<AgentSession, 'agents' | 'enter' | 'leave'>;
  requester: Requester;
  /** What the window shows while the console is locked. */
  lock: () => Lock;
  team: Pick<TeamPeople, 'sharing' | 'signIn' | 'putPerson' | 'removePerson' | 'changePin'>;
  /** Monotonic time, milliseconds. */
  elapsed: () => number;
  /** Sends the state to the window, and returns it. */
  publish: () => Promise<AppState>;
  /** The console was locked: the window's page has to be reloaded. */
  onLock: () => void;
  /** The number of links that can be paid; null if unknown. */
  openLinks: () => Promise<number | null>;
  /** The console was unlocked: everything that the window knew may have changed. */
  onUnlock: () => void;
};

type AgentRequests = {
  handlers: AgentHandlers;
  /**
   * Whether another person than the requester, who may send operations, confirms one now with their PIN. Returns their
   * name. Errors: `agent.not-allowed`, and as a sign-in.
   */
  confirmOther: (agentId: string, pin: string) => Promise<Result<{ name: string }>>;
};

/** Where a person sets their PIN. */
const peopleAddress = { address: '#/settings/people' };

/** The requests about the people who sign in, and their PINs. */
export const createAgentRequests = ({
  settings,
  session,
  requester,
  lock,
  team,
  elapsed,
  publish,
  openLinks,
  onLock,
  onUnlock,
}: AgentOptions): AgentRequests => {
  const { agents } = session;
  const find = (id: string): StoredAgent | undefined => agents().find(agent => agent.id === id);
  const ownId = (): string => requester.person()?.id ?? '';

  const change = (id: string, changes: (agent: StoredAgent) => StoredAgent): void => {
    settings.change(stored => ({
      ...stored,
      agents: stored.agents.map(agent => (agent.id === id ? changes(agent) : agent)),
    }));
  };

  const attempts = createPinAttempts({
    elapsed,
    read: find,
    write: (id, counted) => change(id, one => ({ ...one, ...counted })),
  });
  for (const agent of agents()) attempts.remember(agent);
  const { admit } = attempts;

  /**
   * Whether the requester may change this person (null: a new one): they confirm it with their own PIN. Without one, the
   * PIN of the changed person is needed.
   */
  const confirm = async (agent: StoredAgent | null, pin: string | null): Promise<Result<undefined>> => {
    const self = find(ownId());
    const confirming = self && self.pin !== null ? self : agent;
    return confirming ? admit(confirming, pin) : ok(undefined);
  };

  const isLastAdministrator = (agent: StoredAgent): boolean =>
    agent.role === 'administrator' &&
    !agents().some(({ id, role }) => id !== agent.id && role === 'administrator');

  /** One attempt at a time, so that parallel attempts gain nothing. */
  const { run: runExclusive } = createLimiter(1);

  /** Runs a change in its turn, if the requester is still here: a change before it may have taken their right. */
  const inTurn = <T>(work: () => Promise<Result<T>>): Promise<Result<T>> =>
    runExclusive(async () => {
      const error = requester.refusalIfGone();
      return error ? { ok: false, error } : work();
    });

  const missing = () => fail('input.invalid', msg('agents.missing'));

  const isShared = (): boolean => team.sharing()?.arePeopleShared === true;

  /** Adds or changes a person of the team. */
  const saveShared = async (
    person: { id: string; name: string; role: Role },
    isOwnPin: boolean,
    pin: string | null | undefined,
    oldPin: string | null,
  ): Promise<Result<Agent>> => {
    const done =
      isOwnPin && pin !== undefined
        ? await team.changePin(ownId(), oldPin, pin)
        : await team.putPerson({ person: ownId(), pin: oldPin }, person, pin);
    if (!done.ok) return done;
    await publish();
    const saved = find(person.id);
    return saved ? ok(viewOf(saved)) : missing();
  };

  const admitPerson = (agent: StoredAgent, pin: string | null): Promise<Result<undefined>> =>
    isShared()
      ? team.signIn(agent.id, pin)
      : isPinKnown(agent)
        ? admit(agent, pin)
        : Promise.resolve(fail('agent.not-allowed', msg('agents.no-first-pin', { name: agent.name })));

  const confirmOther: AgentRequests['confirmOther'] = (agentId, pin) =>
    inTurn(async () => {
      const other = find(agentId);
      // A person without a PIN could be confirmed by anybody.
      if (!other || other.id === ownId() || other.pin === null || !hasRight(other.role, 'operations'))
        return fail('agent.not-allowed', msg('operation.approver.not-allowed'));
      const admitted = await admitPerson(other, pin);
      return admitted.ok ? ok({ name: other.name }) : admitted;
    });

  const handlers: AgentHandlers = {
    'agents.signIn': ({ id, pin }) =>
      runExclusive(async () => {
        const agent = find(id);
        if (!agent) return missing();
        const admitted = await admitPerson(agent, pin);
        if (!admitted.ok) return admitted;
        const { unlocked, resume } = session.enter(agent);
        const appState = await publish();
        if (unlocked) onUnlock();
        // A first PIN is in a file: the person sets an own one now.
        return ok({ appState, resume: hasFirstPin(agent) ? peopleAddress : resume });
      }),
    'agents.signOut': async ({ resume }) => {
      if (session.leave(resume)) onLock();
      return ok(lock());
    },
    'app.lock': async () => ok({ ...lock(), openLinks: await openLinks() }),
    'agents.save': ({ id, name, role, pin, oldPin }) =>
      inTurn(async () => {
        const agent = id === null ? null : find(id);
        if (agent === undefined) return missing();
        const same = (one: StoredAgent): boolean =>
          one.id !== id && one.name.toLocaleLowerCase() === name.toLocaleLowerCase();
        const refused = containsCardNumber(name)
          ? msg('card-number.found')
          : agents().some(same) || name.toLocaleLowerCase() === 'console'
            ? msg('agents.name-taken')
            : id === null && agents().length >= maxAgents
              ? msg('agents.full', { count: maxAgents })
              : null;
        if (refused !== null)
          return fail('input.invalid', refused, { fields: [{ path: 'name', message: refused }] });
        if (agent && (role ?? agent.role) !== 'administrator' && isLastAdministrator(agent)) {
          const last = msg('agents.last-administrator');
          return fail('input.invalid', last, {
            hint: msg('agents.last-administrator.hint'),
            fields: [{ path: 'role', message: last }],
          });
        }
        const person = { id: id ?? randomUUID(), name, role: role ?? agent?.role ?? 'agent' };
        if (isShared()) {
          const isSame = agent?.name === name && agent.role === person.role;
          return saveShared(person, isSame && id === ownId(), pin, oldPin);
        }
        const confirmed = await confirm(agent, oldPin);
        if (!confirmed.ok) return confirmed;
        const stored = pin === undefined ? (agent?.pin ?? null) : pin === null ? null : await hashPin(pin);
        const saved: StoredAgent = {
          ...person,
          pin: stored,
          firstPin: agent?.firstPin ?? null,
          wrong: 0,
          waitMs: 0,
        };
        settings.change(stored => ({
          ...stored,
          agents: agent
            ? stored.agents.map(one => (one.id === saved.id ? saved : one))
            : [...stored.agents, saved],
          settings: {
            ...stored.settings,
            agent: stored.settings.agent === agent?.name ? name : stored.settings.agent,
          },
        }));
        await publish();
        return ok(viewOf(saved));
      }),
    'agents.remove': ({ id, pin }) =>
      inTurn(async () => {
        const agent = find(id);
        if (!agent) return missing();
        if (agent.id === ownId())
          return fail('input.invalid', msg('agents.remove.yourself'), {
            hint: msg('agents.remove.yourself.hint'),
          });
        if (isLastAdministrator(agent))
          return fail('input.invalid', msg('agents.last-administrator'), {
            hint: msg('agents.last-administrator.hint'),
          });
        const confirmed = isShared()
          ? await team.removePerson({ person: ownId(), pin }, id)
          : await confirm(agent, pin);
        if (!confirmed.ok) return confirmed;
        settings.change(stored => ({
          ...stored,
          agents: stored.agents.filter(one => one.id !== id),
          settings: {
            ...stored.settings,
            views: stored.settings.views.filter(({ owner }) => owner !== id),
          },
        }));
        return ok(await publish());
      }),
  };
  return { handlers, confirmOther };
};
