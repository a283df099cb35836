import type { Handlers } from '../../../shared/contract/index.ts';
import { rightNeeded } from '../../../shared/contract/rights.ts';
import { fail } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { hasRight, whoMay } from '../../../shared/agents/roles.ts';
import type { AgentSession } from './agent-session.ts';
import { mapHandlers } from '../map-handlers.ts';

/** The same handlers, which refuse what the role of the signed-in person does not allow. */
export const enforceRights = (
  handlers: Handlers,
  { agents, current }: Pick<AgentSession, 'agents' | 'current'>,
): Handlers =>
  mapHandlers(handlers, (handler, name) => async input => {
    const self = current();
    const right = self ? rightNeeded(name, input, self) : null;
    if (!self || right === null || hasRight(self.role, right)) return handler(input);
    return fail('agent.not-allowed', msg('error.agent.not-allowed'), {
      hint: msg('agents.ask', { names: whoMay(agents(), right).join(', ') }),
      details: { right },
    });
  });
