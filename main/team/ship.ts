import { ok, type AppError, type Result } from '../../shared/errors.ts';
import type { ChainedEvent } from '../payment-log/answers.ts';
import { chainStart } from '../payment-log/evidence/chain.ts';
import { logFailure, toLogFailure } from '../payment-log/log-failures.ts';
import type { PaymentLog } from '../payment-log/payment-log.ts';
import type { SharedChain, SharedEnd } from '../payment-log/postgres/chains.ts';
import type { SharedLog } from '../payment-log/postgres/open-shared-log.ts';
import { olderChains } from './ship-older-chains.ts';

/** Events of one step. */
const batchSize = 512;

/**
 * Fetches back the events of the journal's own chain that only the shared log still has, as after a backup of the
 * computer was restored. Nothing is fetched if the journal's end is not a part of the chain there: that is a fork.
 * Returns the number of fetched events. Errors: those of the shared log and of the journal.
 */
const fetchLostEnd = async (
  journal: Pick<PaymentLog, 'ownChain' | 'chainEnds'>,
  shared: Pick<SharedLog, 'chainedEvents'>,
  end: SharedEnd,
): Promise<Result<number>> => {
  const { writer } = journal.ownChain;
  const own = (await journal.chainEnds()).find(one => one.writer === writer);
  const from = own?.seq ?? 0;
  if (from >= end.seq) return ok(0);
  if (from > 0) {
    const known = await shared.chainedEvents(writer, from - 1, 1);
    if (!known.ok) return known;
    if (known.value[0]?.hash !== (own?.hash ?? chainStart)) return ok(0);
  }
  let after = from;
  while (after < end.seq) {
    const events = await shared.chainedEvents(writer, after, batchSize);
    if (!events.ok) return events;
    // Its own journal refuses what is too large to be read.
    const read = events.value.flatMap(event => ('bytes' in event ? [] : [event]));
    const last = read.at(-1);
    if (!last || read.length < events.value.length) break;
    const restored = await journal.ownChain.restore(read);
    if (!restored.ok) return restored;
    after = last.writerSeq;
  }
  return ok(after - from);
};

/** Limit of the events of one statement. */
const maxBatchSize = 512;
/** Without new events, the end in the shared log is compared this often: it falls back at a failover. */
const idleCheckMs = 1_000;
/** After this time without an answer to that, the shared log counts as unreachable. */
const slowIdleCheckMs = 1_500;
/** Without new events, the chain is taken up again this often: the shared log notes when. */
const rejoinMs = 60_000;
/** After this time without an answer the shared log counts as unreachable; the request continues. */
const slowAnswerMs = 2_500;
/** First and longest delay between attempts. */
const firstDelayMs = 50;
const maxDelayMs = 5_000;
/** Delay between attempts that need a person first. */
const refusedDelayMs = 15_000;

/**
 * `catching-up`: connected, with events from before that are not there yet. `refused`: the shared log answers, but this
 * installation may not or cannot write to it; see `problem`.
 */
export type ShippingState = 'connected' | 'catching-up' | 'unreachable' | 'refused';

export type ShippingStanding = {
  state: ShippingState;
  /** When the state began, milliseconds. */
  since: number;
  /**
   * Events of the journal that are not in the shared log, and when the oldest of them was recorded (milliseconds; null
   * if there are none). Until the first contact after a start, all events of the journal count.
   */
  unshipped: { events: number; oldest: number | null };
  problem: AppError | null;
};

/** Whether an event can be expected in the shared log soon. */
export const isReachable = ({ state }: Pick<ShippingStanding, 'state'>): boolean =>
  state === 'connected' || state === 'catching-up';

export type Shipping = ReturnType<typeof startShipping>;

type Journal = Pick<PaymentLog, 'ownChain' | 'chainEnds' | 'onChange'>;

/** Failures that a repetition alone does not end. */
const needsPerson = ({ code }: AppError): boolean =>
  ['log.denied', 'log.fork', 'log.older', 'log.other'].includes(code);

/**
 * Ships the journal's own chain to the shared log, byte for byte, from where the shared log's copy of the chain ends.
 * A copy that fell behind, for example at a failover, is completed again. A copy that contains other events than the
 * journal is a fork (`log.fork`): nothing is written. `onStanding`: called when the standing's state or problem changes.
 */
export const startShipping = ({
  journal,
  shared,
  onStanding = () => undefined,
  onRestored = () => undefined,
  clock,
}: {
  journal: Journal;
  shared: SharedLog;
  onStanding?: (standing: ShippingStanding) => void;
  /** Called with the number of events that the journal had lost and has fetched back. */
  onRestored?: (events: number) => void;
  clock: () => number;
}) => {
  const { writer } = journal.ownChain;
  /** The journal's end, and how much of it is committed in the shared log. */
  let written = 0;
  let shippedTo = 0;
  let oldest: number | null = null;
  let state: ShippingState = 'catching-up';
  let problem: AppError | null = null;
  let since = clock();
  let isClosed = false;
  let failures = 0;
  /** Smaller after a failure: on a slow line a large statement would never be answered in time. */
  let batchSize = maxBatchSize;

  const waiting = new Set<{ number: number; resolve: (isShipped: boolean) => void; timer: NodeJS.Timeout }>();
  let wake: () => void = () => undefined;
  let isAwake = false;
  /** Whether the connection was lost in this round. */
  let isLost = false;
  const isOver = (): boolean => isClosed;
  const mustCompare = (): boolean => isClosed || isLost;
  const hasMoreThan = (number: number): boolean => number < written;
  /** Ends the present or the next pause. */
  const wakeUp = (): void => {
    isAwake = true;
    wake();
  };
  /** Returns whether the whole time has passed. */
  const pause = async (milliseconds: number): Promise<boolean> => {
    if (!isAwake && !isClosed) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>(resolve => {
        wake = resolve;
        timer = setTimeout(resolve, milliseconds);
        timer.unref();
      });
      clearTimeout(timer);
    }
    const hasPassed = !isAwake;
    isAwake = false;
    return hasPassed;
  };

  const standing = (): ShippingStanding => {
    const events = Math.max(0, written - shippedTo);
    return { state, since, unshipped: { events, oldest: events === 0 ? null : oldest }, problem };
  };
  const enter = (next: ShippingState, cause: AppError | null = null): void => {
    if (next === state && cause?.code === problem?.code) return;
    if (next !== state) since = clock();
    state = next;
    problem = cause;
    onStanding(standing());
  };

  const moveTo = (number: number): void => {
    shippedTo = number;
    enter(number < written ? 'catching-up' : 'connected');
    for (const one of waiting) {
      if (one.number > number) continue;
      clearTimeout(one.timer);
      waiting.delete(one);
      one.resolve(true);
    }
  };

  /** Waits for an answer of the shared log; says so in the standing if it is late. */
  const answered = async <T>(answer: Promise<T>, slowMs = slowAnswerMs): Promise<T> => {
    const timer = setTimeout(
      () => enter('unreachable', logFailure('log.unreachable', 'no answer').error),
      slowMs,
    );
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
    }
  };

  /** While the server is unreachable, only the retry timer wakes the loop. */
  const wakeIfReachable = (): void => {
    if (isReachable(standing())) wakeUp();
  };
  const stopListening = journal.onChange((_, events) => {
    for (const event of events) {
      if (event.writer !== writer || event.writerSeq <= written) continue;
      if (written <= shippedTo) oldest = event.recordedAt;
      written = event.writerSeq;
    }
    wakeIfReachable();
  });

  /** The journal's link with a number; undefined if the journal does not contain it. */
  const linkOf = async (number: number): Promise<string | undefined> =>
    number === 0 ? chainStart : (await journal.ownChain.events(number - 1, 1))[0]?.hash;

  const takeUp = (chain: string): Promise<Result<SharedChain>> =>
    answered(
      shared.join(chain, () => {
        isLost = true;
        wakeUp();
      }),
    );
  const older = olderChains(journal, takeUp);
  let hasOlder = true;
  /** Later, an end that moved without this journal is that of another copy of this installation. */
  let hasJoined = false;
  let reportCompared: () => void = () => undefined;
  const compared = new Promise<void>(resolve => {
    reportCompared = resolve;
  });

  /** Takes up the chain and compares its end with the journal. */
  const join = async (): Promise<Result<SharedChain>> => {
    const chain = await takeUp(writer);
    if (!chain.ok) return chain;
    const { seq, hash } = chain.value.end;
    if (!hasJoined) {
      const fetched = await fetchLostEnd(journal, shared, chain.value.end);
      if (!fetched.ok) return fetched;
      if (fetched.value > 0) onRestored(fetched.value);
    }
    if ((await linkOf(seq)) !== hash) return logFailure('log.fork', `event ${seq}`);
    hasJoined = true;
    reportCompared();
    const own = (await journal.chainEnds()).find(end => end.writer === writer);
    written = Math.max(written, own?.seq ?? 0);
    moveTo(seq);
    return chain;
  };

  /**
   * Ships what the journal contains after `end`. Returns the new end; null if the end in the shared log must be compared
   * again.
   */
  const shipAfter = async (chain: SharedChain, from: SharedEnd): Promise<Result<SharedEnd | null>> => {
    let end = from;
    let prefetched: Promise<readonly ChainedEvent[]> | null = null;
    while (!isOver() && hasMoreThan(end.seq)) {
      const events: readonly ChainedEvent[] = await (prefetched ??
        journal.ownChain.events(end.seq, batchSize));
      const last = events.at(-1);
      const [first] = events;
      if (!first || !last) break;
      oldest = first.recordedAt;
      // With a backlog, the next events are read while these are written.
      prefetched = events.length < batchSize ? null : journal.ownChain.events(last.writerSeq, batchSize);
      prefetched?.catch(() => undefined);
      const stored = await answered(chain.append(end, events));
      if (!stored.ok) {
        batchSize = Math.max(1, Math.floor(batchSize / 4));
        return stored;
      }
      batchSize = Math.min(maxBatchSize, batchSize * 2);
      if (stored.value !== 'stored') return { ok: true, value: null };
      end = { seq: last.writerSeq, hash: last.hash };
      moveTo(end.seq);
    }
    return { ok: true, value: end };
  };

  /** Waits until the journal has more; false if the ends must be compared again. */
  const waitForEvents = async (chain: SharedChain, end: SharedEnd): Promise<Result<boolean>> => {
    const until = performance.now() + rejoinMs;
    while (!mustCompare() && !hasMoreThan(end.seq) && performance.now() < until) {
      if (hasOlder) {
        const more = await answered(older.step());
        if (!more.ok) return more;
        hasOlder = more.value;
        continue;
      }
      if (!(await pause(idleCheckMs))) continue;
      if (mustCompare() || hasMoreThan(end.seq)) break;
      const now = await answered(chain.currentEnd(), slowIdleCheckMs);
      if (!now.ok) return now;
      if (now.value.seq !== end.seq || now.value.hash !== end.hash) return { ok: true, value: false };
      moveTo(end.seq);
    }
    return { ok: true, value: !mustCompare() && hasMoreThan(end.seq) };
  };

  /** One round: compares the ends, then ships until the connection is lost or the ends must be compared again. */
  const round = async (): Promise<Result<undefined>> => {
    isLost = false;
    const chain = await join();
    if (!chain.ok) return chain;
    let { end } = chain.value;
    for (;;) {
      const shipped = await shipAfter(chain.value, end);
      if (!shipped.ok) return shipped;
      if (shipped.value === null) break;
      end = shipped.value;
      failures = 0;
      const idle = await waitForEvents(chain.value, end);
      if (!idle.ok) return idle;
      if (!idle.value) break;
    }
    return { ok: true, value: undefined };
  };

  const run = async (): Promise<void> => {
    while (!isOver()) {
      let done: Result<undefined>;
      try {
        done = await round();
      } catch (thrown) {
        // The journal could not be read.
        done = toLogFailure(thrown);
      }
      if (isClosed || done.ok) continue;
      const mustWait = needsPerson(done.error);
      if (mustWait) reportCompared();
      enter(mustWait ? 'refused' : 'unreachable', done.error);
      const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(failures, 10));
      failures += 1;
      isAwake = false;
      // Many installations must not return at the same instant.
      await pause(mustWait ? refusedDelayMs : delayMs * (0.5 + Math.random()));
    }
  };

  const start = async (): Promise<void> => {
    try {
      written = Math.max(written, (await journal.chainEnds()).find(end => end.writer === writer)?.seq ?? 0);
      oldest ??= (await journal.ownChain.events(0, 1))[0]?.recordedAt ?? null;
    } catch {
      // The first round reads the journal again.
    }
    await run();
  };
  const running = start();

  return {
    standing,
    /** Resolves when the ends of the chain were compared for the first time, or a person has to act first. */
    compared,
    /**
     * Whether every event of the journal's own chain up to this number is committed in the shared log; waits for it so
     * long at most.
     */
    shipped: (number: number, milliseconds: number): Promise<boolean> =>
      new Promise(resolve => {
        if (number <= shippedTo) return resolve(true);
        if (isClosed || milliseconds <= 0) return resolve(false);
        const one = {
          number,
          resolve,
          timer: setTimeout(() => {
            waiting.delete(one);
            resolve(false);
          }, milliseconds),
        };
        waiting.add(one);
      }),
    /** Stops; what is not there yet follows at the next start. Leaves journal and shared log open. */
    close: async (): Promise<void> => {
      isClosed = true;
      stopListening();
      for (const one of waiting) {
        clearTimeout(one.timer);
        one.resolve(false);
      }
      waiting.clear();
      reportCompared();
      wakeUp();
      await running;
    },
  };
};
