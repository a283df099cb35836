import type { AppState, Resume } from '../../../shared/contract/contract.ts';
import type { Agent } from '../../../shared/agents/agent.ts';
import { hasFirstPin } from '../../policy/managed-settings.ts';
import type { SettingsStore, StoredAgent } from '../../settings/settings-store.ts';

/** The agent for the renderer: without the PIN's hash. */
export const viewOf = (agent: StoredAgent): Agent => ({
  id: agent.id,
  name: agent.name,
  role: agent.role,
  hasPin: agent.pin !== null,
  ...(hasFirstPin(agent) && { hasFirstPin: true }),
});

export type AgentSession = ReturnType<typeof createAgentSession>;

/**
 * The signed-in agent. An agent with a PIN has to enter it, at the start too. Until then the console is
 * locked; see main/app/requests/apply-rules.ts.
 */
export const createAgentSession = (settings: SettingsStore) => {
  const agents = (): StoredAgent[] => settings.read().agents;
  const current = (): StoredAgent | undefined =>
    agents().find(agent => agent.name === settings.read().settings.agent) ?? agents()[0];
  let isSignedOut = (current()?.pin ?? null) !== null;
  /** Whether the agent signed out, with or without a PIN. */
  let left = isSignedOut;
  let term = 0;
  /** Where an agent was when they locked the console. */
  let parked: { agentId: string; resume: Resume } | null = null;

  return {
    agents,
    current,
    state: (): Pick<AppState, 'agents' | 'agentId'> => ({
      agents: agents().map(viewOf),
      agentId: current()?.id ?? '',
    }),
    /** Whether a PIN has to be entered before anything is shown or done. */
    isLocked: (): boolean => isSignedOut,
    /** Differs after every lock, and after every sign-in of another agent. */
    term: (): number => term,
    /** Whether no agent is signed in, so that no payment data is shown outside the window. */
    isLeft: (): boolean => left,
    /** Signs this agent in; returns whether that unlocked the console, and where they were before. */
    enter: (agent: StoredAgent): { unlocked: boolean; resume: Resume | null } => {
      if (left || current()?.id !== agent.id) term += 1;
      settings.change(stored => ({ ...stored, settings: { ...stored.settings, agent: agent.name } }));
      const unlocked = isSignedOut;
      isSignedOut = false;
      left = false;
      const resume = parked?.agentId === agent.id ? parked.resume : null;
      parked = null;
      return { unlocked, resume };
    },
    /** Signs the current agent out; returns whether that locked the console. */
    leave: (resume: Resume | null): boolean => {
      const agent = current();
      term += 1;
      left = true;
      if (isSignedOut || (agent?.pin ?? null) === null) return false;
      isSignedOut = true;
      parked = agent && resume ? { agentId: agent.id, resume } : null;
      return true;
    },
    /** Ends the session of a person who was removed or has fewer rights; returns whether that locked the console. */
    expel: (): boolean => {
      if (isSignedOut) return false;
      term += 1;
      isSignedOut = true;
      left = true;
      parked = null;
      return true;
    },
  };
};
