import { randomUUID } from 'node:crypto';
import type { Agent } from '../../shared/agent.ts';
import { holdsCardNumber } from '../../shared/card-number.ts';
import type { CallName, Desk, Handlers } from '../../shared/contract.ts';
import { fail, ok, type Result } from '../../shared/errors.ts';
import type { KeptAgent, SettingsStore } from '../settings/settings-store.ts';
import { isPin, keepPin } from './pin.ts';

type AgentHandlers = Pick<Handlers, 'agents.choose' | 'agents.leave' | 'agents.save' | 'agents.remove'>;

/** Wrong tries after which one has to wait, and for how long at first, in milliseconds; each further one doubles it. */
const freeTries = 5;
const firstWait = 30_000;
const longestWait = 3_600_000;

/** What may be asked while nobody is at the desk: nothing that acts, and nothing about a payment. */
const whileLocked: ReadonlySet<CallName> = new Set(['desk.read', 'agents.choose', 'agents.leave']);

const locked = () =>
  fail('desk.locked', 'Nobody is at the desk.', { hint: 'Choose who you are and enter your PIN.' });

const viewOf = ({ id, name, pin }: KeptAgent): Agent => ({ id, name, hasPin: pin !== null });

/**
 * Who is at the desk. Someone with a PIN has to enter it, at the start too; while nobody is there, calls that act
 * or show payments are refused. `changed` tells the window what the desk looks like now, and answers with it.
 */
export const agentDesk = (settings: SettingsStore, clock: () => number, changed: () => Promise<Desk>) => {
  const agents = (): KeptAgent[] => settings.read().agents;
  const find = (id: string): KeptAgent | undefined => agents().find(agent => agent.id === id);
  const current = (): KeptAgent | undefined =>
    agents().find(agent => agent.name === settings.read().settings.agent) ?? agents()[0];
  let away = (current()?.pin ?? null) !== null;
  /** Somebody drew the curtain, with or without a PIN. */
  let left = away;

  const change = (id: string, with_: (agent: KeptAgent) => KeptAgent): void => {
    settings.change(stored => ({
      ...stored,
      agents: stored.agents.map(agent => (agent.id === id ? with_(agent) : agent)),
    }));
  };

  /** Whether this is the agent's PIN; wrong ones are counted, across restarts too. */
  const admit = async (agent: KeptAgent, pin: string | null): Promise<Result<undefined>> => {
    if (agent.pin === null) return ok(undefined);
    const left = agent.waitUntil - clock();
    // A clock that was set back must not lock anyone out for longer than the longest wait.
    if (left > 0 && left <= longestWait) {
      return fail('agent.wait', `Too many wrong PINs. Try again in ${Math.ceil(left / 1000)} seconds.`, {
        details: { seconds: Math.ceil(left / 1000) },
      });
    }
    if (pin !== null && (await isPin(pin, agent.pin))) {
      change(agent.id, one => ({ ...one, wrong: 0, waitUntil: 0 }));
      return ok(undefined);
    }
    const wrong = (find(agent.id)?.wrong ?? agent.wrong) + (pin === null ? 0 : 1);
    const wait = wrong < freeTries ? 0 : Math.min(longestWait, firstWait * 2 ** (wrong - freeTries));
    change(agent.id, one => ({ ...one, wrong, waitUntil: wait === 0 ? 0 : clock() + wait }));
    return fail('agent.wrong-pin', 'This is not the PIN.', {
      fields: [{ path: 'pin', message: 'This is not the PIN.' }],
    });
  };

  /** One try at a time, so that trying side by side gains nothing. */
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = turn.then(work);
    turn = next.catch(() => undefined);
    return next;
  };

  const missing = () => fail('input.invalid', 'This name is not on the list of this desk any more.');

  const handlers: AgentHandlers = {
    'agents.choose': ({ id, pin }) =>
      inTurn(async () => {
        const agent = find(id);
        if (!agent) return missing();
        const admitted = await admit(agent, pin);
        if (!admitted.ok) return admitted;
        settings.change(stored => ({ ...stored, settings: { ...stored.settings, agent: agent.name } }));
        away = false;
        left = false;
        return ok(await changed());
      }),
    'agents.leave': async () => {
      away = (current()?.pin ?? null) !== null;
      left = true;
      return ok(await changed());
    },
    'agents.save': ({ id, name, pin, oldPin }) =>
      inTurn(async () => {
        const agent = id === null ? null : find(id);
        if (agent === undefined) return missing();
        const same = (one: KeptAgent): boolean =>
          one.id !== id && one.name.toLocaleLowerCase() === name.toLocaleLowerCase();
        const refused = holdsCardNumber(name)
          ? 'This looks like a card number.'
          : agents().some(same) || name.toLocaleLowerCase() === 'console'
            ? 'Somebody of this name is on the list already.'
            : null;
        if (refused !== null)
          return fail('input.invalid', refused, { fields: [{ path: 'name', message: refused }] });
        // Whoever has a PIN is changed by nobody else, in name or in PIN.
        if (agent) {
          const admitted = await admit(agent, oldPin);
          if (!admitted.ok) return admitted;
        }
        const kept = pin === undefined ? (agent?.pin ?? null) : pin === null ? null : await keepPin(pin);
        const saved: KeptAgent = { id: id ?? randomUUID(), name, pin: kept, wrong: 0, waitUntil: 0 };
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
      inTurn(async () => {
        const agent = find(id);
        if (!agent) return missing();
        if (agent.id === current()?.id) {
          return fail('input.invalid', 'Whoever is at the desk cannot be removed.', {
            hint: 'Let somebody else take the desk first.',
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
    state: (): Pick<Desk, 'agents' | 'agentId' | 'locked'> => ({
      agents: agents().map(viewOf),
      agentId: current()?.id ?? '',
      locked: away,
    }),
    /** Whether nobody looks at the desk, so that nothing of any payment is shown outside it. */
    isLeft: (): boolean => left,
    /** The same handlers, which refuse while nobody is at the desk. */
    guard: (all: Handlers): Handlers =>
      Object.fromEntries(
        Object.entries(all).map(([name, handler]) => {
          const open = handler as (input: unknown) => Promise<Result<unknown>>;
          const guarded = async (input: unknown): Promise<Result<unknown>> => (away ? locked() : open(input));
          return [name, whileLocked.has(name as CallName) ? open : guarded];
        }),
      ) as Handlers,
  };
};
