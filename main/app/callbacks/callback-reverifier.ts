import type { Result } from '../../../shared/errors.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';

/** How long one installation verifies the callbacks of a profile for all. */
const claimMs = 60_000;
/** After this time, with a random part, callbacks that another installation was to verify are looked at. */
const retryMs = 90_000;
/** Limit of callbacks that wait. */
const maxWaiting = 5_000;
/** Callbacks that are looked at when the connection is new. */
const sweptCallbacks = 1_000;

type Received = Event & { kind: 'callback.received' };

/**
 * Verifies callbacks that another installation has stored without the password of their profile, such as an intake: one
 * installation that has it verifies them for all. `reverify` verifies callbacks of one profile and records what is valid,
 * unless that is recorded; `recent`: the last callbacks of all installations.
 */
export const createCallbackReverifier = ({
  hasPassword,
  claim,
  reverify,
  recent,
}: {
  hasPassword: (profileId: string) => Promise<boolean>;
  claim: (task: string, milliseconds: number) => Promise<boolean>;
  reverify: (profileId: string, callbacks: readonly Event[]) => Promise<Result<undefined>>;
  recent: (limit: number) => Promise<readonly Event[]>;
}) => {
  let waiting: Received[] = [];
  let timer: NodeJS.Timeout | null = null;
  let wasConnected = false;
  let isSweepDue = false;
  let isStopped = false;

  const work = async (callbacks: readonly Received[], isOverdue: boolean): Promise<void> => {
    for (const [profileId, own] of Map.groupBy(callbacks, one => one.profileId)) {
      if (profileId === sandboxProfileId || !(await hasPassword(profileId))) continue;
      // A claim postpones it: its holder may never verify.
      const isMine = isOverdue || (await claim(`verify:${profileId}`, claimMs));
      const isDone = isMine && (await reverify(profileId, own)).ok;
      if (!isDone) later(own);
    }
  };
  /** The other installation may have ended meanwhile, or the log could not be read or written. */
  const later = (callbacks: readonly Received[]): void => {
    if (isStopped) return;
    waiting = [...waiting, ...callbacks].slice(-maxWaiting);
    timer ??= setTimeout(
      () => {
        timer = null;
        verify(waiting.splice(0), true);
        if (isSweepDue) sweep();
      },
      retryMs * (1 + Math.random() / 2),
    ).unref();
  };
  const verify = (callbacks: readonly Received[], isOverdue = false): void =>
    void work(callbacks, isOverdue).catch(() => later(callbacks));
  const sweep = (): void => {
    isSweepDue = false;
    recent(sweptCallbacks)
      .then(events => verify(events.filter(isWithoutPassword)))
      .catch(() => {
        isSweepDue = true;
        later([]);
      });
  };
  const isWithoutPassword = (event: Event): event is Received =>
    event.kind === 'callback.received' && event.body.verification.verdict === 'no-password';

  return {
    /** Call it with what other installations have written. */
    onEventsElsewhere(events: readonly Event[]): void {
      const received = events.filter(isWithoutPassword);
      if (received.length > 0) verify(received);
    },
    /** Call it with every change of the connection to the shared log. */
    onConnection(isConnected: boolean): void {
      const isNew = isConnected && !wasConnected;
      wasConnected = isConnected;
      if (isNew) sweep();
    },
    stop(): void {
      isStopped = true;
      if (timer) clearTimeout(timer);
    },
  };
};
