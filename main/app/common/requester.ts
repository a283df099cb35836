import { AsyncLocalStorage } from 'node:async_hooks';
import type { Role } from '../../../shared/agents/roles.ts';
import { fail, type AppError } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';

/** The person for whom a request runs, as they were when it arrived. */
export type Person = { id: string; name: string; role: Role };

/**
 * For whom the request runs that calls this: read once, when it arrives. Who is signed in may change while it runs, and
 * must lend it neither a name nor a right.
 */
export type Requester = {
  /** Null outside a request, and for one that arrived while the console was locked. */
  person(): Person | null;
  /** Their name in the evidence; `console` without a person. */
  name(): string;
  /**
   * The refusal if that person is no longer the one who is signed in, has another role, or has locked the console since;
   * null if they are still here, and outside a request. To be called directly before a request to the gateway is
   * recorded; the gateway calls it again before it sends (send-while-here.ts).
   */
  refusalIfGone(): AppError | null;
};

type Session = {
  current(): Person | undefined;
  isLocked(): boolean;
  /** Differs after every lock, and after every sign-in of another person. */
  term(): number;
};

/** `run` runs a request for the person who is signed in now. */
export const createRequester = (session: Session): Requester & { run<T>(work: () => T): T } => {
  const requests = new AsyncLocalStorage<{ person: Person | null; term: number }>();
  const person = (): Person | null => requests.getStore()?.person ?? null;
  return {
    run: work => {
      const self = session.isLocked() ? undefined : session.current();
      return requests.run(
        { person: self ? { id: self.id, name: self.name, role: self.role } : null, term: session.term() },
        work,
      );
    },
    person,
    name: () => person()?.name ?? 'console',
    refusalIfGone: () => {
      const asked = requests.getStore();
      const now = session.current();
      const isSame = now?.id === asked?.person?.id && now?.role === asked?.person?.role;
      return asked === undefined || (asked.term === session.term() && isSame)
        ? null
        : fail('agent.not-allowed', msg('agents.changed'), { hint: msg('agents.changed.hint') }).error;
    },
  };
};
