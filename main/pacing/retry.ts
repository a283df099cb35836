import { setTimeout as wait } from 'node:timers/promises';

/**
 * The delay after this number of failures in a row, milliseconds; the last one of the list is repeated. `jitter`: the random
 * part that is added at most, as a share of the delay, so that many do not try again at one moment.
 */
export const retryDelay = (delaysMs: readonly number[], failures: number, jitter = 0): number =>
  (delaysMs[Math.min(failures, delaysMs.length) - 1] ?? 0) * (1 + Math.random() * jitter);

/**
 * Repeats `attempt` until `delayAfter` returns null for its outcome and number (from 1), and returns that outcome.
 * Rejects with the reason of `signal` when it is aborted in a pause.
 */
export const retry = async <T>(
  attempt: () => Promise<T>,
  delayAfter: (outcome: T, attempts: number) => number | null,
  {
    signal,
    pause = (milliseconds, aborted) => wait(milliseconds, undefined, aborted ? { signal: aborted } : {}),
  }: {
    signal?: AbortSignal | undefined;
    pause?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>;
  } = {},
): Promise<T> => {
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await attempt();
    const delayMs = delayAfter(outcome, attempts);
    if (delayMs === null) return outcome;
    await pause(delayMs, signal);
  }
};
