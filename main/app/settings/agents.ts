import { randomUUID } from 'node:crypto';
import { maxAgents, type Agent } from '../../../shared/settings/agent.ts';
import { holdsCardNumber } from '../../../shared/card-number.ts';
import type { RequestName, AppState, Handlers, Lock, Resume } from '../../../shared/contract/index.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import type { StoredAgent, SettingsStore } from '../../settings/settings-store.ts';
import { isPin, hashPin } from './pin.ts';

type AgentHandlers = Pick<
  Handlers,
  'agents.signIn' | 'agents.signOut' | 'agents.save' | 'agents.remove' | 'app.lock'
>;

/** Wrong tries after which one has to wait, and for how long at first, in milliseconds; each further one doubles it. */
const freeTries = 5;
const firstWait = 30_000;
const maxWaitMs = 3_600_000;

/** What may be asked while nobody is at the desk: nothing that acts, and nothing about a payment. */
const whileLocked: ReadonlySet<RequestName> = new Set([
  'app.lock',
  'agents.signIn',
  'agents.signOut',
  'app.reportError',
]);

const locked = () =>
  fail('app.locked', 'Counterfoil is locked.', { hint: 'Choose who you are and enter your PIN.' });

const viewOf = ({ id, name, pin }: StoredAgent): Agent => ({ id, name, hasPin: pin !== null });

type AgentOptions = {
  settings: SettingsStore;
  /** Milliseconds that only go forward, whatever is done to the clock. */
  elapsed: () => number;
  systemLocale: () => string;
  /** Sends the state to the window, and returns it. */
  changed: () => Promise<AppState>;
  /** The desk was locked: the window's page is to be loaded anew. */
  onLock: () => void;
  /** The desk was unlocked: whatever the window knew before may have changed. */
  onUnlock: () => void;
};

/**
 * Who is at the desk. Someone with a PIN has to enter it, at the start too; until then the desk is locked: requests
 * are refused but those of the lock screen, and their answers are withheld if the lock came while they were handled.
 */
export const createAgentHandlers = ({
  settings,
  elapsed,
  systemLocale,
  changed,
  onLock,
  onUnlock,
}: AgentOptions) => {
  const agents = (): StoredAgent[] => settings.read().agents;
  const find = (id: string): StoredAgent | undefined => agents().find(agent => agent.id === id);
  const current = (): StoredAgent | undefined =>
    agents().find(agent => agent.name === settings.read().settings.agent) ?? agents()[0];
  let isSignedOut = (current()?.pin ?? null) !== null;
  /** Somebody drew the curtain, with or without a PIN. */
  let left = isSignedOut;
  /** Where somebody was when they locked the desk. */
  let parked: { agentId: string; resume: Resume } | null = null;

  const lock = (): Lock => {
    const { theme, density, language } = settings.read().settings;
    return {
      locked: isSignedOut,
      agents: agents().map(viewOf),
      agentId: current()?.id ?? '',
      systemLocale: systemLocale(),
      settings: { theme, density, language },
    };
  };

  const change = (id: string, changes: (agent: StoredAgent) => StoredAgent): void => {
    settings.change(stored => ({
      ...stored,
      agents: stored.agents.map(agent => (agent.id === id ? changes(agent) : agent)),
    }));
  };

  /** When each wait ends, by `elapsed`. A wait that an earlier run began is served whole in this one. */
  const waitsEnd = new Map<string, number>();
  const waitLeft = ({ id, waitMs }: StoredAgent): number => {
    const end = waitsEnd.get(id) ?? elapsed() + Math.min(waitMs, maxWaitMs);
    waitsEnd.set(id, end);
    return end - elapsed();
  };
  for (const agent of agents()) waitLeft(agent);

  /** Whether this is the agent's PIN; wrong ones are counted, across restarts too. */
  const admit = async (agent: StoredAgent, pin: string | null): Promise<Result<undefined>> => {
    if (agent.pin === null) return ok(undefined);
    const left = waitLeft(agent);
    if (left > 0) {
      return fail('agent.wait', `Too many wrong PINs. Try again in ${Math.ceil(left / 1000)} seconds.`, {
        details: { seconds: Math.ceil(left / 1000) },
      });
    }
    if (pin !== null && (await isPin(pin, agent.pin))) {
      waitsEnd.delete(agent.id);
      change(agent.id, one => ({ ...one, wrong: 0, waitMs: 0 }));
      return ok(undefined);
    }
    const wrong = (find(agent.id)?.wrong ?? agent.wrong) + (pin === null ? 0 : 1);
    const wait = wrong < freeTries ? 0 : Math.min(maxWaitMs, firstWait * 2 ** (wrong - freeTries));
    waitsEnd.set(agent.id, elapsed() + wait);
    change(agent.id, one => ({ ...one, wrong, waitMs: wait }));
    return fail('agent.wrong-pin', 'Wrong PIN.', {
      fields: [{ path: 'pin', message: 'Wrong PIN.' }],
    });
  };

  /** One try at a time, so that trying side by side gains nothing. */
  let queue: Promise<unknown> = Promise.resolve();
  const runExclusive = <T>(work: () => Promise<T>): Promise<T> => {
    const next = queue.then(work);
    queue = next.catch(() => undefined);
    return next;
  };

  const missing = () => fail('input.invalid', 'This person is no longer in the team.');

  const handlers: AgentHandlers = {
    'agents.signIn': ({ id, pin }) =>
      runExclusive(async () => {
        const agent = find(id);
        if (!agent) return missing();
        const admitted = await admit(agent, pin);
        if (!admitted.ok) return admitted;
        settings.change(stored => ({ ...stored, settings: { ...stored.settings, agent: agent.name } }));
        const wasAway = isSignedOut;
        isSignedOut = false;
        left = false;
        const resume = parked?.agentId === agent.id ? parked.resume : null;
        parked = null;
        const appState = await changed();
        if (wasAway) onUnlock();
        return ok({ appState, resume });
      }),
    'agents.signOut': async ({ resume }) => {
      const agent = current();
      const locks = !isSignedOut && (agent?.pin ?? null) !== null;
      left = true;
      if (!locks) return ok(lock());
      isSignedOut = true;
      parked = agent && resume ? { agentId: agent.id, resume } : null;
      onLock();
      return ok(lock());
    },
    'app.lock': async () => ok(lock()),
    'agents.save': ({ id, name, pin, oldPin }) =>
      runExclusive(async () => {
        const agent = id === null ? null : find(id);
        if (agent === undefined) return missing();
        const same = (one: StoredAgent): boolean =>
          one.id !== id && one.name.toLocaleLowerCase() === name.toLocaleLowerCase();
        const refused = holdsCardNumber(name)
          ? 'This looks like a card number.'
          : agents().some(same) || name.toLocaleLowerCase() === 'console'
            ? 'The team already has a person with this name.'
            : id === null && agents().length >= maxAgents
              ? `The team already has ${maxAgents} people. Remove one first.`
              : null;
        if (refused !== null)
          return fail('input.invalid', refused, { fields: [{ path: 'name', message: refused }] });
        // Whoever has a PIN is changed by nobody else, in name or in PIN.
        if (agent) {
          const admitted = await admit(agent, oldPin);
          if (!admitted.ok) return admitted;
        }
        const stored = pin === undefined ? (agent?.pin ?? null) : pin === null ? null : await hashPin(pin);
        const saved: StoredAgent = { id: id ?? randomUUID(), name, pin: stored, wrong: 0, waitMs: 0 };
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
        await changed();
        return ok(viewOf(saved));
      }),
    'agents.remove': ({ id, pin }) =>
      runExclusive(async () => {
        const agent = find(id);
        if (!agent) return missing();
        if (agent.id === current()?.id) {
          return fail('input.invalid', 'You cannot remove yourself.', {
            hint: 'Ask another person to sign in and remove you.',
          });
        }
        const admitted = await admit(agent, pin);
        if (!admitted.ok) return admitted;
        settings.change(stored => ({ ...stored, agents: stored.agents.filter(one => one.id !== id) }));
        return ok(await changed());
      }),
  };

  return {
    handlers,
    state: (): Pick<AppState, 'agents' | 'agentId'> => ({
      agents: agents().map(viewOf),
      agentId: current()?.id ?? '',
    }),
    lock,
    /** Whether a PIN has to be entered before anything is shown or done. */
    isLocked: (): boolean => isSignedOut,
    /** Whether nobody looks at the desk, so that nothing of any payment is shown outside it. */
    isLeft: (): boolean => left,
    /** The same handlers, which refuse while nobody is at the desk. */
    guard: (all: Handlers): Handlers =>
      Object.fromEntries(
        Object.entries(all).map(([name, handler]) => {
          const open = handler as (input: unknown) => Promise<Result<unknown>>;
          const guarded = async (input: unknown): Promise<Result<unknown>> => {
            if (isSignedOut) return locked();
            const result = await open(input);
            return isSignedOut ? locked() : result;
          };
          return [name, whileLocked.has(name as RequestName) ? open : guarded];
        }),
      ) as Handlers,
  };
};
