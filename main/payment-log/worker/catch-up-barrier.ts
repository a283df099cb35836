/** Who gave up waiting learnt that it is far behind: for so many milliseconds nobody else need find out. */
const cooldownMs = 1_000;

/** What follows something else at its own pace, such as the list the evidence: how far both are, and who waits. */
export type CatchUpBarrier = {
  /** What is followed has come to this number. */
  advanceTarget(last: number): void;
  /** What follows has come to this number. */
  advanceApplied(through: number): void;
  /** Resolves when it has come as far as what it follows is now, but never keeps anyone waiting for long. */
  waitUntilApplied(): Promise<void>;
  /** How far it has come, as far as that is known. */
  applied(): number;
  /** Resolves when it has come as far as what it follows is now, however long that takes. */
  waitUntilComplete(): Promise<void>;
};

/** `patience`: how long a question waits for what was just written, in milliseconds. */
export const createCatchUpBarrier = (timeoutMs: number): CatchUpBarrier => {
  let target = 0;
  let applied = 0;
  let timedOutAt = Number.NEGATIVE_INFINITY;
  const waiters = new Set<{ for: number; resolve: () => void }>();
  return {
    advanceTarget: last => {
      target = Math.max(target, last);
    },
    advanceApplied: through => {
      applied = through;
      for (const waiter of waiters) if (waiter.for <= applied) waiter.resolve();
    },
    applied: () => applied,
    waitUntilComplete: () =>
      applied >= target
        ? Promise.resolve()
        : new Promise(resolve => {
            const waiter = {
              for: target,
              resolve: () => {
                waiters.delete(waiter);
                resolve();
              },
            };
            waiters.add(waiter);
          }),
    waitUntilApplied: () =>
      applied >= target || performance.now() - timedOutAt < cooldownMs
        ? Promise.resolve()
        : new Promise(resolve => {
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
              waiter.resolve();
            }, timeoutMs);
            waiters.add(waiter);
          }),
  };
};
