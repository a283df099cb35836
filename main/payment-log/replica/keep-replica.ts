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
  let isClosed = false;
  let isPoked = false;
  let wake: () => void = () => undefined;
  const poke = (): void => {
    isPoked = true;
    wake();
  };
  const sleep = async (milliseconds: number): Promise<void> => {
    if (!isPoked && !isClosed)
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, milliseconds);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    isPoked = false;
  };

  let connected: Connected | null = null;
  let failures = 0;
  let tryAgainAt = 0;
  let problem: AppError | null = null;
  let progress: CopyProgress = { done: 0, total: 0 };
  let levelAt: number | null = null;
  let notedAt = Number.NEGATIVE_INFINITY;
  /** Events whose erasure the shared log has to confirm. */
  let named: readonly AmendedEvent[] = replica.named();

  const stored = (one: Stored, isNew: boolean): void => {
    named = [...named, ...one.named];
    onStored(one, isNew);
  };
  const own = createCopier(replica, journal, stored);

  const failed = async (error: AppError): Promise<void> => {
    problem = error;
    tryAgainAt = performance.now() + (retryMs[failures] ?? retryMs[retryMs.length - 1] ?? 0);
    failures += 1;
    const lost = connected;
    connected = null;
    await lost?.connection.close();
  };
  const tryToConnect = async (): Promise<void> => {
    const opened = await connect();
    if (!opened.ok) return failed(opened.error);
    opened.value.onNews(poke);
    connected = { connection: opened.value, copier: createCopier(replica, opened.value.source, stored) };
  };
  const erase = async ({ connection }: Connected, at: number): Promise<void> => {
    if (named.length === 0 && at - notedAt < noteMs) return;
    const asked = named;
    const erased = asked.length > 0 ? await connection.source.erasedOf(asked) : [];
    stored(replica.erase(erased, at), false);
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
    if (!isLeft) levelAt = at;
    problem = null;
    failures = 0;
    return isLeft;
  };

  /** Returns whether something is left to do at once. */
  const followAll = async (): Promise<boolean> => {
    await own.forward();
    let isLeft = await own.backward();
    if (connected === null && performance.now() >= tryAgainAt) await tryToConnect();
    if (connected !== null && !isClosed)
      try {
        isLeft = (await follow(connected)) || isLeft;
      } catch (thrown) {
        await failed(toSharedLogFailure(thrown).error);
      }
    if (!isLeft && replica.hasErasedWords()) return replica.removeErasedWords() === 'more';
    return isLeft;
  };
  const isOpen = (): boolean => !isClosed;
  const work = async (): Promise<void> => {
    while (isOpen()) {
      let isLeft = false;
      try {
        isLeft = await followAll();
      } catch (thrown) {
        // A full disk, for example: it is tried again.
        problem = toLogFailure(thrown).error;
      }
      onStanding();
      // Between two steps this thread receives messages.
      await immediate();
      if (!isLeft) await sleep(connected ? pollMs : Math.min(pollMs, tryAgainAt - performance.now()));
    }
    await connected?.connection.close();
  };
  const working = work();

  return {
    ownWritten: poke,
    connectNow: () => {
      tryAgainAt = 0;
      failures = 0;
      poke();
    },
    standing: () => ({
      isConnected: connected !== null,
      problem,
      progress,
      levelAt,
      leftOut: [...replica.leftOut()],
    }),
    close: async () => {
      isClosed = true;
      wake();
      await working;
    },
  };
};
