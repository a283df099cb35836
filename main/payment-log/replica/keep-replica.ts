import { setImmediate as immediate } from 'node:timers/promises';
import { fail, ok, type AppError, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { PaymentKey } from '../../../shared/payments/payment-key.ts';
import type { CopyProgress, ReplicaStanding } from '../../../shared/team/replica-standing.ts';
import type { AmendedEvent } from '../answers.ts';
import { toLogFailure } from '../log-failures.ts';
import { toSharedLogFailure } from '../postgres/shared-log-failures.ts';
import { createCopier, type ChainSource, type Copier } from './copy-chains.ts';
import { monthsBefore } from './positions.ts';
import type { ReplicaWriter, Stored } from './replica-writer.ts';
import type { SharedSource } from './shared-source.ts';

/** Interval of looking for what is new, if nothing announces it. */
const pollMs = 5_000;
/** Delays between attempts to connect. */
const retryMs = [100, 500, 2_000, 5_000] as const;
/** Interval of noting up to when erasures are known. */
const noteMs = 60_000;

/** Whether an error is of the replica's file (a full disk, for example), and not of the connection. */
const isOfReplica = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('SQLITE_');

/** A connection with the shared log. */
export type SharedConnection = {
  source: SharedSource;
  /** Calls `listener` when installations have written. */
  onNews(listener: () => void): void;
  close(): Promise<void>;
};

/** Orders whose older events are read at once. */
const ordersAtOnce = 200;

export type KeptReplica = {
  /** The journal has new events: they are copied next. */
  ownWritten(): void;
  /** Whether a person is at the console: then it follows news at once, otherwise every 5 seconds. */
  attend(isAttended: boolean): void;
  /** There is a reason to connect now rather than later. */
  connectNow(): void;
  standing(): ReplicaStanding;
  /** The number up to which the own chain is listed, once all of it is that is to be listed; 0 until then. */
  ownShown(): number;
  /**
   * Fetches orders with this number or payment id that are older than the months which are copied; resolves to how many
   * there are. Errors: `log.unreachable` and those of the shared log.
   */
  findOlder(numberOrId: string): Promise<Result<number>>;
  /** Resolves when nothing is written any longer. */
  close(): Promise<void>;
};

type Connected = { connection: SharedConnection; copier: Copier };

/** Work that is repeated until it is closed. */
type Loop = {
  /** The next step begins at once, or after the present one. */
  wake(): void;
  /** Resolves when no step runs any longer. */
  close(): Promise<void>;
};

/** `step`: returns the pause before the next one, milliseconds. `onError`: a full disk, for example; it is tried again. */
const startLoop = (
  step: () => Promise<number>,
  onError: (error: AppError) => void,
  afterStep: () => void,
): Loop => {
  let isClosed = false;
  let isWoken = false;
  let endPause: () => void = () => undefined;
  const wake = (): void => {
    isWoken = true;
    endPause();
  };
  const pause = async (milliseconds: number): Promise<void> => {
    if (!isWoken && !isClosed)
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, milliseconds);
        endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    isWoken = false;
  };
  const isOpen = (): boolean => !isClosed;
  const run = async (): Promise<void> => {
    // What starts it can be used in its steps.
    await immediate();
    while (isOpen()) {
      let pauseMs = pollMs;
      try {
        pauseMs = await step();
      } catch (thrown) {
        onError(toLogFailure(thrown).error);
      }
      if (isOpen()) afterStep();
      // Between two steps this thread receives messages.
      await immediate();
      if (pauseMs > 0) await pause(pauseMs);
    }
  };
  const running = run();
  return {
    wake,
    close: async () => {
      isClosed = true;
      wake();
      await running;
    },
  };
};

/**
 * Keeps a replica level with the journal of this installation and with the shared log: first what is new in both, then
 * a part of what is older. Without a connection it follows the journal, and tries again. `months`: how many months before
 * the present one are copied; null: all. An order with a later event is copied as a whole.
 */
export const keepReplica = ({
  replica,
  journal,
  own,
  months = null,
  connect,
  onStored,
  onStanding = () => undefined,
  clock,
}: {
  replica: ReplicaWriter;
  journal: ChainSource;
  /** The chain of this installation. */
  own: string;
  months?: number | null;
  connect: () => Promise<Result<SharedConnection>>;
  /** `isNew`: newer than what was here, and not copied for the first time. */
  onStored: (stored: Stored, isNew: boolean) => void;
  /** Called when the standing may have changed. */
  onStanding?: () => void;
  /** Milliseconds since 1970. */
  clock: () => number;
}): KeptReplica => {
  const since = (): number | null => (months === null ? null : monthsBefore(months, clock()));
  let connected: Connected | null = null;
  let isAttended = true;
  let failures = 0;
  let tryAgainAt = 0;
  let problem: AppError | null = null;
  let progress: CopyProgress = { done: 0, total: 0 };
  let isLevel = false;
  let levelAt = replica.levelAt();
  let notedAt = Number.NEGATIVE_INFINITY;
  /** Events whose erasure the shared log has to confirm. */
  let named: readonly AmendedEvent[] = replica.named();

  const stored = (one: Stored, isNew: boolean): void => {
    named = [...named, ...one.named];
    onStored(one, isNew);
  };

  const failed = async (error: AppError): Promise<void> => {
    problem = error;
    tryAgainAt = performance.now() + (retryMs[failures] ?? retryMs[retryMs.length - 1] ?? 0);
    failures += 1;
    isLevel = false;
    const lost = connected;
    connected = null;
    await lost?.connection.close();
  };
  const tryToConnect = async (): Promise<void> => {
    const opened = await connect();
    if (!opened.ok) return failed(opened.error);
    opened.value.onNews(() => {
      if (isAttended) shared.wake();
    });
    connected = {
      connection: opened.value,
      copier: createCopier(replica, opened.value.source, stored, { since }),
    };
  };
  /** Erases what the shared log has erased, and notes up to when that and everything else is here. */
  const erase = async ({ connection }: Connected, at: number): Promise<void> => {
    if (named.length === 0 && at - notedAt < noteMs) return;
    const asked = named;
    const erased = asked.length > 0 ? await connection.source.erasedOf(asked) : [];
    stored(replica.erase(erased, at), false);
    await connection.source.confirmErased(clock() - at);
    if (levelAt !== null) replica.noteLevel(levelAt);
    named = named.slice(asked.length);
    notedAt = at;
  };
  const fetchOlder = async (
    { connection }: Connected,
    orders: readonly PaymentKey[],
    before: number,
  ): Promise<void> => {
    for await (const part of connection.source.eventsOf(orders, before))
      stored(replica.complete([], part), false);
  };
  /** Fetches what came before the months that are copied, for some orders that continue in them; false if none is left. */
  const completeSome = async (current: Connected): Promise<boolean> => {
    const before = since();
    const orders = before === null ? [] : replica.unfinished(ordersAtOnce);
    if (before === null || orders.length === 0) return false;
    await fetchOlder(current, orders, before);
    stored(
      replica.complete(
        orders.map(({ payment }) => payment),
        [],
      ),
      false,
    );
    return true;
  };
  /** Returns whether something older is left. */
  const follow = async (current: Connected): Promise<boolean> => {
    const at = clock();
    await current.copier.forward();
    await erase(current, at);
    const isLeft = (await current.copier.backward()) || (await completeSome(current));
    progress = current.copier.progress();
    if (!isLeft) {
      levelAt = at;
      isLevel = true;
    }
    problem = null;
    failures = 0;
    return isLeft;
  };

  const cannotStore = (error: AppError): void => {
    problem = error;
    isLevel = false;
  };
  const ownCopier = createCopier(replica, journal, stored, { since });
  const journalLoop = startLoop(
    async () => {
      await ownCopier.forward();
      return (await ownCopier.backward()) ? 0 : pollMs;
    },
    cannotStore,
    onStanding,
  );
  // A server that does not answer must not keep own payments out of the list.
  const shared = startLoop(
    async () => {
      if (connected === null && performance.now() >= tryAgainAt) await tryToConnect();
      let isLeft = false;
      if (connected !== null)
        try {
          isLeft = await follow(connected);
        } catch (thrown) {
          if (isOfReplica(thrown)) throw thrown;
          await failed(toSharedLogFailure(thrown).error);
        }
      if (!isLeft && replica.hasErasedWords()) isLeft = replica.removeErasedWords() === 'more';
      const before = since();
      if (!isLeft && before !== null) isLeft = replica.prune(before);
      if (isLeft) return 0;
      return connected ? pollMs : Math.min(pollMs, Math.max(1, tryAgainAt - performance.now()));
    },
    cannotStore,
    onStanding,
  );

  return {
    ownWritten: () => journalLoop.wake(),
    attend: now => {
      if (now && !isAttended) shared.wake();
      isAttended = now;
    },
    connectNow: () => {
      tryAgainAt = 0;
      failures = 0;
      shared.wake();
    },
    standing: () => ({
      isConnected: connected !== null,
      problem,
      progress,
      isLevel,
      levelAt,
      since: since(),
      leftOut: [...replica.leftOut()],
    }),
    ownShown: () => ownCopier.wholeTo(own),
    findOlder: async numberOrId => {
      const before = since();
      if (before === null) return ok(0);
      const current = connected;
      if (current === null) return fail('log.unreachable', msg('error.log.unreachable'));
      try {
        const orders = await current.connection.source.ordersOf(numberOrId, before);
        if (orders.length > 0) await fetchOlder(current, orders, before);
        return ok(orders.length);
      } catch (thrown) {
        return toSharedLogFailure(thrown);
      }
    },
    close: async () => {
      const ended = Promise.all([journalLoop.close(), shared.close()]);
      // A read that is not answered ends with its connection.
      await connected?.connection.close();
      await ended;
      // It may have connected meanwhile.
      await connected?.connection.close();
      if (levelAt !== null) replica.noteLevel(levelAt);
    },
  };
};
