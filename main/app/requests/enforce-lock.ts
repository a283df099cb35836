import { rulesOf, type Handlers, type RequestName } from '../../../shared/contract/contract.ts';
import { fail, type AppError } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { AgentSession } from '../settings/agent-session.ts';
import { mapHandlers } from './map-handlers.ts';

type Session = Pick<AgentSession, 'isLocked'>;

const locked = () => fail('app.locked', msg('error.app.locked'), { hint: msg('hint.app.locked') });

/** The refusal of a request while the console is locked; null if it is allowed. */
export const lockRefusal = (name: RequestName, { isLocked }: Session): ReturnType<typeof locked> | null =>
  isLocked() && rulesOf(name).whileLocked !== true ? locked() : null;

/**
 * The same handlers, which refuse requests while the console is locked, and withhold an answer if the lock came while
 * its request was handled.
 */
export const enforceLock = (handlers: Handlers, session: Session): Handlers =>
  mapHandlers(handlers, (handler, name) => async input => {
    const refused = lockRefusal(name, session);
    if (refused) return refused;
    const result = await handler(input);
    return lockRefusal(name, session) ?? result;
  });

/** The same handlers, of which most are refused, because the settings cannot be used. */
export const refuseWhileBlocked = (handlers: Handlers, error: AppError): Handlers =>
  mapHandlers(handlers, (handler, name) =>
    rulesOf(name).whileBlocked === true ? handler : async () => ({ ok: false, error }),
  );
