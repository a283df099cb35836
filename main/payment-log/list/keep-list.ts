import { codeOf, type AppError, type Result } from '../../../shared/errors.ts';
import type { CopyProgress } from '../../../shared/team/team-standing.ts';
import { startLoop, type Loop } from '../../pacing/loop.ts';
import type { AmendedEvent } from '../answers.ts';
import { toLogFailure } from '../log-failures.ts';
import { toSharedLogFailure } from '../postgres/shared-log-failures.ts';
import { createCopier, type ChainSource, type Copier } from './copy-chains.ts';
import type { JournalFollower } from '../sqlite/list/follow-journal.ts';
import type { ForeignEvents, Stored } from '../sqlite/list/foreign-events.ts';
import type { ListTransactions } from '../sqlite/list/list-transactions.ts';
import { isBroken } from '../sqlite/list/broken-list.ts';
import type { ForeignStanding } from '../sqlite/worker/messages.ts';

/** Interval of looking for what is new, if nothing announces it. */
const pollMs = 3_000;
/** Interval of the same where no person is at the console. */
const unattendedMs = 5_000;
/** Delays between attempts to connect. */
const retryMs = [100, 500, 2_000, 5_000] as const;
/** Interval of noting up to when erasures are known. */
const noteMs = 60_000;
/** Events that may be missing from a list that is called level. */
const maxMissing = 500;
/** Time slices of the journal: with evidence being written, and without. */
const busySliceMs = 10;
const idleSliceMs = 100;
/** Idle time: without evidence for this long there is no load. */
const idleMs = 20;
/** Pause after a slice under load, as a multiple of its duration: evidence comes first. */
const busyPause = 1;
/** Delay of removing erased words while a reader needs the old pages. */
const laterMs = 1_000;

/** A connection with the shared log. */
export type SharedConnection = {
  source: ChainSource & {
    /** Those of these events that have no personal values in the shared log any longer. */
    erasedOf(named: readonly AmendedEvent[]): Promise<readonly AmendedEvent[]>;
    /** Notes there that what was erased until `ago` milliseconds before now is erased here; false if it cannot be noted yet. */
    confirmErased(ago: number): Promise<boolean>;
  };
  /** Calls `listener` when installations have written. */
  onNews(listener: () => void): void;
  close(): Promise<void>;
};

export type KeptList = ReturnType<typeof keepList>;

type Connected = { connection: SharedConnection; copier: Copier };

/**
 * Keeps a list level with the journal of this installation and, in a team, with the shared log: first what is new in
 * both, then a part of what is older. Without a connection it follows the journal, and tries again.
 */
export const keepList = ({
  journal,
  foreign,
  transactions,
  onListed,
  onStored,
  onBroken,
  onStanding = () => undefined,
  clock,
}: {
  journal: JournalFollower;
  foreign: ForeignEvents;
  transactions: Pick<ListTransactions, 'hasErasedWords' | 'removeErasedWords'>;
  /** Called after each step with the number of payments of the journal that were listed for the first time. */
  onListed: (older: number) => void;
  /** `isNew`: newer than what was here, and not copied for the first time. */
  onStored: (stored: Stored, isNew: boolean) => void;
  /** The file cannot be used any longer. */
  onBroken: (thrown: unknown) => void;
  /** Called when the standing may have changed. */
  onStanding?: () => void;
  /** Milliseconds since 1970. */
  clock: () => number;
}) => {
  let connect: (() => Promise<Result<SharedConnection>>) | null = null;
  let connected: Connected | null = null;
  let isAttended = true;
  let failures = 0;
  let tryAgainAt = 0;
  let problem: AppError | null = null;
  let progress: CopyProgress = { done: 0, total: 0 };
  let isLevel = false;
  let compared = 0;
  let levelAt = foreign.levelAt();
  let notedAt = Number.NEGATIVE_INFINITY;
  let writtenAt = Number.NEGATIVE_INFINITY;
  /** Events whose erasure the shared log has to confirm. */
  let named: readonly AmendedEvent[] = foreign.named();
  let waiting: ((result: Result<undefined>) => void)[] = [];

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
  const tryToConnect = async (open: () => Promise<Result<SharedConnection>>): Promise<void> => {
    const opened = await open();
    if (!opened.ok) return failed(opened.error);
    opened.value.onNews(() => {
      if (isAttended) void shared.wake();
    });
    connected = { connection: opened.value, copier: createCopier(foreign, opened.value.source, stored) };
  };
  /** Erases what the shared log has erased, and notes up to when that and everything else is here. */
  const erase = async ({ connection }: Connected, at: number): Promise<void> => {
    if (named.length === 0 && at - notedAt < noteMs) return;
    const asked = named;
    const erased = asked.length > 0 ? await connection.source.erasedOf(asked) : [];
    stored(foreign.erase(erased, at), false);
    const isConfirmed = await connection.source.confirmErased(clock() - at);
    if (levelAt !== null) foreign.noteLevel(levelAt);
    named = named.slice(asked.length);
    if (isConfirmed) notedAt = at;
  };
  /** Returns whether something is left. */
  const followShared = async (current: Connected): Promise<boolean> => {
    const at = clock();
    const { copier } = current;
    await copier.compare();
    progress = copier.progress();
    compared += 1;
    // Erasures of what is here come before what is not here yet.
    if (progress.total - progress.done >= maxMissing) isLevel = false;
    onStanding();
    const isNewerLeft = await copier.forward();
    await erase(current, at);
    const isLeft = isNewerLeft || (await copier.backward());
    progress = copier.progress();
    if (!isLeft) {
      const isFirst = levelAt === null;
      levelAt = at;
      isLevel = true;
      if (isFirst) foreign.noteLevel(at);
    }
    problem = null;
    failures = 0;
    return isLeft;
  };

  const settle = (result: Result<undefined>): void => {
    const settled = waiting;
    waiting = [];
    for (const answer of settled) answer(result);
  };
  const cannotStore = (thrown: unknown): void => {
    const failure = toLogFailure(thrown);
    problem = failure.error;
    isLevel = false;
    settle(failure);
    if (isBroken(thrown)) onBroken(thrown);
  };
  const repeat = (step: () => Promise<number> | number): Loop =>
    startLoop(
      async () => {
        try {
          return await step();
        } catch (thrown) {
          cannotStore(thrown);
          return pollMs;
        } finally {
          onStanding();
        }
      },
      { everyMs: pollMs, firstMs: 0 },
    );
  const own = repeat(() => {
    const isBusy = performance.now() - writtenAt < idleMs;
    const startedAt = performance.now();
    const { isLeft, older } = journal.step(isBusy ? busySliceMs : idleSliceMs);
    if (isLeft) onListed(older);
    if (isLeft) return isBusy ? busyPause * (performance.now() - startedAt) : 0;
    if (transactions.hasErasedWords()) {
      const step = transactions.removeErasedWords();
      if (step === 'more') return 0;
      if (step === 'later' && waiting.length === 0) return laterMs;
    }
    settle({ ok: true, value: undefined });
    return pollMs;
  });
  // A server that does not answer must not keep own payments out of the list.
  const shared = repeat(async () => {
    if (connect === null) return unattendedMs;
    if (connected === null && performance.now() >= tryAgainAt) await tryToConnect(connect);
    if (connected === null) return Math.min(pollMs, Math.max(1, tryAgainAt - performance.now()));
    try {
      if (await followShared(connected)) return 0;
    } catch (thrown) {
      if (isOfFile(thrown)) throw thrown;
      await failed(toSharedLogFailure(thrown).error);
    }
    if (transactions.hasErasedWords()) void own.wake();
    return isAttended ? pollMs : unattendedMs;
  });

  return {
    /** The journal has new events: they are listed next. */
    ownWritten: (): void => {
      writtenAt = performance.now();
      void own.wake();
    },
    /** Resolves when everything in the journal is listed, and no erased word is left in the files, or a reader needs them. */
    catchUp: (): Promise<Result<undefined>> =>
      new Promise(resolve => {
        waiting.push(resolve);
        void own.wake();
      }),
    /** Whether a person is at the console: then it follows news at once, otherwise every 5 seconds. */
    attend: (now: boolean): void => {
      if (now && !isAttended) void shared.wake();
      isAttended = now;
    },
    /** Follows a shared log from now on, or connects now rather than later. */
    follow: (given: () => Promise<Result<SharedConnection>>): void => {
      connect = given;
      tryAgainAt = 0;
      failures = 0;
      void shared.wake();
    },
    own: (): { through: number; progress: CopyProgress } => ({
      through: journal.through(),
      progress: journal.progress(),
    }),
    /** Null until a shared log is followed. */
    foreign: (): ForeignStanding | null =>
      connect === null && levelAt === null
        ? null
        : {
            isConnected: connected !== null,
            problem,
            progress,
            isLevel,
            levelAt,
            leftOut: [...foreign.leftOut()],
            compared,
          },
    /** Resolves when nothing is written any longer. */
    close: async (): Promise<void> => {
      const ended = Promise.all([own.close(), shared.close()]);
      // A read that is not answered ends with its connection.
      await connected?.connection.close();
      await ended;
      // It may have connected meanwhile.
      await connected?.connection.close();
      settle({ ok: true, value: undefined });
      if (levelAt !== null) foreign.noteLevel(levelAt);
    },
  };
};

/** Whether an error is of the list's file (a full disk, for example), and not of the connection. */
const isOfFile = (thrown: unknown): boolean => codeOf(thrown).startsWith('SQLITE_');
