import type { Handlers, RequestName } from '../../../shared/contract/contract.ts';
import { fixedRight, rightNeeded } from '../../../shared/contract/required-rights.ts';
import { fail } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { hasRight, whoMay, type Right } from '../../../shared/agents/roles.ts';
import type { StoredAgent } from '../../settings/settings-store.ts';
import type { Requester } from '../common/requester.ts';
import type { AgentSession } from '../settings/agent-session.ts';
import { mapHandlers } from './map-handlers.ts';

type Session = Pick<AgentSession, 'agents' | 'current'>;

const notAllowed = (right: Right, agents: readonly StoredAgent[]) =>
  fail('agent.not-allowed', msg('error.agent.not-allowed'), {
    hint: msg('agents.ask', { names: whoMay(agents, right).join(', ') }),
    details: { right },
  });

/**
 * The refusal of a request that the signed-in person may not make with any content; null if its handler decides. For
 * requests whose content has not been looked at.
 */
export const rightRefusal = (
  name: RequestName,
  { agents, current }: Session,
): ReturnType<typeof notAllowed> | null => {
  const right = fixedRight(name);
  const self = current();
  return right === null || !self || hasRight(self.role, right) ? null : notAllowed(right, agents());
};

/** The same handlers, which refuse what the role of the requester does not allow. */
export const enforceRights = (
  handlers: Handlers,
  { agents }: Pick<Session, 'agents'>,
  { person }: Pick<Requester, 'person'>,
): Handlers =>
  mapHandlers(handlers, (handler, name) => async input => {
    const self = person();
    const right = self ? rightNeeded(name, input, self) : fixedRight(name);
    if (right === null || (self && hasRight(self.role, right))) return handler(input);
    return notAllowed(right, agents());
  });
