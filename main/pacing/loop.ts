import { reportFailure } from '../app-log/failure-report.ts';

/** Work that is repeated until it is closed; never two steps at once. */
export type Loop = ReturnType<typeof startLoop>;

/**
 * A step returns the pause after it, milliseconds, or nothing for `everyMs`; after `Infinity` only `wake` begins the
 * next one. `firstMs`: delay of the first step. The timers do not keep the process alive. `onError`: a step threw; the
 * next one comes after `everyMs`.
 */
export const startLoop = (
  step: () => Promise<number | void> | number | void,
  {
    everyMs,
    firstMs = everyMs,
    onError = thrown => reportFailure('background', 'Repeated work failed.', thrown),
  }: { everyMs: number; firstMs?: number; onError?: (thrown: unknown) => unknown },
) => {
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;
  /** When the timer ends, by the monotonic clock. */
  let dueAt = 0;
  let running: Promise<void> | null = null;
  let following: Promise<void> | null = null;

  const soon = (withinMs: number): void => {
    const due = performance.now() + withinMs;
    if (isClosed || !Number.isFinite(due) || (timer && dueAt <= due)) return;
    if (timer) clearTimeout(timer);
    dueAt = due;
    timer = setTimeout(() => void wake(), withinMs).unref();
  };
  const work = async (): Promise<void> => {
    let pauseMs = everyMs;
    try {
      pauseMs = (await (async () => step())()) ?? everyMs;
    } catch (thrown) {
      onError(thrown);
    }
    running = null;
    if (following === null) soon(pauseMs);
  };
  const start = (): Promise<void> => {
    if (timer) clearTimeout(timer);
    timer = null;
    following = null;
    if (isClosed) return Promise.resolve();
    running = work();
    return running;
  };
  const wake = (): Promise<void> => {
    if (running === null) return start();
    following ??= running.then(start);
    return following;
  };
  soon(firstMs);

  return {
    /** The next step begins at once, or after the present one. Resolves at its end; never rejects. */
    wake,
    /** As `wake`, within this time: requests that come meanwhile are one step. */
    soon,
    /** Starts no further step. Resolves when none runs any longer. */
    close: async (): Promise<void> => {
      isClosed = true;
      if (timer) clearTimeout(timer);
      await running;
    },
  };
};
