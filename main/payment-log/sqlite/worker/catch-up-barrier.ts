/** Cooldown after a timeout: further callers skip the wait, because the projection is known to lag. */
const cooldownMs = 1_000;

/**
 * Tracks how far a consumer (the projection) lags behind a producer (the event log) and lets callers wait for it.
 * `timeoutMs`: how long a read waits for earlier writes, milliseconds. `onCaughtUp`: called when the consumer reaches the
 * producer's number; `isLate`: a read did not wait for it, so that what was read is out of date.
 */
export const createCatchUpBarrier = (
  timeoutMs: number,
  onCaughtUp: (isLate: boolean) => void = () => undefined,
) => {
  let target = 0;
  let applied = 0;
  let timedOutAt = Number.NEGATIVE_INFINITY;
  let isReadEarly = false;
  const waiters = new Set<{ for: number; resolve: () => void }>();
  return {
    /** The producer has reached this number. */
    advanceTarget: (last: number): void => {
      target = Math.max(target, last);
    },
    /** The consumer has reached this number. */
    advanceApplied: (through: number): void => {
      applied = through;
      for (const waiter of waiters) if (waiter.for <= applied) waiter.resolve();
      if (applied < target) return;
      const isLate = isReadEarly;
      isReadEarly = false;
      onCaughtUp(isLate);
    },
    /** Resolves when the consumer reaches the producer's current number, or after the timeout. */
    waitUntilApplied: (): Promise<void> => {
      if (applied >= target) return Promise.resolve();
      if (performance.now() - timedOutAt < cooldownMs) {
        isReadEarly = true;
        return Promise.resolve();
      }
      return new Promise(resolve => {
        const waiter = {
          for: target,
          resolve: () => {
            clearTimeout(timer);
            waiters.delete(waiter);
            resolve();
          },
        };
        const timer = setTimeout(() => {
          timedOutAt = performance.now();
          isReadEarly = true;
          waiter.resolve();
        }, timeoutMs);
        waiters.add(waiter);
      });
    },
  };
};
