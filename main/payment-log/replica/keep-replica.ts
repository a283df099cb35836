import { setImmediate as immediate } from 'node:timers/promises';
import type { AppError, Result } from '../../../shared/errors.ts';
import type { CopyProgress, ReplicaStanding } from '../../../shared/team/replica-standing.ts';
import type { AmendedEvent } from '../answers.ts';
import { toLogFailure } from '../failures.ts';
import { toSharedLogFailure } from '../postgres/failures.ts';
import { createCopier, type ChainSource, type Copier } from './copy-chains.ts';
import type { ReplicaWriter, Stored } from './replica-writer.ts';
import type { SharedSource } from './shared-source.ts';

/** Interval of looking for what is new, milliseconds, if nothing announces it. */
const pollMs = 5_000;
/** Delays between attempts to connect, milliseconds. */
const retryMs = [100, 500, 2_000, 5_000] as const;
/** Interval of noting up to when erasures are known, milliseconds. */
const noteMs = 60_000;

/** A connection with the shared log. */
export type SharedConnection = {
  source: SharedSource;
  /** Calls `listener` when installations have written. */
  onNews(listener: () => void): void;
  close(): Promise<void>;
};

export type KeptReplica = {
  /** The journal has new events: they are copied next. */
  ownWritten(): void;
  /** There is a reason to connect now rather than later. */
  connectNow(): void;
  standing(): ReplicaStanding;
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
 * a part of what is older. Without a connection it follows the journal, and tries again.
 */
export const keepReplica = ({
  replica,
  journal,
  connect,
  onStored,
  onStanding = () => undefined,
  clock = Date.now,
}: {
  replica: ReplicaWriter;
  journal: ChainSource;
  connect: () => Promise<Result<SharedConnection>>;
  /** `isNew`: newer than what was here, and not copied for the first time. */
  onStored: (stored: Stored, isNew: boolean) => void;
  /** Called when the standing may have changed. */
  onStanding?: () => void;
  /** Milliseconds since 1970. */
  clock?: () => number;
}): KeptReplica => {
  let connected: Connected | null = null;
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
    opened.value.onNews(() => shared.wake());
    connected = { connection: opened.value, copier: createCopier(replica, opened.value.source, stored) };
  };
  /** Erases what the shared log has erased, and notes up to when that and everything else is here. */
  const erase = async ({ connection }: Connected, at: number): Promise<void> => {
    if (named.length === 0 && at - notedAt < noteMs) return;
    const asked = named;
    const erased = asked.length > 0 ? await connection.source.erasedOf(asked) : [];
    stored(replica.erase(erased, at), false);
    if (levelAt !== null) replica.noteLevel(levelAt);
    named = named.slice(asked.length);
    notedAt = at;
  };
  /** Returns whether something older is left. */
  const follow = async (current: Connected): Promise<boolean> => {
    const at = clock();
    await current.copier.forward();
    await erase(current, at);
    const isLeft = await current.copier.backward();
    progress = current.copier.progress();
    if (!isLeft) {
      levelAt = at;
      isLevel = true;
    }
    problem = null;
    failures = 0;
    return isLeft;
  };

  const own = createCopier(replica, journal, stored);
  const journalLoop = startLoop(
    async () => {
      await own.forward();
      return (await own.backward()) ? 0 : pollMs;
    },
    error => (problem = error),
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
          await failed(toSharedLogFailure(thrown).error);
        }
      if (!isLeft && replica.hasErasedWords()) isLeft = replica.removeErasedWords() === 'more';
      if (isLeft) return 0;
      return connected ? pollMs : Math.min(pollMs, Math.max(1, tryAgainAt - performance.now()));
    },
    error => (problem = error),
    onStanding,
  );

  return {
    ownWritten: () => journalLoop.wake(),
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
      leftOut: [...replica.leftOut()],
    }),
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
